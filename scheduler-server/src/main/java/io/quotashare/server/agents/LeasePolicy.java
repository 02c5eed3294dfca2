package io.quotashare.server.agents;

import static io.quotashare.core.model.Check.checkArgument;

import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.JobSpec.LostAfter;
import java.util.OptionalLong;

/**
 * When a silent node is suspect, and when its attempts are over (reliability A3).
 *
 * @param suspectAfterMillis silence after which nothing new is placed on a node, 1 or more
 * @param lostAfterMillis default silence after which an attempt stops itself, 1 or more
 * @param driftPercent how much faster or slower an agent's clock may run, 0 to 100
 * @param marginMillis time on top, 0 or more
 */
public record LeasePolicy(
    long suspectAfterMillis, long lostAfterMillis, int driftPercent, long marginMillis) {
  /** The defaults. */
  public static final LeasePolicy DEFAULT = new LeasePolicy(10_000, 300_000, 5, 10_000);

  public LeasePolicy {
    checkArgument(
        suspectAfterMillis >= 1, "suspectAfterMillis: %s (expected: >= 1)", suspectAfterMillis);
    checkArgument(lostAfterMillis >= 1, "lostAfterMillis: %s (expected: >= 1)", lostAfterMillis);
    checkArgument(
        driftPercent >= 0 && driftPercent <= 100,
        "driftPercent: %s (expected: 0 to 100)",
        driftPercent);
    checkArgument(marginMillis >= 0, "marginMillis: %s (expected: >= 0)", marginMillis);
  }

  /** Silence after which an attempt stops itself; empty if it never does. */
  public OptionalLong lostAfterMillis(LostAfter lostAfter) {
    if (lostAfter instanceof LostAfter.Never) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        lostAfter instanceof LostAfter.After after ? after.millis() : lostAfterMillis);
  }

  /**
   * Silence after which nothing of an attempt runs any more, by the scheduler's clock; empty if
   * silence proves nothing. Its supervisor sends SIGKILL the job's own time after the end of the
   * lease, which no setting of the scheduler can shorten.
   *
   * @param graceMillis of the job
   */
  public OptionalLong fencedAfterMillis(LostAfter lostAfter, long graceMillis) {
    OptionalLong own = lostAfterMillis(lostAfter);
    return own.isEmpty()
        ? own
        : OptionalLong.of(fenced(own.getAsLong()) + JobSpec.termGraceMillis(graceMillis));
  }

  /** Silence after which a node is lost on which no attempt runs. */
  public long fencedAfterMillis() {
    return fenced(lostAfterMillis);
  }

  private long fenced(long millis) {
    long drift = (millis * driftPercent + 99) / 100;
    return millis + drift + marginMillis;
  }
}
