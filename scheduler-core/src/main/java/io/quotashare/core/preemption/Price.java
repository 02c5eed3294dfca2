package io.quotashare.core.preemption;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Checkpoint;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Queue;
import java.util.OptionalLong;

/** What stopping an attempt costs. */
public final class Price {
  private Price() {}

  /**
   * Price of stopping an attempt now (quota-semantics 4.5 iii): devices x (lost + save + restart).
   */
  public static long deviceMillis(Queue queue, Job job, Attempt attempt, long nowMillis) {
    OptionalLong save = job.timings().saveP95Millis();
    long grace = Math.min(job.spec().graceMillis(), queue.maxGraceMillis());
    boolean savesInTime =
        job.spec().onDemandCheckpoint() && save.isPresent() && save.getAsLong() <= grace;
    long lost =
        savesInTime
            ? save.getAsLong()
            : Math.min(lostMillis(attempt, nowMillis), queue.lostWorkCapMillis());
    long restart = job.timings().startupMillis().orElse(queue.restartCostMillis());
    return attempt.heldGpus() * (lost + restart);
  }

  private static long lostMillis(Attempt attempt, long nowMillis) {
    Checkpoint checkpoint = attempt.progress().checkpoint();
    long since = attempt.scheduledAtMillis();
    if (checkpoint != null) {
      since = Math.max(since, checkpoint.stateAtMillis());
    }
    return Math.max(0, nowMillis - since);
  }
}
