package io.quotashare.core.state;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.Effect;
import io.quotashare.core.JobEvent;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.JobKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Collects what came of the steps since the last batch: the newest row of every key, effects,
 * events.
 */
public final class Recorder {
  private final Map<Object, Change> changes = new LinkedHashMap<>();
  private final Map<AttemptKey, Effect> effects = new LinkedHashMap<>();
  private final List<JobEvent> events = new ArrayList<>();
  private Consumer<Change> observer = change -> {};

  /**
   * Shows every row as it is recorded, also those that later ones of the same key replace, so that
   * a check can judge each decision against the state before it.
   */
  public void observe(Consumer<Change> newObserver) {
    observer = requireNonNull(newObserver, "newObserver is null");
  }

  /** Records a row; it replaces an earlier one of the same key. */
  public void change(Change change) {
    changes.put(key(change), change);
    observer.accept(change);
  }

  /** Whether the job is removed by what was recorded. */
  boolean removes(JobKey job) {
    return changes.get(new RowKey("job", job)) instanceof Change.JobRemoved;
  }

  /** Records a message to agents; the newest of an attempt says all. */
  public void effect(AttemptKey attempt, Effect effect) {
    effects.remove(attempt);
    effects.put(attempt, effect);
  }

  /** Records an event. */
  public void event(JobEvent event) {
    events.add(event);
  }

  /** Whether anything was recorded. */
  public boolean isEmpty() {
    return changes.isEmpty() && effects.isEmpty() && events.isEmpty();
  }

  /** Takes everything out. */
  public Batch drain() {
    Batch batch = new Batch(List.copyOf(changes.values()), List.copyOf(effects.values()), events);
    changes.clear();
    effects.clear();
    events.clear();
    return batch;
  }

  /** The row that a change writes or removes. */
  private record RowKey(String table, Object id) {}

  private static RowKey key(Change change) {
    if (change instanceof Change.QueuePut put) {
      return new RowKey("queue", put.queue().name());
    } else if (change instanceof Change.SharePut put) {
      return new RowKey("share", put.share().key());
    } else if (change instanceof Change.ShareRemoved removed) {
      return new RowKey("share", removed.share());
    } else if (change instanceof Change.NodePut put) {
      return new RowKey("node", put.node().name());
    } else if (change instanceof Change.JobPut put) {
      return new RowKey("job", put.job().key());
    } else if (change instanceof Change.AttemptPut put) {
      return new RowKey("attempt", put.attempt().key());
    } else if (change instanceof Change.JobRemoved removed) {
      return new RowKey("job", removed.job());
    } else if (change instanceof Change.AttemptRemoved removed) {
      return new RowKey("attempt", removed.attempt());
    } else if (change instanceof Change.PreemptionRemoved removed) {
      return new RowKey("preemption", removed.victim());
    } else if (change instanceof Change.ObservedPreemptionRemoved removed) {
      return new RowKey("observedPreemption", List.of(removed.decision(), removed.victim()));
    } else if (change instanceof Change.UsageSamplePut put) {
      return new RowKey("usageSample", List.of(put.sample().pool(), put.sample().atMillis()));
    } else if (change instanceof Change.UsageSampleRemoved removed) {
      return new RowKey("usageSample", List.of(removed.pool(), removed.atMillis()));
    } else if (change instanceof Change.PlanPut put) {
      return new RowKey("plan", put.plan().id());
    } else if (change instanceof Change.PlanRemoved removed) {
      return new RowKey("plan", removed.planId());
    } else if (change instanceof Change.HoldPut put) {
      return new RowKey("hold", put.hold().pool());
    } else if (change instanceof Change.HoldRemoved removed) {
      return new RowKey("hold", removed.pool());
    } else if (change instanceof Change.PreemptionPut put) {
      return new RowKey("preemption", put.preemption().victim());
    } else if (change instanceof Change.ObservedPreemptionPut put) {
      return new RowKey(
          "observedPreemption", List.of(put.preemption().decision(), put.preemption().victim()));
    } else if (change instanceof Change.ObservationPut put) {
      return new RowKey("observation", put.observation().id());
    } else if (change instanceof Change.ObservationRemoved removed) {
      return new RowKey("observation", removed.id());
    } else if (change instanceof Change.PausePut || change instanceof Change.PauseRemoved) {
      return new RowKey("pause", "");
    } else if (change instanceof Change.PoolMeterPut put) {
      return new RowKey("poolMeter", put.meter().pool());
    } else if (change instanceof Change.ShareMeterPut put) {
      return new RowKey("shareMeter", List.of(put.meter().share(), put.meter().unit()));
    } else if (change instanceof Change.CountersPut) {
      return new RowKey("counters", "");
    }
    throw new IllegalArgumentException("unknown change: " + change);
  }
}
