package io.quotashare.core;

import io.quotashare.core.decide.DecisionPass;
import io.quotashare.core.decide.LoanVictims;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.Pause;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.model.WaitingReason;
import io.quotashare.core.state.Archive;
import io.quotashare.core.state.Copying;
import io.quotashare.core.state.IndexCheck;
import io.quotashare.core.state.NodeSlots;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.Restore;
import io.quotashare.core.state.State;
import io.quotashare.core.steps.Commands;
import io.quotashare.core.steps.Endings;
import io.quotashare.core.steps.JobSteps;
import io.quotashare.core.steps.Moves;
import io.quotashare.core.steps.NodeSteps;
import io.quotashare.core.steps.PolicySteps;
import io.quotashare.core.steps.RemovalSteps;
import io.quotashare.core.steps.Reports;
import io.quotashare.core.steps.Steering;
import io.quotashare.core.steps.UsageSteps;
import io.quotashare.core.view.Explainer;
import io.quotashare.core.view.Views;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * All state of the scheduler and every decision about it. Owned by one thread.
 *
 * <p>Usage: any number of steps (submit, report, ...), then {@link #decide}, then {@link #drain}:
 * what comes out is to be committed, and only then told to callers, agents and watchers. Time is a
 * value that never goes back: milliseconds since the epoch, by a clock that no step of the wall
 * clock moves. A step that throws {@link RejectedException} has changed nothing.
 */
public final class Scheduler {
  private final State state = new State();
  private final Moves moves = new Moves(state);
  private final Endings endings = new Endings(state, moves);
  private final Reports reports = new Reports(state, moves, endings);
  private final JobSteps jobSteps = new JobSteps(state, moves);
  private final Steering steering = new Steering(state, moves);
  private final Commands commands = new Commands(state, reports);
  private final RemovalSteps removals = new RemovalSteps(state, steering);
  private final PolicySteps policies = new PolicySteps(state, moves, removals);
  private final NodeSteps nodeSteps = new NodeSteps(state, moves, reports);
  private final UsageSteps usageSteps = new UsageSteps(state);
  private final DecisionPass pass = new DecisionPass(state, moves);
  private final LoanVictims loanVictims = new LoanVictims(state, moves);
  private final Views views = new Views(state);
  private final Explainer explainer = new Explainer(state);
  private final Map<PoolKey, Long> wakes = new TreeMap<>();
  private long wakeMillis = Long.MAX_VALUE;
  private boolean recovering;

  /** Nothing known yet. */
  public Scheduler() {}

  /** The state that the rows describe: for every key the row that was written last. */
  public static Scheduler restore(Iterable<Change> rows) {
    Scheduler scheduler = new Scheduler();
    new Restore(scheduler.state).take(rows);
    return scheduler;
  }

  /** All that decisions depend on, to try something without consequences. */
  public SchedulerCopy copy() {
    return new SchedulerCopy(Copying.rows(state), recovering);
  }

  // Policy

  /** What {@link #applyPolicy} would do. */
  public Policy.Diff previewPolicy(Policy policy) {
    return policies.preview(policy);
  }

  /**
   * Makes and changes queues and shares, all or nothing; {@code drainNow} as in quota-semantics
   * 9.1.
   */
  public Policy.Diff applyPolicy(Policy policy, boolean drainNow, long nowMillis) {
    state.at(nowMillis);
    return policies.apply(policy, drainNow);
  }

  /** Throws what {@link #putShare} would throw. */
  public void checkShare(ShareKey share) {
    policies.checkShare(share);
  }

  /** Makes or changes one share of an existing queue. */
  public void putShare(QuotaShare share, boolean drainNow, long nowMillis) {
    state.at(nowMillis);
    policies.putShare(share, drainNow);
  }

  /** What {@link #removeShare} would do; throws what it would throw. */
  public Removal previewRemoval(ShareKey share) {
    return removals.preview(share);
  }

  /**
   * Removes a disabled share: cancels what waits, stops what runs. It accepts nothing from now on,
   * and is gone when the last of its attempts has ended; its ended jobs and accounts stay.
   */
  public Removal removeShare(ShareKey share, long nowMillis) {
    state.at(nowMillis);
    return removals.remove(share);
  }

  // Jobs

  /** The unit itself, or the only unit of the queue if it is empty. */
  public String resolveUnit(String queue, String unit) {
    return jobSteps.resolveUnit(queue, unit);
  }

  /**
   * The shape that {@code gpus} devices stand for (scenario-format: one node if they fit the
   * largest ever seen).
   */
  public Shape resolveShape(String queue, String unit, int gpus) {
    return jobSteps.resolveShape(queue, unit, gpus);
  }

  /** Throws what {@link #submit} would throw. */
  public void checkSubmit(JobKey key, JobSpec spec, int priority) {
    jobSteps.check(key, spec, priority);
  }

  /** Accepts a job. */
  public Job submit(JobKey key, JobSpec spec, int priority, long nowMillis) {
    state.at(nowMillis);
    return jobSteps.submit(key, spec, priority);
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
    state.at(nowMillis);
    return jobSteps.adopt(
        key, spec, priority, devicesByNode, startedAtMillis, lastCheckpointMillis);
  }

  /** Changes the priority of a job that has not ended. */
  public Job setPriority(JobKey key, int priority, long nowMillis) {
    state.at(nowMillis);
    return steering.setPriority(key, priority);
  }

  /**
   * Cancels a job: at once if it waits, by the stop ladder if it holds devices; nothing if it has
   * ended or ends anyway.
   */
  public Job cancel(JobKey key, String reason, long nowMillis) {
    state.at(nowMillis);
    return steering.cancel(key, reason);
  }

  /** Holds a waiting job back. */
  public Job hold(JobKey key, long nowMillis) {
    state.at(nowMillis);
    return steering.setHeld(key, true);
  }

  /** Ends {@link #hold}. */
  public Job release(JobKey key, long nowMillis) {
    state.at(nowMillis);
    return steering.setHeld(key, false);
  }

  /** Whether {@link #cancel} would change what becomes of the job. */
  public boolean isCancellable(Job job) {
    return steering.isCancellable(job);
  }

  /** Stops the attempt of a job, checkpoint first, and lets the job wait again; on request. */
  public Job requeue(JobKey key, boolean hold, String reason, long nowMillis) {
    state.at(nowMillis);
    return steering.requeue(key, hold, reason);
  }

  /** Asks the attempt of a running job to save and go on. */
  public Attempt checkpoint(JobKey key, long nowMillis) {
    state.at(nowMillis);
    return steering.checkpoint(key);
  }

  // Nodes and attempts

  /**
   * An agent registered. Attempts that the scheduler believes on the node, were started there and
   * are not among {@code known}, or belong to an earlier boot of the host, are over (reliability
   * A3).
   */
  public void registerNode(NodeReport report, Set<AttemptKey> known, long nowMillis) {
    state.at(nowMillis);
    nodeSteps.register(report, known);
  }

  /** The inventory of a registered node changed. */
  public void updateNode(NodeReport report, long nowMillis) {
    state.at(nowMillis);
    nodeSteps.update(report);
  }

  /** An operator wants a node open, cordoned or draining. */
  public void orderNode(String name, Node.Order order, long nowMillis) {
    state.at(nowMillis);
    nodeSteps.order(name, order);
  }

  /** The agent of a node was not heard for {@code suspectAfter}. */
  public void nodeSilent(String name, long nowMillis) {
    state.at(nowMillis);
    nodeSteps.silent(name);
  }

  /** The agent of a silent node is heard again within its session. */
  public void nodeHeard(String name, long nowMillis) {
    state.at(nowMillis);
    nodeSteps.heard(name);
  }

  /**
   * Nothing runs on the node any more: its lease and the fencing time have passed, or an operator
   * fenced it.
   */
  public void nodeLost(String name, String detail, long nowMillis) {
    state.at(nowMillis);
    nodeSteps.lost(name, detail);
  }

  /**
   * A silent node's lease and the fencing time have passed, but attempts of jobs that are never
   * given up may still run there: they keep their devices, and nothing else counts on the node.
   */
  public void nodeGone(String name, long nowMillis) {
    state.at(nowMillis);
    nodeSteps.gone(name);
  }

  /** The lease of one attempt on a silent node has passed, fencing time included. */
  public void attemptLost(AttemptKey attempt, String node, String detail, long nowMillis) {
    state.at(nowMillis);
    reports.lost(attempt, node, detail);
  }

  /** An agent said something about an attempt. Ignored if it is older than what is known. */
  public void report(PartReport report, long nowMillis) {
    state.at(nowMillis);
    reports.take(report);
  }

  // What is kept for how long

  /** Ended jobs. */
  public Archive archive() {
    return state.archive();
  }

  /** The usage ledger over time. */
  public UsageSteps usageLedger() {
    return usageSteps;
  }

  // Deciding

  /**
   * Decides nothing until {@link #resume}: nothing is started or stopped but by time limits and
   * acts of people. What runs, and what was told to stop, goes on. Pausing again changes the
   * reason.
   *
   * @param reason shown to those who wait; may be empty
   */
  public void pause(String reason, long nowMillis) {
    state.at(nowMillis);
    Pause before = state.pause();
    state.putPause(new Pause(reason, before == null ? state.now() : before.sinceMillis()));
  }

  /** Ends {@link #pause}; nothing if scheduling is not paused. */
  public void resume(long nowMillis) {
    state.at(nowMillis);
    state.putPause(null);
  }

  /** Why scheduling is paused; empty if it is not. */
  public Optional<Pause> paused() {
    return Optional.ofNullable(state.pause());
  }

  /** Holds all decisions back while a new leader waits for its agents (RECOVERING). */
  public void recovering(boolean value) {
    recovering = value;
    state.pools().values().forEach(state::askFor);
  }

  /**
   * Does what time demands and starts, plans and stops whatever the rules say, until nothing is
   * left to decide.
   */
  public void decide(long nowMillis) {
    state.at(nowMillis);
    enforceTimeLimits();
    removals.finish();
    if (nowMillis >= wakeMillis) {
      wakes.forEach((pool, due) -> wake(pool, due));
    }
    while (state.isDirty()) {
      for (Pool pool : state.takeDirty()) {
        decide(pool);
      }
    }
    wakeMillis = wakes.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
  }

  private void wake(PoolKey pool, long dueMillis) {
    if (dueMillis <= state.now()) {
      state.touch(state.pools().get(pool));
    }
  }

  private void decide(Pool pool) {
    Pause pause = state.pause();
    if (pause != null) {
      pass.holdBack(pool, WaitingReason.SCHEDULING_PAUSED, words(pause));
      wakes.remove(pool.key());
    } else if (recovering) {
      pass.holdBack(pool, WaitingReason.RECOVERING, "a new leader waits for its agents");
      wakes.remove(pool.key());
    } else {
      wakes.put(pool.key(), pass.decide(pool));
    }
    state.closeBooks(pool);
    state.settled(pool);
  }

  private static String words(Pause pause) {
    return pause.reason().isEmpty()
        ? "an operator paused scheduling"
        : "an operator paused scheduling: " + pause.reason();
  }

  private void enforceTimeLimits() {
    while (!state.deadlines().isEmpty() && state.deadlines().first().atMillis() <= state.now()) {
      Attempt attempt = state.live().get(state.deadlines().first().attempt());
      moves.stop(
          attempt, Moves.Decision.of(StopCause.TIME_LIMIT, "ran longer than its time limit"));
    }
  }

  /** When {@link #decide} is next due although nothing happens; empty if never. */
  public OptionalLong nextWakeMillis() {
    long next = wakeMillis;
    if (!state.deadlines().isEmpty()) {
      next = Math.min(next, state.deadlines().first().atMillis());
    }
    return next == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(next);
  }

  /** What came of the steps since the last call. */
  public Batch drain() {
    return state.recorder().drain();
  }

  /**
   * What a node's agent should have been told by now, derived from the state. Repeating it does no
   * harm.
   */
  public List<Effect> effectsFor(String node) {
    return commands.of(node);
  }

  /**
   * Shows every row as it is recorded, in the order of the decisions; a batch carries only the
   * newest of each key. For checks of single decisions.
   */
  void observe(Consumer<Change> observer) {
    state.recorder().observe(observer);
  }

  /** What is wrong with the indexes, if they are built anew; for tests. */
  List<String> indexFaults() {
    return IndexCheck.faults(state);
  }

  // Reading

  public Collection<Queue> queues() {
    return Collections.unmodifiableCollection(state.queues().values());
  }

  public Collection<QuotaShare> shares(String queue) {
    return state.sharesOf(queue);
  }

  public Optional<QuotaShare> share(ShareKey key) {
    return Optional.ofNullable(state.shares().get(key));
  }

  public Optional<Job> job(JobKey key) {
    return state.archive().job(key);
  }

  /** The attempt, if it is the newest of its job. */
  public Optional<Attempt> attempt(AttemptKey key) {
    return state.newestAttempt(key.job()).filter(attempt -> attempt.key().equals(key));
  }

  /** Jobs that have not ended, and those whose end {@link #archive} has not forgotten, by key. */
  public Collection<Job> jobs() {
    return Collections.unmodifiableCollection(new TreeMap<>(state.jobs()).values());
  }

  /** How many jobs have not ended. */
  public int unfinishedJobs() {
    return state.jobs().size() - state.archive().inMemory();
  }

  /** Attempts that hold devices, by key. */
  public Collection<Attempt> liveAttempts() {
    return Collections.unmodifiableCollection(new TreeMap<>(state.live()).values());
  }

  public Collection<Node> nodes() {
    return Collections.unmodifiableCollection(state.nodes().values());
  }

  /** Queue that a node belongs to; empty if none selects it. */
  public Optional<String> queueOf(String node) {
    return state.queueOf(node);
  }

  /** Attempt that holds a device; empty if none. */
  public Optional<AttemptKey> holder(String node, String deviceUuid) {
    for (Pool pool : state.poolsOf(state.queueOf(node).orElse(""))) {
      NodeSlots slots = pool.nodes().get(node);
      Optional<AttemptKey> holder = slots == null ? Optional.empty() : slots.holder(deviceUuid);
      if (holder.isPresent()) {
        return holder;
      }
    }
    return Optional.empty();
  }

  /** The newest preemption of every job that has not ended, by job. */
  public Collection<Preemption> preemptions() {
    return state.preemptions();
  }

  /** Whom queues that only observe would stop for their waiting jobs, oldest first. */
  public Collection<Observation> observations() {
    return state.observations().all();
  }

  public QueueView view(String queue) {
    return views.queue(queue);
  }

  /** A share with what it uses; empty if there is none. */
  public Optional<QueueView.ShareView> view(ShareKey share) {
    return share(share).map(views::share);
  }

  /**
   * Whom a job of the lender that asked for all devices of a loan now would stop, cheapest first;
   * empty if nobody, as where the devices are nobody's.
   */
  public List<LoanVictim> wouldStop(String queue, QueueView.LoanView loan, long nowMillis) {
    state.at(nowMillis);
    return loanVictims.of(queue, loan);
  }

  /** Devices of a unit that a share uses above its limit, as planned. */
  int plannedAbove(ShareKey share, String unit) {
    return state.pool(new PoolKey(share.queue(), unit)).planned().above(share);
  }

  /** The plan that waits for devices for a job. */
  Optional<Plan> planFor(JobKey job) {
    return state.planFor(job);
  }

  public UsageReport usage(String queue, long nowMillis) {
    state.at(nowMillis);
    return views.usage(queue);
  }

  public Explanation explain(JobKey key, long nowMillis) {
    state.at(nowMillis);
    return explainer.explain(key);
  }
}
