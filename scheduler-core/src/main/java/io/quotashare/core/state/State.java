package io.quotashare.core.state;

import static io.quotashare.core.model.Check.checkState;

import io.quotashare.core.Change;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Pause;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.ShareMeter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All rows, and the pools with their ledgers and indexes. Every change goes through a {@code put}
 * or {@code remove} here, which keeps the indexes true, records the row, and brings the meter of
 * the pool up to the instant first.
 */
public final class State {
  /**
   * When an attempt reaches its time limit.
   *
   * @param atMillis instant
   * @param attempt the attempt
   */
  public record Deadline(long atMillis, AttemptKey attempt) implements Comparable<Deadline> {
    @Override
    public int compareTo(Deadline other) {
      int byTime = Long.compare(atMillis, other.atMillis);
      return byTime != 0 ? byTime : attempt.compareTo(other.attempt);
    }
  }

  private final SortedMap<String, Queue> queues = new TreeMap<>();

  /** Queues that are gone; jobs that have ended and accounts refer to them. */
  private final Map<String, Queue> removedQueues = new HashMap<>();

  private final SortedMap<ShareKey, QuotaShare> shares = new TreeMap<>();
  private final SortedSet<String> leavingQueues = new TreeSet<>();
  private final SortedSet<ShareKey> leavingShares = new TreeSet<>();
  private final SortedMap<String, Node> nodes = new TreeMap<>();
  private final Territory territory = new Territory(this);
  private final Lines lines = new Lines(this);
  private final Archive archive = new Archive(this);
  private final Map<JobKey, Job> jobs = new HashMap<>();
  private final Map<AttemptKey, Attempt> live = new HashMap<>();
  private final Map<JobKey, Attempt> newest = new HashMap<>();
  private final SortedMap<Long, Plan> plans = new TreeMap<>();
  private final Map<JobKey, Plan> planOf = new HashMap<>();
  private final Map<JobKey, Preemption> lastPreemption = new HashMap<>();
  private final Observations observations = new Observations(this);
  private final SortedMap<PoolKey, Pool> pools = new TreeMap<>();
  private final SortedSet<PoolKey> dirty = new TreeSet<>();
  private final NavigableSet<Deadline> deadlines = new TreeSet<>();
  private final Recorder recorder = new Recorder();
  private @Nullable Pause pause;
  private long nextSequence = 1;
  private long nextPlanId = 1;
  private long futilePreemptions;
  private long nowMillis;

  // Time and records

  /** Moves to an instant; time never goes back. */
  public void at(long millis) {
    nowMillis = Math.max(nowMillis, millis);
  }

  public long now() {
    return nowMillis;
  }

  public Recorder recorder() {
    return recorder;
  }

  /** Takes the pools in which something changed since the last call. */
  public List<Pool> takeDirty() {
    List<Pool> result = new ArrayList<>();
    for (PoolKey key : dirty) {
      result.add(pools.get(key));
    }
    dirty.clear();
    return result;
  }

  /** Whether a decision is due somewhere. */
  public boolean isDirty() {
    return !dirty.isEmpty();
  }

  /** Says that a pool has been decided about. */
  public void settled(Pool pool) {
    dirty.remove(pool.key());
  }

  /** Asks for a decision about a pool in which something is about to change. */
  public void touch(Pool pool) {
    pool.meter().advance(nowMillis);
    askFor(pool);
  }

  /** Asks for a decision about a pool in which nothing changes. */
  public void askFor(Pool pool) {
    dirty.add(pool.key());
  }

  // Queues, shares, pools

  public SortedMap<String, Queue> queues() {
    return queues;
  }

  public SortedMap<ShareKey, QuotaShare> shares() {
    return shares;
  }

  /** Shares of one queue, by name. */
  public List<QuotaShare> sharesOf(String queue) {
    return List.copyOf(
        shares.subMap(new ShareKey(queue, ""), new ShareKey(queue + "\0", "")).values());
  }

  public SortedMap<PoolKey, Pool> pools() {
    return pools;
  }

  /** Pools of one queue, by unit. */
  public List<Pool> poolsOf(String queue) {
    return List.copyOf(
        pools.subMap(new PoolKey(queue, ""), new PoolKey(queue + "\0", "")).values());
  }

  /** The pool; made if there is none yet. */
  public Pool pool(PoolKey key) {
    Pool known = pools.get(key);
    if (known != null) {
      return known;
    }
    Pool pool = poolOrEmpty(key);
    pools.put(key, pool);
    touch(pool);
    return pool;
  }

