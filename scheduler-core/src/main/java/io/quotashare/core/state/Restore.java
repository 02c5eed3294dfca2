package io.quotashare.core.state;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Waiting;
import io.quotashare.core.model.WaitingReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    state.territory().settled(occupied(sorted));
    for (Change row : sorted) {
      put(row);
    }
    state.territory().settled(Map.of());
    state.nodes().values().forEach(state.territory()::place);
    // What is possible could not be told before all devices were back.
    state.queues().keySet().forEach(state.lines()::refileAll);
    state.pools().values().forEach(this::showFronts);
    sorted.forEach(this::restoreMeter);
    state.pools().values().forEach(state::closeBooks);
    state.pools().values().forEach(state.lines()::takeUnexplained);
    state.jobs().values().forEach(this::explainAfterRecovery);
    state.recorder().drain();
  }

  /** Queues of the nodes whose devices attempts hold. */
  private static Map<String, String> occupied(List<Change> rows) {
    Map<String, String> queueByNode = new HashMap<>();
    for (Change row : rows) {
      if (row instanceof Change.AttemptPut put) {
        for (Part part : put.attempt().parts()) {
          if (!part.phase().isFree()) {
            queueByNode.put(part.node(), put.attempt().share().queue());
          }
        }
      }
    }
    return queueByNode;
  }

  /** Nothing was decided about the job: its reason is to be found once that is over. */
  private void explainAfterRecovery(Job job) {
    Waiting waiting = job.waiting();
    if (waiting != null && waiting.reason() == WaitingReason.RECOVERING) {
      state.lines().explainLater(state.poolOf(job), job.key());
    }
  }

  /** The front jobs were shown as such before. */
  private void showFronts(Pool pool) {
    for (ShareState share : pool.shares().values()) {
      for (ShareState.Turn turn : share.line()) {
        if (hasReasonOfFront(state.job(turn.job()))) {
          share.showFront(turn.job());
        }
      }
    }
  }

  /** Whether it waits for something that is looked at for front jobs only. */
  private static boolean hasReasonOfFront(Job job) {
    Waiting waiting = job.waiting();
    return waiting != null
        && (waiting.reason() == WaitingReason.OBSERVE_ONLY
            || waiting.reason().compareTo(WaitingReason.BEHIND_FRONT_JOB) > 0);
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
    } else if (row instanceof Change.ObservationPut put) {
      state.observations().restore(put.observation());
    } else if (row instanceof Change.PausePut put) {
      state.putPause(put.pause());
    } else if (row instanceof Change.CountersPut put) {
      state.restoreCounters(put);
    }
  }

  /** Meters come last: they count from their own instant on, with everything where it was. */
  private void restoreMeter(Change row) {
    if (row instanceof Change.PoolMeterPut put) {
      state.pool(put.meter().pool()).meter().restore(put.meter());
    } else if (row instanceof Change.ShareMeterPut put) {
      state.restoreMeter(put.meter());
    }
  }

  private void restore(Attempt attempt) {
    if (attempt.state() == AttemptState.ENDED) {
      state.restoreEnded(attempt);
    } else {
      Pool pool = state.pool(attempt.pool());
      for (Part part : attempt.parts()) {
        // Where a part is free already, its node may have gone to another queue.
        if (!part.phase().isFree()) {
          pool.ensureNode(state.nodes().get(part.node()));
        }
      }
      state.putAttempt(attempt);
      // A victim was filed before its attempt was known, so whether it queues again must be looked
      // at once more.
      state.putJob(state.job(attempt.key().job()));
    }
  }
}
