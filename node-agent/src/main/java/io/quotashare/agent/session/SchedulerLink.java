package io.quotashare.agent.session;

import io.quotashare.proto.agent.v1.PushLogsRequest;
import io.quotashare.proto.agent.v1.RegisterRequest;
import io.quotashare.proto.agent.v1.RegisterResponse;
import io.quotashare.proto.agent.v1.ReportInventoryRequest;
import io.quotashare.proto.agent.v1.ReportInventoryResponse;
import io.quotashare.proto.agent.v1.SessionRequest;
import io.quotashare.proto.agent.v1.SessionResponse;

/**
 * The way to the scheduler. Everything that comes back is called on the agent's thread, but for
 * {@link LogSink}. Nothing here waits.
 */
public interface SchedulerLink extends AutoCloseable {

  /** Answer to a call; exactly one of the two is called, once. */
  interface Answer<T> {
    /** It was answered. */
    void ok(T answer);

    /** It was not, or with an error. */
    void failed(LinkFailure failure);
  }

  /** What comes down a session. */
  interface SessionListener {
    /** A message; the next one comes when this has returned. */
    void message(SessionResponse message);

    /** The session has ended, whoever ended it; called once, nothing follows. */
    void ended(LinkFailure reason);
  }

  /** The upward half of a session. */
  interface SessionStream {
    /** Whether a message would go out without being queued. */
    boolean isReady();

    /** Sends. A message on a session that has ended is dropped. */
    void send(SessionRequest message);

    /** Ends the session. */
    void close();
  }

  /** Where output is pushed to. Safe for use by several threads. */
  interface LogSink {
    /** Whether a piece would go out without being queued. */
    boolean isReady();

    /** Whether the other side has ended it: nothing more is wanted. */
    boolean isEnded();

    /** Sends a piece. */
    void send(PushLogsRequest piece);

    /** No more pieces. */
    void complete();
  }

  /** Calls Register. */
  void register(RegisterRequest request, Answer<RegisterResponse> answer);

  /** Opens the session of a registration. */
  SessionStream openSession(SessionListener listener);

  /** Calls ReportInventory. */
  void reportInventory(ReportInventoryRequest request, Answer<ReportInventoryResponse> answer);

  /**
   * Opens a stream for output.
   *
   * @param onReady called on any thread when the sink may have become ready or ended
   */
  LogSink pushLogs(Runnable onReady);

  /** Lets go of everything. */
  @Override
  void close();
}
