package io.quotashare.core;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * All state of the scheduler and every decision about it. Owned by one thread.
 *
 * <p>Usage: any number of steps (submit, report, ...), then {@link #decide}, then {@link #drain}:
 * what comes out is to be committed, and only then told to callers, agents and watchers. Time is a
 * value that never goes back: milliseconds since the epoch, by a clock that no step of the wall
 * clock moves. A step that throws {@link RejectedException} has changed nothing.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Scheduler {
  /** Nothing known yet. */
  public Scheduler() {}

  /** The state that the rows describe: for every key the row that was written last. */
  public static Scheduler restore(Iterable<Change> rows) {
    throw new UnsupportedOperationException();
  }

  // Policy

  /** What {@link #applyPolicy} would do. */
  public Policy.Diff previewPolicy(Policy policy) {
    throw new UnsupportedOperationException();
  }

  /**
   * Makes and changes queues and shares, all or nothing; {@code drainNow} as in quota-semantics
   * 9.1.
   */
  public Policy.Diff applyPolicy(Policy policy, boolean drainNow, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /** Makes or changes one share of an existing queue. */
  public void putShare(QuotaShare share, boolean drainNow, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  // Jobs

  /** The unit itself, or the only unit of the queue if it is empty. */
  public String resolveUnit(String queue, String unit) {
    throw new UnsupportedOperationException();
  }

  /**
   * The shape that {@code gpus} devices stand for (scenario-format: one node if they fit the
   * largest ever seen).
   */
  public Shape resolveShape(String queue, String unit, int gpus) {
    throw new UnsupportedOperationException();
  }

  /** Throws what {@link #submit} would throw. */
  public void checkSubmit(JobKey key, JobSpec spec, int priority) {
    throw new UnsupportedOperationException();
  }

  /** Accepts a job. */
  public Job submit(JobKey key, JobSpec spec, int priority, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /**
   * Takes over a job that already runs, for replays that begin in the middle of things.
   *
   * @param devicesByNode devices that it holds on each node, which must be registered and have them
   *     free
   * @param startedAtMillis when its attempt was placed and ran
   * @param lastCheckpointMillis when the state of its newest durable checkpoint was captured
   */
  public Job adoptRunning(
      JobKey key,
      JobSpec spec,
      int priority,
      Map<String, Integer> devicesByNode,
      long startedAtMillis,
      OptionalLong lastCheckpointMillis,
      long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /** Changes the priority of a job that has not ended. */
  public Job setPriority(JobKey key, int priority, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /**
   * Cancels a job: at once if it waits, by the stop ladder if it holds devices; nothing if it has
   * ended.
   */
  public Job cancel(JobKey key, String reason, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /** Holds a waiting job back. */
  public Job hold(JobKey key, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /** Ends {@link #hold}. */
  public Job release(JobKey key, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  // Nodes and attempts

  /**
   * An agent registered. Attempts that the scheduler believes on the node, were started there and
   * are not among {@code known}, or belong to an earlier boot of the host, are over (reliability
   * A3).
   */
  public void registerNode(NodeReport report, Set<AttemptKey> known, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /** The inventory of a registered node changed. */
  public void updateNode(NodeReport report, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /** An operator wants a node open, cordoned or draining. */
  public void orderNode(String name, Node.Order order, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /** The agent of a node was not heard for {@code suspectAfter}. */
  public void nodeSilent(String name, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /** The agent of a silent node is heard again within its session. */
  public void nodeHeard(String name, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /**
   * Nothing runs on the node any more: its lease and the fencing time have passed, or an operator
   * fenced it.
   */
  public void nodeLost(String name, String detail, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /** The lease of one attempt on a silent node has passed, fencing time included. */
  public void attemptLost(AttemptKey attempt, String node, String detail, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /** An agent said something about an attempt. Ignored if it is older than what is known. */
  public void report(PartReport report, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  // Deciding

  /** Holds all decisions back while a new leader waits for its agents (RECOVERING). */
  public void recovering(boolean value) {
    throw new UnsupportedOperationException();
  }

  /**
   * Does what time demands and starts, plans and stops whatever the rules say, until nothing is
   * left to decide.
   */
  public void decide(long nowMillis) {
    throw new UnsupportedOperationException();
  }

  /** When {@link #decide} is next due although nothing happens; empty if never. */
  public OptionalLong nextWakeMillis() {
    throw new UnsupportedOperationException();
  }

  /** What came of the steps since the last call. */
  public Batch drain() {
    throw new UnsupportedOperationException();
  }

  /**
   * What a node's agent should have been told by now, derived from the state. Repeating it does no
   * harm.
   */
  public List<Effect> effectsFor(String node) {
    throw new UnsupportedOperationException();
  }

  // Reading

  public Collection<Queue> queues() {
    throw new UnsupportedOperationException();
  }

  public Collection<QuotaShare> shares(String queue) {
    throw new UnsupportedOperationException();
  }

  public Optional<QuotaShare> share(ShareKey key) {
    throw new UnsupportedOperationException();
  }

  public Optional<Job> job(JobKey key) {
    throw new UnsupportedOperationException();
  }

  public Optional<Attempt> attempt(AttemptKey key) {
    throw new UnsupportedOperationException();
  }

  /** Attempts of a job that still hold devices, and its newest. */
  public Collection<Job> jobs() {
    throw new UnsupportedOperationException();
  }

  public Collection<Attempt> liveAttempts() {
    throw new UnsupportedOperationException();
  }

  public Collection<Node> nodes() {
    throw new UnsupportedOperationException();
  }

  /** Queue that a node belongs to; empty if none selects it. */
  public Optional<String> queueOf(String node) {
    throw new UnsupportedOperationException();
  }

  /** Attempt that holds a device; empty if none. */
  public Optional<AttemptKey> holder(String node, String deviceUuid) {
    throw new UnsupportedOperationException();
  }

  public Collection<Preemption> preemptions() {
    throw new UnsupportedOperationException();
  }

  public QueueView view(String queue) {
    throw new UnsupportedOperationException();
  }

  public UsageReport usage(String queue, long nowMillis) {
    throw new UnsupportedOperationException();
  }

  public Explanation explain(JobKey key, long nowMillis) {
    throw new UnsupportedOperationException();
  }
}
