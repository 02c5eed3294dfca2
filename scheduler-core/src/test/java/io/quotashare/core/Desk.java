package io.quotashare.core;

import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Progress;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import io.quotashare.core.model.Unassigned;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** A scheduler with one queue {@code q}, for tests that speak in jobs and shares. */
final class Desk {
  private static final String UNIT = "H100";

  private final List<Change> changes = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private final List<JobEvent> events = new ArrayList<>();
  private final Map<AttemptKey, Long> versions = new LinkedHashMap<>();
  private Scheduler scheduler = new Scheduler();
  private long now = 1_000_000;

  Scheduler scheduler() {
    return scheduler;
  }

  long now() {
    return now;
  }

  void advance(long millis) {
    now += millis;
  }

  /** Decides, and keeps what came of all steps. */
  void decide() {
    scheduler.decide(now);
    Batch batch = scheduler.drain();
    changes.addAll(batch.changes());
    effects.addAll(batch.effects());
    events.addAll(batch.events());
  }

  /** Restores another scheduler from the newest rows, as a restart does. */
  void restart() {
    scheduler = Scheduler.restore(newestRows());
  }

  private List<Change> newestRows() {
    Map<Object, Change> rows = new LinkedHashMap<>();
    for (Change change : changes) {
      if (change instanceof Change.ObservationRemoved removed) {
        rows.remove("observation " + removed.id());
      } else if (change instanceof Change.PlanRemoved removed) {
        rows.remove("plan " + removed.planId());
      } else if (change instanceof Change.PauseRemoved) {
        rows.remove("pause");
      } else if (!(change instanceof Change.HoldRemoved)) {
        rows.put(keyOf(change), change);
      }
    }
    return List.copyOf(rows.values());
  }

  private static Object keyOf(Change change) {
    if (change instanceof Change.JobPut put) {
      return put.job().key();
    } else if (change instanceof Change.AttemptPut put) {
      return put.attempt().key();
    } else if (change instanceof Change.PlanPut put) {
      return "plan " + put.plan().id();
    } else if (change instanceof Change.ObservationPut put) {
      return "observation " + put.observation().id();
    } else if (change instanceof Change.PausePut) {
      return "pause";
    } else if (change instanceof Change.QueuePut || change instanceof Change.CountersPut) {
      return change.getClass();
    } else if (change instanceof Change.SharePut put) {
      return put.share().key();
    } else if (change instanceof Change.NodePut put) {
      return put.node().name();
    } else if (change instanceof Change.PoolMeterPut put) {
      return put.meter().pool();
    } else if (change instanceof Change.ShareMeterPut put) {
      return List.of("meter", put.meter().share());
    }
    return change;
  }

  /** All rows of a kind that were recorded so far, old versions included. */
  <C extends Change> List<C> changes(Class<C> type) {
    return changes.stream().filter(type::isInstance).map(type::cast).toList();
  }

  List<Effect> effects() {
    return effects;
  }

  List<JobEvent> events() {
    return events;
  }

  void queue(PreemptionMode mode) {
    Queue queue =
        new Queue(
            "q",
            AdminState.ENABLED,
            new TreeMap<>(),
            IdleAssignment.FIFO,
            Unassigned.BORROWABLE,
            Queue.DEFAULT_MAX_GRACE_MILLIS,
            Queue.DEFAULT_LOST_WORK_CAP_MILLIS,
            Queue.DEFAULT_RESTART_COST_MILLIS,
            List.of(),
            mode);
    scheduler.applyPolicy(
        new Policy(List.of(new Policy.QueuePolicy(queue, List.of()))), false, now);
  }

  /** A share that lends all and borrows without a limit. */
  void share(String name, int capacity, boolean inShare) {
    scheduler.putShare(shareOf(name, capacity, inShare, AdminState.ENABLED), false, now);
  }

  void disable(String name) {
    scheduler.putShare(shareOf(name, 4, true, AdminState.DISABLED), false, now);
  }

  /** The same share with another capacity; what it uses above that is to stop now. */
  void shareDrained(String name, int capacity) {
    QuotaShare reserve =
        new QuotaShare(
            new ShareKey("q", name),
            new TreeMap<>(Map.of(UNIT, capacity)),
            Strategy.RESERVE,
            new Limit.Percent(0),
            new Limit.Percent(0),
            true,
            Ordering.STRICT,
            1,
            0,
            AdminState.ENABLED);
    scheduler.putShare(reserve, true, now);
  }

  private static QuotaShare shareOf(String name, int capacity, boolean inShare, AdminState state) {
    return new QuotaShare(
        new ShareKey("q", name),
        new TreeMap<>(Map.of(UNIT, capacity)),
        Strategy.LEND_AND_BORROW,
        new Limit.Percent(-1),
        new Limit.Percent(100),
        inShare,
        Ordering.STRICT,
        1,
        0,
        state);
  }

  void node(String name, int gpus) {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < gpus; i++) {
      devices.add(new Device(name + "-" + i, i, UNIT, UNIT, 1, true, "", false));
    }
    Node.AgentInfo agent = new Node.AgentInfo("1", "boot", "", "", "", "", "");
    scheduler.registerNode(new NodeReport(name, new TreeMap<>(), devices, agent), Set.of(), now);
  }

  JobKey key(String id) {
    return new JobKey("q", id);
  }

  /** Submits a job of one node, and decides. */
  void submit(String id, String share, int gpus, int priority) {
    submit(id, share, gpus, priority, OptionalLong.empty());
  }

  void submit(String id, String share, int gpus, int priority, OptionalLong timeLimitMillis) {
    JobSpec spec =
        new JobSpec(
            share,
            "",
            new Shape(1, gpus),
            UNIT,
            Launch.NOTHING,
            new TreeMap<>(),
            timeLimitMillis,
            JobSpec.DEFAULT_GRACE_MILLIS,
            new JobSpec.LostAfter.Default(),
            OptionalLong.empty(),
            false,
            0,
            new RetryOn.Any(),
            OptionalInt.empty(),
            BorrowMode.ALLOWED,
            false);
    scheduler.submit(key(id), spec, priority, now);
    decide();
  }

  void hold(String id) {
    scheduler.hold(key(id), now);
  }

  void release(String id) {
    scheduler.release(key(id), now);
  }

  Job job(String id) {
    return scheduler.job(key(id)).orElseThrow();
  }

  Attempt attempt(String id) {
    return scheduler.attempt(job(id).newestAttempt()).orElseThrow();
  }

  Explanation explain(String id) {
    return scheduler.explain(key(id), now);
  }

  /** All parts of the job's attempt run. */
  void run(String id) {
    report(id, PartPhase.RUNNING, OptionalInt.empty());
  }

  /** The job's attempt has ended well and its devices are free. */
  void end(String id) {
    report(id, PartPhase.FREE, OptionalInt.of(0));
  }

  private void report(String id, PartPhase phase, OptionalInt exitCode) {
    Attempt attempt = attempt(id);
    long version = versions.merge(attempt.key(), 1L, Long::sum);
    for (Part part : attempt.parts()) {
      scheduler.report(
          new PartReport(
              attempt.key(),
              part.rank(),
              version,
              phase,
              exitCode,
              OptionalInt.empty(),
              false,
              "",
              Progress.NONE),
          now);
    }
  }
}
