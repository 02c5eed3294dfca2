package io.quotashare.agent.attempt;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a job said in its {@code progress} file, after the checks of docs/checkpoint-contract.md.
 *
 * @param step newest finished step; empty if not said
 * @param checkpointStep step of the newest safe checkpoint; empty if there is none
 * @param checkpointStateTime when the state in it was captured
 * @param checkpointDurableTime when it was safe
 * @param ackSeq newest request that is done; 0 if none
 * @param onDemand the job reads requests
 * @param state what it says that it does
 */
public record ProgressReport(
    OptionalLong step,
    OptionalLong checkpointStep,
    Optional<Instant> checkpointStateTime,
    Optional<Instant> checkpointDurableTime,
    long ackSeq,
    boolean onDemand,
    State state) {

  /** Values of {@code state}. */
  public enum State {
    /** Not said, or working. */
    RUNNING,
    /** A checkpoint is being written. */
    SAVING,
    /** Saved as it was asked to, and about to exit. */
    STOPPED,
    /** Finished. */
    DONE
  }
}
