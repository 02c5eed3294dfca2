package io.quotashare.server.agents;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Part;
import io.quotashare.server.engine.EngineListener;
import io.quotashare.server.engine.EngineQueue;
import io.quotashare.server.engine.Restored;
import io.quotashare.server.engine.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timers of nodes (reliability A3): silence makes a node suspect; much longer silence proves
 * that its attempts have stopped themselves. A new leader grants every node the full time from its
 * own start. A node is lost once its last attempt is; an attempt that never stops itself keeps its
 * node from being lost.
 */
public final class NodeLeases implements EngineListener {
  private static final Logger log = LoggerFactory.getLogger(NodeLeases.class);
  private static final long MAX_CHECK_MILLIS = 250;

  private final LeasePolicy policy;
  private final EngineQueue queue;
  private final Map<String, Lease> leases = new ConcurrentSkipListMap<>();
  private final long checkNanos;
  private volatile boolean heardAgain;
  private long nextCheckNanos;
  private boolean started;

  public NodeLeases(LeasePolicy policy, EngineQueue queue) {
    this.policy = requireNonNull(policy, "policy is null");
    this.queue = requireNonNull(queue, "queue is null");
    long millis = Math.min(MAX_CHECK_MILLIS, Math.max(1, policy.suspectAfterMillis() / 10));
    this.checkNanos = millis * 1_000_000;
  }

  @Override
  public void started(Restored restored) {
    for (Node node : restored.scheduler().nodes()) {
      if (node.liveness() != Node.Liveness.LOST) {
        leases.put(node.name(), new Lease(restored.nowNanos()));
      }
    }
    nextCheckNanos = restored.nowNanos() + checkNanos;
    started = true;
  }

  @Override
  public void rebuilt(Scheduler scheduler) {
    for (Node node : scheduler.nodes()) {
      Lease lease = leases.get(node.name());
      if (lease != null) {
        lease.silent(node.liveness() == Node.Liveness.SUSPECT);
      } else if (node.liveness() != Node.Liveness.LOST) {
        // It was to be lost, which did not become durable: it gets the whole time again.
        leases.put(node.name(), new Lease(nextCheckNanos));
      }
    }
  }

  /** An agent registers; on the engine's thread. */
  Lease registered(String node, long nowNanos) {
    Lease lease = new Lease(nowNanos);
    leases.put(node, lease);
    return lease;
  }

  /**
   * An agent was heard within its session; from any thread.
   *
   * @return false if its lease is over, so that it must register again
   */
  boolean heard(Lease lease, long nowNanos) {
    if (!lease.heard(nowNanos)) {
      return false;
    }
    if (lease.isSilent()) {
      heardAgain = true;
      queue.wake();
    }
    return true;
  }

  /** When the agent of a node was last heard by this scheduler; empty if never. */
  public OptionalLong heardNanos(String node) {
    Lease lease = leases.get(node);
    return lease == null ? OptionalLong.empty() : OptionalLong.of(lease.heardNanos());
  }

  /** Whether the agent of a node has been silent for long enough to be suspect. */
  public boolean isSilent(String node, long nowNanos) {
    Lease lease = leases.get(node);
    return lease == null || nowNanos - lease.heardNanos() >= nanos(policy.suspectAfterMillis());
  }

  /** An operator says that nothing runs on the node any more; on the engine's thread. */
  public void fence(String node, Step step) {
    Lease lease = leases.remove(node);
    if (lease != null) {
      lease.end();
    }
    step.scheduler().nodeLost(node, "fenced by an operator", step.nowMillis());
  }

  @Override
  public OptionalLong nextNanos() {
    return started
        ? OptionalLong.of(heardAgain ? nextCheckNanos - checkNanos : nextCheckNanos)
        : OptionalLong.empty();
  }

  @Override
  public void begin(Step step) {
    if (step.nowNanos() - nextCheckNanos < 0 && !heardAgain) {
      return;
    }
    heardAgain = false;
    nextCheckNanos = step.nowNanos() + checkNanos;
    List<String> silent = new ArrayList<>();
    leases.forEach(
        (node, lease) -> {
          check(node, lease, step);
          if (lease.isSilent()) {
            silent.add(node);
          }
        });
    if (!silent.isEmpty()) {
      Map<String, List<Attempt>> attempts = liveAttempts(step.scheduler());
      for (String node : silent) {
        expire(node, attempts.getOrDefault(node, List.of()), step);
      }
    }
  }

  private void check(String node, Lease lease, Step step) {
    boolean silent = step.nowNanos() - lease.heardNanos() >= nanos(policy.suspectAfterMillis());
    if (silent == lease.isSilent()) {
      return;
    }
    lease.silent(silent);
    if (silent) {
      log.warn("node {} is silent: nothing is placed there", node);
      step.scheduler().nodeSilent(node, step.nowMillis());
    } else {
      log.info("node {} is heard again", node);
      step.scheduler().nodeHeard(node, step.nowMillis());
    }
  }

  /**
   * Ends what has certainly ended on a silent node, and the node with the last of it. Attempts of
   * jobs that are never given up keep their devices; the node is gone all the same.
   */
  private void expire(String node, List<Attempt> attempts, Step step) {
    Lease lease = requireNonNull(leases.get(node), "lease is null");
    long seen = lease.heardNanos();
    long silentMillis = (step.nowNanos() - seen) / 1_000_000;
    boolean someRun = false;
    boolean someWaitForEver = false;
    for (Attempt attempt : attempts) {
      OptionalLong fenced = fencedAfter(attempt, step.scheduler());
      if (fenced.isEmpty()) {
        someWaitForEver = true;
      } else if (silentMillis >= fenced.getAsLong()) {
        log.warn("attempt {} on the silent node {} is over", attempt.key(), node);
        step.scheduler().attemptLost(attempt.key(), node, words(silentMillis), step.nowMillis());
      } else {
        someRun = true;
      }
    }
    if (!someRun && silentMillis >= policy.fencedAfterMillis() && lease.expire(seen)) {
      log.warn("node {} is lost: {}", node, words(silentMillis));
      leases.remove(node, lease);
      if (someWaitForEver) {
        step.scheduler().nodeGone(node, step.nowMillis());
      } else {
        step.scheduler().nodeLost(node, words(silentMillis), step.nowMillis());
      }
    }
  }

  private OptionalLong fencedAfter(Attempt attempt, Scheduler scheduler) {
    AttemptKey key = attempt.key();
    Optional<Job> job = scheduler.job(key.job());
    return job.isEmpty()
        ? OptionalLong.empty()
        : policy.fencedAfterMillis(job.get().spec().lostAfter(), job.get().spec().graceMillis());
  }

  private static Map<String, List<Attempt>> liveAttempts(Scheduler scheduler) {
    Map<String, List<Attempt>> byNode = new HashMap<>();
    for (Attempt attempt : scheduler.liveAttempts()) {
      for (Part part : attempt.parts()) {
        if (!part.phase().isFree()) {
          byNode.computeIfAbsent(part.node(), n -> new ArrayList<>()).add(attempt);
        }
      }
    }
    return byNode;
  }

  private static String words(long silentMillis) {
    return "its node was silent for " + silentMillis / 1000 + " s";
  }

  private static long nanos(long millis) {
    return millis * 1_000_000;
  }

  /** The lease of a node; null if it has none. For tests. */
  @Nullable Lease lease(String node) {
    return leases.get(node);
  }
}
