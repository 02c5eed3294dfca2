package io.quotashare.server.retention;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Change;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.UsageSample;
import java.util.TreeSet;

/**
 * Takes the samples of the usage ledger, and thins the older ones out: to full hours, to midnights,
 * to none. Samples are sums, so what a removed one told is told by its neighbours. Engine's thread
 * only.
 */
final class UsageRetention {
  /** A sample and until when it is kept. */
  private record Kept(long untilMillis, long atMillis, PoolKey pool) implements Comparable<Kept> {
    @Override
    public int compareTo(Kept other) {
      int order = Long.compare(untilMillis, other.untilMillis);
      if (order == 0) {
        order = Long.compare(atMillis, other.atMillis);
      }
      return order != 0 ? order : pool.compareTo(other.pool);
    }
  }

  private final RetentionLimits limits;
  private final TreeSet<Kept> kept = new TreeSet<>();

  /** The last aligned instant that was looked at, and the last that is durable. */
  private long sampledMillis;

  private long durableMillis;

  UsageRetention(RetentionLimits limits) {
    this.limits = requireNonNull(limits, "limits is null");
  }

  /** A row became durable. */
  void take(Change change) {
    if (change instanceof Change.UsageSamplePut put) {
      UsageSample sample = put.sample();
      kept.add(kept(sample.pool(), sample.atMillis()));
      sampledMillis = Math.max(sampledMillis, sample.atMillis());
    } else if (change instanceof Change.UsageSampleRemoved removed) {
      kept.remove(kept(removed.pool(), removed.atMillis()));
    }
  }

  private Kept kept(PoolKey pool, long atMillis) {
    return new Kept(limits.sampleUntilMillis(atMillis), atMillis, pool);
  }

  /** When the next sample is due. */
  long nextSampleMillis() {
    return sampledMillis + limits.sampleIntervalMillis();
  }

  /**
   * Samples the newest aligned instant if that was not done. To be called before anything happens
   * at the time of the step: up to then nothing has changed since the step before, so the accounts
   * are known for every instant in between.
   */
  void sample(Scheduler scheduler, long nowMillis) {
    long instant = nowMillis - nowMillis % limits.sampleIntervalMillis();
    if (instant > sampledMillis) {
      scheduler.usageLedger().sample(instant);
      sampledMillis = instant;
    }
  }

  /** When a sample is to be removed; {@link Long#MAX_VALUE} if there is none. */
  long dueMillis() {
    return kept.isEmpty() ? Long.MAX_VALUE : kept.first().untilMillis();
  }

  /** Removes what is due, at most so many rows; returns how many. */
  int remove(Scheduler scheduler, long nowMillis, int maxRows) {
    int rows = 0;
    for (Kept sample : kept) {
      if (rows == maxRows || sample.untilMillis() > nowMillis) {
        break;
      }
      scheduler.usageLedger().removeSample(sample.pool(), sample.atMillis());
      rows++;
    }
    return rows;
  }

  void committed() {
    durableMillis = sampledMillis;
  }

  void rebuilt() {
    sampledMillis = durableMillis;
  }
}
