package io.quotashare.agent.supervise;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.OptionalInt;

/**
 * How the main process ended.
 *
 * @param code its exit code, 0 to 255; empty if a signal ended it
 * @param signal the signal that ended it; empty if it exited
 * @param cause who wanted it
 * @param ladder signals that were sent before
 * @param exitedAt when it was seen to have ended
 */
public record ExitRecord(
    OptionalInt code, OptionalInt signal, Cause cause, Ladder ladder, Instant exitedAt) {

  /** Who wanted the end. */
  public enum Cause {
    /** The job itself. */
    OWN,
    /** The agent, by {@link JobSupervisor#scheduleStop}. */
    STOP,
    /** The supervisor, at the end of the lease. */
    LEASE,
    /** Somebody sent SIGTERM to the supervisor. */
    SIGNAL
  }

  /** Checks that there is either a code or a signal. */
  public ExitRecord {
    requireNonNull(cause, "cause is null");
    requireNonNull(ladder, "ladder is null");
    requireNonNull(exitedAt, "exitedAt is null");
    if (code.isPresent() == signal.isPresent()) {
      throw new IllegalArgumentException(
          "code: " + code + ", signal: " + signal + " (expected: exactly one)");
    }
  }
}
