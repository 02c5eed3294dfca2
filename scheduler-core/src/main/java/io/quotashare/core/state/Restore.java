package io.quotashare.core.state;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Puts rows back into an empty state, in the order in which they depend on each other. */
public final class Restore {
  private final State state;

  public Restore(State state) {
    this.state = state;
  }

  /** Takes all rows; what is recorded meanwhile is dropped, since it is what the rows say. */
  public void take(Iterable<Change> rows) {
    List<Change> sorted = new ArrayList<>();
    rows.forEach(sorted::add);
    state.at(newestInstant(sorted));
    sorted.sort(Comparator.comparingInt(Restore::rank));
    for (Change row : sorted) {
      put(row);
    }
    state.pools().values().forEach(state::closeBooks);
    state.pools().values().forEach(state.lines()::takeUnexplained);
    state.recorder().drain();
  }

  /** The meters say up to when everything is accounted for: time goes on from there. */
  private static long newestInstant(List<Change> rows) {
    long newest = 0;
    for (Change row : rows) {
      if (row instanceof Change.PoolMeterPut put) {
        newest = Math.max(newest, put.meter().untilMillis());
      } else if (row instanceof Change.JobPut put) {
        newest = Math.max(newest, put.job().submittedAtMillis());
      }
    }
    return newest;
  }

  private static int rank(Change row) {
    if (row instanceof Change.QueuePut) {
      return 0;
    } else if (row instanceof Change.SharePut) {
      return 1;
    } else if (row instanceof Change.NodePut) {
      return 2;
    } else if (row instanceof Change.JobPut) {
      return 3;
    } else if (row instanceof Change.AttemptPut) {
      return 4;
    }
    return 5;
  }

  private void put(Change row) {
    if (row instanceof Change.QueuePut put) {
      state.putQueue(put.queue());
    } else if (row instanceof Change.SharePut put) {
      state.putShare(put.share());
    } else if (row instanceof Change.NodePut put) {
      state.putNode(put.node());
    } else if (row instanceof Change.JobPut put) {
      state.putJob(put.job());
    } else if (row instanceof Change.AttemptPut put) {
      restore(put.attempt());
    } else if (row instanceof Change.PlanPut put) {
      state.putPlan(put.plan());
    } else if (row instanceof Change.HoldPut put) {
      state.putHold(state.pool(put.hold().pool()), put.hold());
    } else if (row instanceof Change.PreemptionPut put) {
      state.restorePreemption(put.preemption());
    } else if (row instanceof Change.PoolMeterPut put) {
      state.pool(put.meter().pool()).meter().restore(put.meter());
    } else if (row instanceof Change.ShareMeterPut put) {
      state.restoreMeter(put.meter());
    } else if (row instanceof Change.CountersPut put) {
      state.restoreCounters(put);
    }
  }

  private void restore(Attempt attempt) {
    if (attempt.state() == AttemptState.ENDED) {
      state.restoreEnded(attempt);
    } else {
      state.putAttempt(attempt);
      // A victim was filed before its attempt was known, so whether it queues again must be looked
      // at once more.
      state.putJob(state.job(attempt.key().job()));
    }
  }
}
