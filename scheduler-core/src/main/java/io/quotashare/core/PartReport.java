package io.quotashare.core;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.Progress;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What an agent says about an attempt on its node.
 *
 * @param attempt the attempt
 * @param rank rank of the node in the gang
 * @param version grows with every change; older reports than the newest are ignored
 * @param phase STARTING, RUNNING, EXITED, FREE, START_FAILED or NOT_STARTED
 * @param exitCode exit code of the main process
 * @param exitSignal signal that ended it
 * @param exitedBeforeStop true if it exited before the agent asked it to stop
 * @param detail in words; may be empty
 * @param progress what the job said; {@link Progress#NONE} if nothing, or from another rank than 0
 * @param unusable devices that its agent found unusable; they are out of service until its next
 *     inventory
 */
public record PartReport(
    AttemptKey attempt,
    int rank,
    long version,
    PartPhase phase,
    OptionalInt exitCode,
    OptionalInt exitSignal,
    boolean exitedBeforeStop,
    String detail,
    Progress progress,
    Set<String> unusable) {
  public PartReport {
    requireNonNull(attempt, "attempt is null");
    requireNonNull(phase, "phase is null");
    requireNonNull(exitCode, "exitCode is null");
    requireNonNull(exitSignal, "exitSignal is null");
    requireNonNull(detail, "detail is null");
    requireNonNull(progress, "progress is null");
    unusable = Set.copyOf(unusable);
  }

  /** A report that finds nothing wrong with the devices. */
  public PartReport(
      AttemptKey attempt,
      int rank,
      long version,
      PartPhase phase,
      OptionalInt exitCode,
      OptionalInt exitSignal,
      boolean exitedBeforeStop,
      String detail,
      Progress progress) {
    this(
        attempt,
        rank,
        version,
        phase,
        exitCode,
        exitSignal,
        exitedBeforeStop,
        detail,
        progress,
        Set.of());
  }
}
