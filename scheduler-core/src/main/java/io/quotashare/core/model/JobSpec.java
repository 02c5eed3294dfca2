package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a job is, fixed at submission.
 *
 * @param share share id that is charged
 * @param displayName name for people
 * @param shape devices and nodes
 * @param unit capacity unit
 * @param launch what the agents run
 * @param labels for filters
 * @param timeLimitMillis longest running time of an attempt; empty for none
 * @param graceMillis from the request to stop to SIGKILL
 * @param lostAfter silence of a node after which an attempt is started elsewhere
 * @param checkpointEveryMillis suggested interval between checkpoints; empty for none
 * @param onDemandCheckpoint whether it reads checkpoint requests
 * @param retries after failed attempts, 0 to 10
 * @param retryOn which failures are worth one
 * @param preemptionRetries preemptions after which the next one fails it; empty for no limit
 *     (quota-semantics 6.4)
 * @param borrow whether it may run on borrowed devices
 * @param allowInfeasible accepted although nothing could run it
 */
public record JobSpec(
    String share,
    String displayName,
    Shape shape,
    String unit,
    Launch launch,
    SortedMap<String, String> labels,
    OptionalLong timeLimitMillis,
    long graceMillis,
    LostAfter lostAfter,
    OptionalLong checkpointEveryMillis,
    boolean onDemandCheckpoint,
    int retries,
    RetryOn retryOn,
    OptionalInt preemptionRetries,
    BorrowMode borrow,
    boolean allowInfeasible) {
  /** Highest priority. The lowest is 0. */
  public static final int MAX_PRIORITY = 9999;

  /** Default of {@code graceMillis}. */
  public static final long DEFAULT_GRACE_MILLIS = 60_000;

  private static final long TERM_GRACE_MAX_MILLIS = 30_000;

  /** Most retries. */
  public static final int MAX_RETRIES = 10;

  /** Silence of a node after which an attempt is started elsewhere. */
  public sealed interface LostAfter {
    /** The scheduler's default. */
    record Default() implements LostAfter {}

    /** Only after the node is heard again or fenced by an operator. */
    record Never() implements LostAfter {}

    /**
     * A time of the job's own.
     *
     * @param millis 1 or more
     */
    record After(long millis) implements LostAfter {
      public After {
        checkArgument(millis >= 1, "lostAfter: %s (expected: >= 1 ms)", millis);
      }
    }
  }

  public JobSpec {
    requireNonNull(share, "share is null");
    requireNonNull(displayName, "displayName is null");
    requireNonNull(shape, "shape is null");
    requireNonNull(unit, "unit is null");
    requireNonNull(launch, "launch is null");
    labels = new TreeMap<>(labels);
    requireNonNull(timeLimitMillis, "timeLimitMillis is null");
    checkArgument(graceMillis >= 0, "graceMillis: %s (expected: >= 0)", graceMillis);
    requireNonNull(lostAfter, "lostAfter is null");
    requireNonNull(checkpointEveryMillis, "checkpointEveryMillis is null");
    checkArgument(
        retries >= 0 && retries <= MAX_RETRIES,
        "retries: %s (expected: 0 to %s)",
        retries,
        MAX_RETRIES);
    requireNonNull(retryOn, "retryOn is null");
    requireNonNull(preemptionRetries, "preemptionRetries is null");
    requireNonNull(borrow, "borrow is null");
  }

  /**
   * From SIGTERM to SIGKILL, whoever stops the attempt: min(30 s, grace / 2) (quota-semantics 6.1).
   *
   * @param graceMillis from the request to stop to SIGKILL
   */
  public static long termGraceMillis(long graceMillis) {
    return Math.min(TERM_GRACE_MAX_MILLIS, graceMillis / 2);
  }
}
