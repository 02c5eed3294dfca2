package io.quotashare.server.failpoint;

/**
 * The steps between receiving a command and having told everybody, in their order. At each of them
 * a scheduler may die, and nothing that was acknowledged may be lost, and nothing done twice.
 */
public enum Failpoint {
  /** A call was received and checked; it is not in the queue. */
  RECEIVED,
  /** It waits in the queue. */
  QUEUED,
  /** The engine has taken a batch out of the queue. */
  DRAINED,
  /** The calls of the batch are applied to the state in memory. */
  APPLIED,
  /** The batch is decided, and its answers are made. */
  DECIDED,
  /** The batch is about to be committed. */
  BEFORE_COMMIT,
  /** Everything is written, inside the transaction. */
  IN_COMMIT,
  /** The batch is durable; nobody knows. */
  COMMITTED,
  /** One more of those who are told within the scheduler was told. */
  LISTENER_TOLD,
  /** The decision is durable; its first command is about to be sent to an agent. */
  BEFORE_COMMAND,
  /** A command was handed to the stream of an agent. */
  COMMAND_SENT,
  /** Everybody but the callers was told. */
  BEFORE_ANSWER,
  /** The callers were answered. */
  ANSWERED
}
