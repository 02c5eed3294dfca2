package io.quotashare.core.property;

import io.quotashare.core.Change;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** What the rows say at one instant: the checker's own picture of the scheduler. */
final class Mirror {
  final SortedMap<String, Queue> queues = new TreeMap<>();
  final SortedMap<ShareKey, QuotaShare> shares = new TreeMap<>();
  final SortedMap<String, Node> nodes = new TreeMap<>();
  final SortedMap<JobKey, Job> jobs = new TreeMap<>();
  final SortedMap<AttemptKey, Attempt> live = new TreeMap<>();
  final SortedMap<Long, Plan> plans = new TreeMap<>();
  final SortedMap<PoolKey, Hold> holds = new TreeMap<>();

  final SortedMap<Long, Observation> observations = new TreeMap<>();

  private final Map<Object, Object> known = new HashMap<>();

  /** Works something out of the rows once, until the next row. */
  @SuppressWarnings("unchecked") // Every key stands for one question with one type of answer.
  <T> T once(Object key, Supplier<T> question) {
    Object answer = known.get(key);
    if (answer == null) {
      answer = question.get();
      known.put(key, answer);
    }
    return (T) answer;
  }

  /** The same picture, which later rows do not change. */
  Mirror copy() {
    Mirror copy = new Mirror();
    copy.queues.putAll(queues);
    copy.shares.putAll(shares);
    copy.nodes.putAll(nodes);
    copy.jobs.putAll(jobs);
    copy.live.putAll(live);
    copy.plans.putAll(plans);
    copy.holds.putAll(holds);
    copy.observations.putAll(observations);
    return copy;
  }

  void apply(Change row) {
    known.clear();
    if (row instanceof Change.QueuePut put) {
      queues.put(put.queue().name(), put.queue());
      queues.values().removeIf(queue -> queue.state() == AdminState.REMOVED);
    } else if (row instanceof Change.ShareRemoved removed) {
      shares.remove(removed.share());
    } else if (row instanceof Change.SharePut put) {
      shares.put(put.share().key(), put.share());
    } else if (row instanceof Change.NodePut put) {
      nodes.put(put.node().name(), put.node());
    } else if (row instanceof Change.JobPut put) {
      jobs.put(put.job().key(), put.job());
    } else if (row instanceof Change.AttemptPut put) {
      apply(put.attempt());
    } else if (row instanceof Change.PlanPut put) {
      plans.put(put.plan().id(), put.plan());
    } else if (row instanceof Change.PlanRemoved removed) {
      plans.remove(removed.planId());
    } else if (row instanceof Change.HoldPut put) {
      holds.put(put.hold().pool(), put.hold());
    } else if (row instanceof Change.HoldRemoved removed) {
      holds.remove(removed.pool());
    } else if (row instanceof Change.ObservationPut put) {
      observations.put(put.observation().id(), put.observation());
    } else if (row instanceof Change.ObservationRemoved removed) {
      observations.remove(removed.id());
    }
  }

  /** Whether the queue of a pool stops nobody by decision. */
  boolean observesOnly(String queue) {
    return queues.get(queue).observesOnly();
  }

  /** Whom its queue would stop for a job; empty if there is no such note. */
  Optional<Observation> observationFor(JobKey job) {
    return observations.values().stream().filter(o -> job.equals(o.beneficiary())).findFirst();
  }

  private void apply(Attempt attempt) {
    if (attempt.state() == AttemptState.ENDED) {
      live.remove(attempt.key());
    } else {
      live.put(attempt.key(), attempt);
    }
  }

  /** Every queue with every unit that a share of it limits, a node of it has or a job asks for. */
  SortedSet<PoolKey> pools() {
    return once("pools", this::allPools);
  }

  private SortedSet<PoolKey> allPools() {
    TreeSet<PoolKey> pools = new TreeSet<>();
    shares.values().forEach(s -> s.capacity().keySet().forEach(u -> pools.add(pool(s, u))));
    jobs.values().forEach(job -> pools.add(job.pool()));
    for (Node node : nodes.values()) {
      queueOf(node)
          .ifPresent(q -> node.devices().forEach(d -> pools.add(new PoolKey(q, d.unit()))));
    }
    return pools;
  }

  private static PoolKey pool(QuotaShare share, String unit) {
    return new PoolKey(share.key().queue(), unit);
  }

  /**
   * Queue of a node: that of the attempts that hold devices of it, else the one that selects it,
   * else the one that takes the rest.
   */
  Optional<String> queueOf(Node node) {
    Map<String, String> occupied = once("occupied", this::occupied);
    if (occupied.containsKey(node.name())) {
      return Optional.of(occupied.get(node.name()));
    }
    return chosenQueueOf(node);
  }

  /** Queue that a node goes to once no attempt holds a device of it. */
  Optional<String> chosenQueueOf(Node node) {
    Optional<String> rest = Optional.empty();
    for (Queue queue : queues.values()) {
      if (queue.state() == AdminState.REMOVING) {
        continue;
      }
      boolean empty = queue.nodeSelector().isEmpty();
      if (!empty && node.labels().entrySet().containsAll(queue.nodeSelector().entrySet())) {
        return Optional.of(queue.name());
      }
      rest = empty && rest.isEmpty() ? Optional.of(queue.name()) : rest;
    }
    return rest;
  }

  private Map<String, String> occupied() {
    Map<String, String> queues = new HashMap<>();
    for (Attempt attempt : live.values()) {
      for (Part part : attempt.parts()) {
        if (!part.phase().isFree()) {
          queues.put(part.node(), attempt.share().queue());
        }
      }
    }
    return queues;
  }

  /** Shares of a pool's queue, by name. */
  List<QuotaShare> sharesOf(PoolKey pool) {
    return shares.values().stream().filter(s -> s.key().queue().equals(pool.queue())).toList();
  }

  /** Attempts that hold devices of a pool. */
  List<Attempt> liveIn(PoolKey pool) {
    return once(
        List.of("live", pool),
        () -> live.values().stream().filter(a -> a.pool().equals(pool)).toList());
  }

  /** Plans of a pool. */
  List<Plan> plansIn(PoolKey pool) {
    return plans.values().stream().filter(p -> p.pool().equals(pool)).toList();
  }

  Optional<Plan> planFor(JobKey job) {
    return plans.values().stream().filter(p -> p.beneficiary().equals(job)).findFirst();
  }

  Optional<Attempt> liveOf(JobKey job) {
    return Optional.ofNullable(once("liveOf", this::liveByJob).get(job));
  }

  private Map<JobKey, Attempt> liveByJob() {
    Map<JobKey, Attempt> byJob = new HashMap<>();
    live.values().forEach(attempt -> byJob.put(attempt.key().job(), attempt));
    return byJob;
  }

  /** Devices of a unit as the agent of a node reports them. */
  static List<Device> devices(Node node, String unit) {
    List<Device> devices = new ArrayList<>();
    node.devices().stream().filter(d -> d.unit().equals(unit)).forEach(devices::add);
    return devices;
  }
}