  /**
   * The pool, or one like it that nothing is in and that is not kept: whether a pool was made
   * before must not change what is asked of it.
   */
  public Pool poolOrEmpty(PoolKey key) {
    Pool known = pools.get(key);
    if (known != null) {
      return known;
    }
    Queue queue = queues.get(key.queue());
    Pool pool = new Pool(key, queue == null ? removedQueues.get(key.queue()) : queue);
    for (QuotaShare share : sharesOf(key.queue())) {
      pool.configure(share, null);
    }
    return pool;
  }

  /** Makes or changes a queue; one that is {@link AdminState#REMOVED} is gone afterwards. */
  public void putQueue(Queue queue) {
    boolean gone = queue.state() == AdminState.REMOVED;
    checkState(!gone || sharesOf(queue.name()).isEmpty(), "%s is removed and has shares", queue);
    (gone ? queues : removedQueues).remove(queue.name());
    (gone ? removedQueues : queues).put(queue.name(), queue);
    mark(leavingQueues, queue.name(), queue.state() == AdminState.REMOVING);
    for (Pool pool : poolsOf(queue.name())) {
      touch(pool);
      pool.configure(queue);
    }
    recorder.change(new Change.QueuePut(queue));
    for (Node node : List.copyOf(nodes.values())) {
      territory.place(node);
    }
    // Its nodes may have come from other queues, or gone to them.
    queues.keySet().forEach(lines::refileAll);
    if (!queue.observesOnly()) {
      observations.endAll(queue.name());
    }
  }

  private static <K> void mark(Set<K> set, K key, boolean in) {
    if (in) {
      set.add(key);
    } else {
      set.remove(key);
    }
  }

  public void putShare(QuotaShare share) {
    QuotaShare before = shares.put(share.key(), share);
    mark(leavingShares, share.key(), share.state().isLeaving());
    for (Pool pool : poolsOf(share.key().queue())) {
      touch(pool);
      pool.configure(share, before);
    }
    for (String unit : share.capacity().keySet()) {
      pool(new PoolKey(share.key().queue(), unit));
    }
    recorder.change(new Change.SharePut(share));
    lines.refileAll(share.key().queue());
  }

  /** Takes a share out that has nothing waiting and nothing running; its accounts stay. */
  public void removeShare(QuotaShare share) {
    for (Pool pool : poolsOf(share.key().queue())) {
      touch(pool);
      pool.remove(share);
    }
    shares.remove(share.key());
    leavingShares.remove(share.key());
    observations.endAll(share.key());
    recorder.change(new Change.ShareRemoved(share.key()));
    lines.refileAll(share.key().queue());
  }

  /** Shares that are on their way out. */
  public SortedSet<ShareKey> leavingShares() {
    return leavingShares;
  }

  /** Queues that are on their way out. */
  public SortedSet<String> leavingQueues() {
    return leavingQueues;
  }

  // Nodes

  public SortedMap<String, Node> nodes() {
    return nodes;
  }

  /** Queue that a node belongs to; empty if none selects it. */
  public Optional<String> queueOf(String node) {
    return territory.queueOf(node);
  }

  public void putNode(Node node) {
    Node before = nodes.put(node.name(), node);
    recorder.change(new Change.NodePut(node));
    String queueBefore = queueOf(node.name()).orElse("");
    territory.place(node);
    boolean sameDevices =
        before != null
            && before.devices().equals(node.devices())
            && before.labels().equals(node.labels());
    if (!sameDevices) {
      lines.refileAll(queueBefore);
      lines.refileAll(queueOf(node.name()).orElse(""));
    }
  }

  // Jobs

  /** Jobs in memory: those that have not ended, and those that the archive has not forgotten. */
  public Map<JobKey, Job> jobs() {
    return jobs;
  }

  /** Ended jobs. */
  public Archive archive() {
    return archive;
  }

  /** The job, which must exist. */
  public Job job(JobKey key) {
    Job job = archive.job(key).orElse(null);
    checkState(job != null, "%s does not exist", key);
    return job;
  }

  void forget(JobKey ended) {
    jobs.remove(ended);
    newest.remove(ended);
  }

  public QuotaShare shareOf(Job job) {
    return shares.get(job.share());
  }

  public Pool poolOf(Job job) {
    return pool(job.pool());
  }

  public long takeSequence() {
    long sequence = nextSequence++;
    recordCounters();
    return sequence;
  }

  public void putJob(Job job) {
    Job before = jobs.put(job.key(), job);
    Pool pool = poolOf(job);
    touch(pool);
    if (before != null) {
      lines.unfile(pool, before);
    }
    lines.file(pool, job);
    ShareState share = pool.share(job.share());
    if (share != null) {
      // Jobs that have ended may be of a share that is gone.
      share.running.put(job);
      pool.changed(share);
    }
    recorder.change(new Change.JobPut(job));
    archive.put(job);
    if (job.state().isTerminal()) {
      lastPreemption.remove(job.key());
    }
    if (!job.state().isWaiting()) {
      observations.end(job);
    }
  }

