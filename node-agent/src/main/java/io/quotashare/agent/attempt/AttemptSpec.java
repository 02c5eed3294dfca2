package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.OptionalLong;

/**
 * What is remembered of a start command. The environment of the job is not: it may hold secrets,
 * and is needed only once.
 *
 * @param name the attempt
 * @param share share that it is accounted to
 * @param deviceUuids devices on this node, in the order in which the job sees them
 * @param rank rank of this node in the gang, from 0
 * @param nodes nodes of the gang
 * @param command program and arguments
 * @param graceMillis from a stop to SIGKILL, as submitted
 * @param lostAfterMillis silence of the scheduler that ends the attempt; empty: never
 * @param onDemandCheckpoint the job reads requests
 * @param jobSequence order of submission of its job; 0: not known
 */
public record AttemptSpec(
    AttemptName name,
    String share,
    List<String> deviceUuids,
    int rank,
    int nodes,
    List<String> command,
    long graceMillis,
    OptionalLong lostAfterMillis,
    boolean onDemandCheckpoint,
    long jobSequence) {

  private static final long TERM_GRACE_MAX_MILLIS = 30_000;

  /** Copies the lists. */
  public AttemptSpec {
    requireNonNull(name, "name is null");
    requireNonNull(share, "share is null");
    requireNonNull(lostAfterMillis, "lostAfterMillis is null");
    deviceUuids = List.copyOf(deviceUuids);
    command = List.copyOf(command);
  }

  /** From SIGTERM to SIGKILL: min(30 s, grace / 2) (quota-semantics 6.1). */
  public long termGraceMillis() {
    return Math.min(TERM_GRACE_MAX_MILLIS, graceMillis / 2);
  }
}
