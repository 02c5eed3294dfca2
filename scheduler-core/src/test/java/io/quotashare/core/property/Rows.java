package io.quotashare.core.property;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.EndedJobs;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows that were written last for every key: what a store would hold. */
final class Rows implements EndedJobs {
  private final Map<Object, Change> rows = new LinkedHashMap<>();

  void take(List<Change> changes) {
    for (Change change : changes) {
      if (change instanceof Change.PlanRemoved removed) {
        rows.remove(List.of("plan", removed.planId()));
      } else if (change instanceof Change.HoldRemoved removed) {
        rows.remove(List.of("hold", removed.pool()));
      } else if (change instanceof Change.ObservationRemoved removed) {
        rows.remove(List.of("observation", removed.id()));
      } else if (change instanceof Change.ShareRemoved removed) {
        rows.remove(List.of("share", removed.share()));
      } else {
        rows.put(key(change), change);
      }
    }
  }

  private static Object key(Change change) {
    if (change instanceof Change.QueuePut put) {
      return List.of("queue", put.queue().name());
    } else if (change instanceof Change.SharePut put) {
      return List.of("share", put.share().key());
    } else if (change instanceof Change.NodePut put) {
      return List.of("node", put.node().name());
    } else if (change instanceof Change.JobPut put) {
      return List.of("job", put.job().key());
    } else if (change instanceof Change.AttemptPut put) {
      return List.of("attempt", put.attempt().key());
    } else if (change instanceof Change.PlanPut put) {
      return List.of("plan", put.plan().id());
    } else if (change instanceof Change.HoldPut put) {
      return List.of("hold", put.hold().pool());
    } else if (change instanceof Change.PreemptionPut put) {
      return List.of("preemption", put.preemption().victim());
    } else if (change instanceof Change.ObservationPut put) {
      return List.of("observation", put.observation().id());
    } else if (change instanceof Change.ObservedPreemptionPut put) {
      return List.of("observed", put.preemption().decision(), put.preemption().victim());
    } else if (change instanceof Change.PoolMeterPut put) {
      return List.of("poolMeter", put.meter().pool());
    } else if (change instanceof Change.ShareMeterPut put) {
      return List.of("shareMeter", put.meter().share(), put.meter().unit());
    }
    return List.of(change.getClass().getSimpleName());
  }

  @Override
  public Optional<Ended> find(JobKey key) {
    if (!(rows.get(List.of("job", key)) instanceof Change.JobPut put)
        || !put.job().state().isTerminal()) {
      return Optional.empty();
    }
    Job job = put.job();
    Change newest = job.attempts() == 0 ? null : rows.get(List.of("attempt", job.newestAttempt()));
    Attempt attempt = newest instanceof Change.AttemptPut found ? found.attempt() : null;
    return Optional.of(new Ended(job, attempt));
  }

  @Override
  public String rule() {
    return "";
  }

  List<Change> all() {
    return List.copyOf(rows.values());
  }

  /** Where one batch first says something else than another. */
  static String difference(Batch batch, Batch expected) {
    List<Object> said = lines(batch);
    List<Object> wanted = lines(expected);
    for (int i = 0; i < Math.max(said.size(), wanted.size()); i++) {
      Object one = i < said.size() ? said.get(i) : "nothing";
      Object other = i < wanted.size() ? wanted.get(i) : "nothing";
      if (!one.equals(other)) {
        return String.format("line %d: %s%n  (expected)%n%s", i, one, other);
      }
    }
    return "nothing else";
  }

  private static List<Object> lines(Batch batch) {
    List<Object> lines = new ArrayList<>(batch.changes());
    lines.addAll(batch.effects());
    lines.addAll(batch.events());
    return lines;
  }
}