  Territory territory() {
    return territory;
  }

  public Lines lines() {
    return lines;
  }

  // Attempts

  /** Attempts that hold devices. */
  public Map<AttemptKey, Attempt> live() {
    return live;
  }

  /** Attempts that hold devices of a node, by key. */
  public List<Attempt> attemptsOn(String node) {
    SortedSet<AttemptKey> holders = new TreeSet<>();
    for (Pool pool : poolsOf(queueOf(node).orElse(""))) {
      NodeSlots slots = pool.nodes().get(node);
      if (slots != null) {
        slots.addHolders(holders);
      }
    }
    return holders.stream().map(live::get).toList();
  }

  /** Newest attempt of a job, live or not. */
  public Optional<Attempt> newestAttempt(JobKey job) {
    Attempt attempt = newest.get(job);
    return attempt != null || jobs.containsKey(job)
        ? Optional.ofNullable(attempt)
        : archive.newestAttempt(job);
  }

  /** The live attempt of a job; empty if it has none. */
  public Optional<Attempt> liveAttempt(JobKey job) {
    return newestAttempt(job).filter(attempt -> attempt.state() != AttemptState.ENDED);
  }

  public void putAttempt(Attempt attempt) {
    Attempt before = live.get(attempt.key());
    Pool pool = pool(attempt.pool());
    touch(pool);
    if (before != null) {
      deadline(before).ifPresent(deadlines::remove);
    }
    deadline(attempt).ifPresent(deadlines::add);
    charge(pool, attempt.share(), before, -1);
    moveDevices(pool, before, attempt);
    charge(pool, attempt.share(), attempt, 1);
    newest.put(attempt.key().job(), attempt);
    ShareState share = pool.share(attempt.share());
    pool.changed(share);
    if (attempt.state() == AttemptState.ENDED) {
      live.remove(attempt.key());
      share.running.remove(attempt.key());
      pool.meter().ended(attempt.share(), pool.meter().classesOf(attempt, nowMillis));
    } else {
      live.put(attempt.key(), attempt);
      share.running.put(attempt, job(attempt.key().job()));
    }
    recorder.change(new Change.AttemptPut(attempt));
  }

  private Optional<Deadline> deadline(Attempt attempt) {
    OptionalLong limit = job(attempt.key().job()).spec().timeLimitMillis();
    boolean counts =
        attempt.isPlanned() && attempt.runningAtMillis().isPresent() && limit.isPresent();
    return counts
        ? Optional.of(
            new Deadline(attempt.runningAtMillis().getAsLong() + limit.getAsLong(), attempt.key()))
        : Optional.empty();
  }

  /** Time limits of running attempts, earliest first. */
  public NavigableSet<Deadline> deadlines() {
    return deadlines;
  }

  private static void charge(Pool pool, ShareKey share, @Nullable Attempt attempt, int sign) {
    if (attempt == null || attempt.state() == AttemptState.ENDED) {
      return;
    }
    int gpus = attempt.heldGpus();
    pool.held().charge(share, sign * gpus);
    if (attempt.isPlanned()) {
      pool.planned().charge(share, sign * gpus);
    }
  }

  private void moveDevices(Pool pool, @Nullable Attempt before, Attempt after) {
    for (Part part : after.parts()) {
      boolean heldBefore = before != null && !before.parts().get(part.rank()).phase().isFree();
      boolean heldAfter = !part.phase().isFree();
      boolean leavingBefore = heldBefore && before.state().isLeaving();
      boolean leavingAfter = heldAfter && after.state().isLeaving();
      if (heldAfter && !heldBefore) {
        pool.changeNode(part.node(), slots -> slots.hold(part.devices(), after.key()));
      }
      if (leavingAfter != leavingBefore && heldAfter) {
        pool.changeNode(part.node(), slots -> slots.markLeaving(part.devices(), leavingAfter));
      }
      if (heldBefore && !heldAfter) {
        int total = pool.totalDevices();
        pool.changeNode(part.node(), slots -> slots.release(part.devices(), after.key()));
        territory.settle(pool, part.node(), pool.totalDevices() != total);
      }
    }
  }

  // Plans, holds, preemptions

  public SortedMap<Long, Plan> plans() {
    return plans;
  }

  /** Plans of a pool, in order of decision. */
  public List<Plan> plansOf(PoolKey pool) {
    List<Plan> result = new ArrayList<>();
    for (Plan plan : plans.values()) {
      if (plan.pool().equals(pool)) {
        result.add(plan);
      }
    }
    return result;
  }

