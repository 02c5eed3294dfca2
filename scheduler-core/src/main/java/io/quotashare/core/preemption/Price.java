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
    long lost =
        savesInTime(queue, job)
            ? job.timings().saveP95Millis().orElseThrow()
            : Math.min(lostMillis(attempt, nowMillis), queue.lostWorkCapMillis());
    long restart = job.timings().startupMillis().orElse(queue.restartCostMillis());
    return attempt.heldGpus() * (lost + restart);
  }

  /**
   * Work that an attempt would lose if it were stopped now: since its newest durable checkpoint, or
   * its start; nothing if it is known to save in time.
   */
  public static long lostDeviceMillis(Queue queue, Job job, Attempt attempt, long nowMillis) {
    return savesInTime(queue, job) ? 0 : attempt.heldGpus() * lostMillis(attempt, nowMillis);
  }

  private static boolean savesInTime(Queue queue, Job job) {
    OptionalLong save = job.timings().saveP95Millis();
    long grace = Math.min(job.spec().graceMillis(), queue.maxGraceMillis());
    return job.spec().onDemandCheckpoint() && save.isPresent() && save.getAsLong() <= grace;
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
