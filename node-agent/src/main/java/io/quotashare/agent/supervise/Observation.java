package io.quotashare.agent.supervise;

import java.util.Optional;

/** What is true of an attempt at one instant, as far as its supervisor knows. */
public sealed interface Observation {

  /** The supervisor is being started, or is about to start the job. */
  record Launching() implements Observation {}

  /** The job was never started and nothing of it runs. */
  record Failed(LaunchFailure failure) implements Observation {}

  /** The main process runs. */
  record Running(StartedRecord started, Ladder ladder) implements Observation {}

  /**
   * The supervisor is gone without a record of the exit. What is left of the attempt is being
   * killed.
   */
  record Orphaned(StartedRecord started, Ladder ladder) implements Observation {}

  /** The main process has ended; what else belongs to the attempt is being killed. */
  record Exited(StartedRecord started, ExitRecord exit) implements Observation {}

  /**
   * Every process of the attempt is gone.
   *
   * @param exit how the main process ended; empty if nobody was there to see it
   * @param rebooted the host was booted since the attempt was started
   */
  record Ended(StartedRecord started, Ladder ladder, Optional<ExitRecord> exit, boolean rebooted)
      implements Observation {}
}