  /** The plan whose beneficiary a job is. */
  public Optional<Plan> planFor(JobKey job) {
    return Optional.ofNullable(planOf.get(job));
  }

  public long takePlanId() {
    long id = nextPlanId++;
    recordCounters();
    return id;
  }

  /** Puts a new plan, or the plan of the same id for another job. */
  public void putPlan(Plan plan) {
    if (plans.containsKey(plan.id())) {
      dropPlan(plan.id());
    }
    Pool pool = pool(plan.pool());
    touch(pool);
    plans.put(plan.id(), plan);
    planOf.put(plan.beneficiary(), plan);
    pool.planned().charge(plan.share(), plan.gpus());
    pool.changed(pool.share(plan.share()));
    pool.claim(plan.places(), 1);
    lines.refile(plan.beneficiary());
    recorder.change(new Change.PlanPut(plan));
  }

  public void removePlan(long id) {
    dropPlan(id);
    recorder.change(new Change.PlanRemoved(id));
  }

  private void dropPlan(long id) {
    Plan plan = plans.remove(id);
    checkState(plan != null, "plan %s does not exist", id);
    Pool pool = pool(plan.pool());
    touch(pool);
    planOf.remove(plan.beneficiary());
    pool.planned().charge(plan.share(), -plan.gpus());
    pool.changed(pool.share(plan.share()));
    pool.claim(plan.places(), -1);
    lines.refile(plan.beneficiary());
  }

  public void putHold(Pool pool, @Nullable Hold hold) {
    if (hold == null ? pool.hold().isEmpty() : pool.hold().filter(hold::equals).isPresent()) {
      return;
    }
    touch(pool);
    pool.keep(hold);
    recorder.change(hold == null ? new Change.HoldRemoved(pool.key()) : new Change.HoldPut(hold));
  }

  /** The newest preemption of a job that has not ended. */
  public Optional<Preemption> lastPreemption(JobKey job) {
    return Optional.ofNullable(lastPreemption.get(job));
  }

  public void putPreemption(Preemption preemption) {
    lastPreemption.put(preemption.victim().job(), preemption);
    recorder.change(new Change.PreemptionPut(preemption));
  }

  /** Whom queues that only observe would stop. */
  public Observations observations() {
    return observations;
  }

  /** All newest preemptions of jobs that have not ended. */
  public List<Preemption> preemptions() {
    return List.copyOf(new TreeMap<>(lastPreemption).values());
  }

  public void countFutile() {
    futilePreemptions++;
    recordCounters();
  }

  public long futilePreemptions() {
    return futilePreemptions;
  }

  Change.CountersPut counters() {
    return new Change.CountersPut(nextSequence, nextPlanId, futilePreemptions);
  }

  private void recordCounters() {
    recorder.change(counters());
  }

  /** Records the accounts that moved, and brings the attribution of loans up to date. */
  public void closeBooks(Pool pool) {
    pool.meter().updateLoans(nowMillis);
    if (pool.meter().takeMoved()) {
      recorder.change(new Change.PoolMeterPut(pool.meter().total()));
      pool.meter().takeMovedShares().forEach(m -> recorder.change(new Change.ShareMeterPut(m)));
    }
  }

  // Pause

  /** Why scheduling is paused; null if it is not. */
  public @Nullable Pause pause() {
    return pause;
  }

  /** Pauses scheduling, or resumes it. Every waiting job is given another reason. */
  public void putPause(@Nullable Pause newPause) {
    if (Objects.equals(pause, newPause)) {
      return;
    }
    pause = newPause;
    recorder.change(newPause == null ? new Change.PauseRemoved() : new Change.PausePut(newPause));
    for (Pool pool : pools.values()) {
      askFor(pool);
      lines.explainAll(pool);
    }
  }

  void restoreCounters(Change.CountersPut row) {
    nextSequence = row.nextSequence();
    nextPlanId = row.nextPlanId();
    futilePreemptions = row.futilePreemptions();
  }

  void restoreEnded(Attempt attempt) {
    newest.merge(
        attempt.key().job(),
        attempt,
        (known, other) -> known.key().number() > other.key().number() ? known : other);
  }

  void restorePreemption(Preemption preemption) {
    Job job = jobs.get(preemption.victim().job());
    if (job != null && !job.state().isTerminal()) {
      lastPreemption.merge(
          job.key(),
          preemption,
          (known, other) -> known.victim().number() > other.victim().number() ? known : other);
    }
  }

  void restoreMeter(ShareMeter meter) {
    pool(new PoolKey(meter.share().queue(), meter.unit())).meter().restore(meter);
  }
}
