package io.quotashare.server.retention;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Change;
import io.quotashare.core.EndedJobs;
import io.quotashare.core.Scheduler;
import io.quotashare.server.engine.Commit;
import io.quotashare.server.engine.EngineClock;
import io.quotashare.server.engine.EngineListener;
import io.quotashare.server.engine.Restored;
import io.quotashare.server.engine.Step;
import io.quotashare.server.store.StateStore;
import java.util.OptionalLong;

/**
 * Keeps the state bounded: lets the scheduler forget ended jobs once their end is durable, and
 * removes what is kept no longer. It works in slices, each a bounded number of rows inside a batch
 * of the engine, so that nobody waits for it; whatever a crash leaves undone is still due
 * afterwards. Engine's thread only.
 */
public final class Housekeeper implements EngineListener {
  /** Rows that one batch removes at most. */
  static final int SLICE_ROWS = 500;

  /** Between two slices while more is due. */
  static final long PACE_MILLIS = 50;

  /** Between two slices otherwise: what falls due meanwhile goes together. */
  static final long REST_MILLIS = 10_000;

  private final StateStore store;
  private final EndedJobs endedJobs;
  private final EngineClock clock;
  private final JobRetention jobs;
  private final ObservedRetention observed;
  private final UsageRetention usage;
  private long lastSliceMillis;

  /**
   * @param endedJobs where the scheduler finds ended jobs that it forgot
   */
  public Housekeeper(
      StateStore store, EndedJobs endedJobs, EngineClock clock, RetentionLimits limits) {
    this.store = requireNonNull(store, "store is null");
    this.endedJobs = requireNonNull(endedJobs, "endedJobs is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.jobs = new JobRetention(limits);
    this.observed = new ObservedRetention(limits);
    this.usage = new UsageRetention(limits);
  }

  @Override
  public void started(Restored restored) {
    restored.rows().forEach(this::take);
    usage.committed();
    lastSliceMillis = restored.nowMillis();
    forget(restored.scheduler());
  }

  @Override
  public void rebuilt(Scheduler scheduler) {
    jobs.forgetStep();
    observed.forgetStep();
    usage.rebuilt();
    forget(scheduler);
  }

  private void forget(Scheduler scheduler) {
    scheduler.archive().keptBy(endedJobs);
    scheduler.archive().forget();
  }

  private void take(Change change) {
    jobs.take(change);
    observed.take(change);
    usage.take(change);
  }

  @Override
  public void begin(Step step) {
    long now = step.nowMillis();
    usage.sample(step.scheduler(), now);
    if (now < nextSliceMillis()) {
      return;
    }
    lastSliceMillis = now;
    int rows = jobs.remove(step.scheduler().archive(), now, SLICE_ROWS);
    rows += observed.remove(step.scheduler().archive(), now, SLICE_ROWS - rows);
    usage.remove(step.scheduler(), now, SLICE_ROWS - rows);
    if (storeDueMillis() <= now) {
      step.commitInAnyCase();
    }
  }

  @Override
  public void committed(Commit commit) {
    jobs.committed();
    observed.committed();
    commit.batch().changes().forEach(this::take);
    usage.committed();
    commit.scheduler().archive().forget();
  }

  @Override
  public OptionalLong nextNanos() {
    long next = Math.min(nextSliceMillis(), usage.nextSampleMillis());
    return OptionalLong.of(clock.nanosAt(next));
  }

  private long nextSliceMillis() {
    long ofRows = Math.min(Math.min(jobs.dueMillis(), observed.dueMillis()), usage.dueMillis());
    long due = Math.min(ofRows, storeDueMillis());
    return due <= lastSliceMillis
        ? lastSliceMillis + PACE_MILLIS
        : Math.max(due, lastSliceMillis + REST_MILLIS);
  }

  private long storeDueMillis() {
    return store.nextRemovalMillis().orElse(Long.MAX_VALUE);
  }

  /** Ended jobs that are kept. */
  int endedJobs() {
    return jobs.size();
  }
}
