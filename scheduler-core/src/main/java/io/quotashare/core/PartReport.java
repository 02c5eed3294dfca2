package io.quotashare.core;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.Progress;
import java.util.OptionalInt;

/**
 * What an agent says about an attempt on its node.
 *
 * @param attempt the attempt
 * @param rank rank of the node in the gang
 * @param version grows with every change; older reports than the newest are ignored
 * @param phase STARTING, RUNNING, EXITED, FREE or START_FAILED
 * @param exitCode exit code of the main process
 * @param exitSignal signal that ended it
 * @param exitedBeforeStop true if it exited before the agent asked it to stop
 * @param detail in words; may be empty
 * @param progress what the job said; {@link Progress#NONE} if nothing, or from another rank than 0
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
    Progress progress) {
  public PartReport {
    requireNonNull(attempt, "attempt is null");
    requireNonNull(phase, "phase is null");
    requireNonNull(exitCode, "exitCode is null");
    requireNonNull(exitSignal, "exitSignal is null");
    requireNonNull(detail, "detail is null");
    requireNonNull(progress, "progress is null");
  }
}
