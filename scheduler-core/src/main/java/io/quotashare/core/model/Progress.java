package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt said of itself, checked by its agent.
 *
 * @param step newest step; empty if never reported
 * @param productiveSinceMillis first progress of the attempt
 * @param checkpoint newest durable checkpoint of this attempt; null if none
 * @param ackSeq newest request to save that the job confirmed as durable; 0 if none
 * @param done the job has said that it is done
 */
public record Progress(
    OptionalLong step,
    OptionalLong productiveSinceMillis,
    @Nullable Checkpoint checkpoint,
    long ackSeq,
    boolean done) {
  /** Nothing said. */
  public static final Progress NONE =
      new Progress(OptionalLong.empty(), OptionalLong.empty(), null, 0, false);

  public Progress {
    requireNonNull(step, "step is null");
    requireNonNull(productiveSinceMillis, "productiveSinceMillis is null");
  }
}
