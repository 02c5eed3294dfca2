package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.Batch;
import io.quotashare.core.Effect;
import io.quotashare.core.Indexes;
import io.quotashare.core.JobEvent;
import io.quotashare.core.LoanVictim;
import io.quotashare.core.PartReport;
import io.quotashare.core.Policy;
import io.quotashare.core.Policy.QueuePolicy;
import io.quotashare.core.QueueView;
import io.quotashare.core.RejectedException;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A scheduler, a clock and virtual agents. After every step the scheduler decides, agents answer,
 * and {@link Invariants} judge; a twin, made from the rows by {@link #restore}, must say the same,
 * although it forgets every job as soon as its end is written.
 */
final class World {
  /** Time at which a world begins; not 0, so that nobody takes 0 for "never". */
  static final long START_MILLIS = 1_000_000;

  private static final int MAX_ROUNDS = 1_000;

  /** Copies are judged after every so many steps, for time's sake. */
  private static final int COPY_EVERY = 3;

  private final Scheduler scheduler = new Scheduler();
  private final Invariants invariants = new Invariants(scheduler, START_MILLIS);
  private final Rows written = new Rows();
  private final Map<String, JobSketch> sketches = new LinkedHashMap<>();
  private final Map<String, JobKey> keys = new LinkedHashMap<>();
  private final List<JobEvent> events = new ArrayList<>();
  private final Agents agents;
  private final Map<String, NodeSketch> wholeNodes = new LinkedHashMap<>();

  /** Is told the same; from {@link #restore} on one that was made from the rows. */
  private Scheduler twin = new Scheduler();

  private boolean twinIsNew;
  private boolean recovering;
  private long now = START_MILLIS;
  private boolean together;
  private int eventCount;

  World(Setup setup) {
    this.agents =
        new Agents(
            attempt -> sketches.get(attempt.job().id()), report -> each(s -> take(s, report)));
    twin.archive().keptBy(written);
    together(
        () -> {
          each(s -> s.applyPolicy(setup.policy(), false, now));
          setup.nodes().forEach(node -> register(node));
        });
    setup.nodes().forEach(node -> wholeNodes.put(node.name, node));
  }

  private void take(Scheduler to, PartReport report) {
    to.report(report, now);
  }

  // One step

  /** Tells the scheduler and its twin something; what it refuses must change nothing. */
  private boolean each(Consumer<Scheduler> step) {
    invariants.takeRowCount();
    Optional<String> refused = refusal(scheduler, step);
    int rows = invariants.takeRowCount();
    unless(refused.isEmpty() || rows == 0, "A3", "refused, and %s rows changed: %s", rows, refused);
    Optional<String> again = refusal(twin, step);
    unless(again.equals(refused), "I8", "the twin says %s (expected: %s)", again, refused);
    return refused.isEmpty();
  }

  private static Optional<String> refusal(Scheduler to, Consumer<Scheduler> step) {
    try {
      step.accept(to);
      return Optional.empty();
    } catch (RejectedException e) {
      return Optional.of(e.reason() + " " + e.getMessage());
    }
  }

  private void step(Consumer<Scheduler> step) {
    eventCount++;
    each(step);
    invariants.stepped();
    settle();
  }

  /** Several steps before the scheduler decides. */
  void together(Runnable steps) {
    boolean outer = together;
    together = true;
    steps.run();
    together = outer;
    settle();
  }

  private void settle() {
    if (together) {
      return;
    }
    for (int round = 0; ; round++) {
      unless(round < MAX_ROUNDS, "6.6", "%s rounds at one instant", round);
      decide();
      boolean told = agents.run(now);
      invariants.stepped();
      if (!told) {
        break;
      }
    }
    unless(scheduler.nextWakeMillis().orElse(now + 1) > now, "6.6", "due again at once");
  }

  private void decide() {
    invariants.takeRowCount();
    Batch batch = decide(scheduler);
    written.take(batch.changes());
    events.addAll(batch.events());
    invariants.decided(recovering);
    compare(batch);
    unless(Indexes.faults(scheduler).isEmpty(), "I8", "%s", Indexes.faults(scheduler));
    explainSomeone();
    Batch again = decide(scheduler);
    unless(again.isEmpty(), "6.6", "deciding again changes %s", again);
    judgeCopy();
    for (Effect effect : batch.effects()) {
      agents.take(effect, now);
    }
  }

  /** A copy for trials decides the same: nothing. What is asked of it changes nothing. */
  private void judgeCopy() {
    if (eventCount % COPY_EVERY != 0) {
      return;
    }
    Scheduler copy = scheduler.copy().open();
    Batch ofCopy = decide(copy);
    unless(recovering || ofCopy.isEmpty(), "9.5", "a copy says %s", ofCopy);
    for (Queue queue : scheduler.queues()) {
      scheduler.view(queue.name()).loans().forEach(l -> judgeLoan(copy, queue.name(), l));
    }
    unless(decide(copy).isEmpty(), "9.5", "asking for victims of loans changed something");
  }

  /** Nobody of the lender is stopped for the lender. */
  private void judgeLoan(Scheduler copy, String queue, QueueView.LoanView loan) {
    for (LoanVictim victim : copy.wouldStop(queue, loan, now)) {
      Job job = scheduler.job(victim.job()).orElseThrow();
      unless(!job.spec().share().equals(loan.lender()), "4.2", "%s for %s", job.key(), loan);
    }
  }

  /** Explanations change nothing, and there is one for everybody. */
  private void explainSomeone() {
    List<JobKey> all = List.copyOf(keys.values());
    if (!all.isEmpty()) {
      JobKey asked = all.get(eventCount % all.size());
      boolean empty =
          scheduler.job(asked).isPresent() && scheduler.explain(asked, now).summary().isEmpty();
      unless(!empty, "7", "nothing is said of %s", asked);
    }
  }

  private Batch decide(Scheduler who) {
    who.decide(now);
    return who.drain();
  }

  private void compare(Batch batch) {
    Batch same = decide(twin);
    unless(
        same.equals(batch),
        "V12",
        "%s says in %s",
        twinIsNew ? "a restored scheduler" : "a second scheduler",
        Rows.difference(same, batch));
    OptionalLong wake = twin.nextWakeMillis();
    unless(
        wake.equals(scheduler.nextWakeMillis()),
        "V12",
        "the twin is due at %s (expected: %s)",
        wake,
        scheduler.nextWakeMillis());
    twin.archive().forget();
    unless(
        twin.jobs().stream().noneMatch(job -> job.state().isTerminal()),
        "A3",
        "ended jobs are held although they were forgotten");
  }

  /** From here on a scheduler that was made from the rows must say the same. */
  void restore() {
    if (together) {
      return;
    }
    twin = Scheduler.restore(written.all());
    twin.archive().keptBy(written);
    twin.archive().forget();
    twinIsNew = true;
    if (recovering) {
      twin.recovering(true);
    }
    Batch nothing = decide(twin);
    unless(
        recovering || nothing.isEmpty(),
        "V12",
        "after a restart nothing has happened, and it says %s",
        nothing);
  }

  // Time

  /** Time passes; agents and deadlines do what falls due. */
  void advance(long millis) {
    long target = now + millis;
    while (now < target) {
      long next = target;
      next = Math.min(next, agents.nextDueMillis().orElse(target));
      next = Math.min(next, Math.max(now + 1, scheduler.nextWakeMillis().orElse(target)));
      next = Math.max(now, next);
      invariants.elapsed(next);
      now = next;
      agents.run(now);
      invariants.stepped();
      settle();
    }
  }

  long now() {
    return now;
  }

  // Users

  void submit(JobSketch job) {
    if (sketches.containsKey(job.id)) {
      return;
    }
    JobKey key = new JobKey(job.queue, job.id);
    sketches.put(job.id, job);
    keys.put(job.id, key);
    step(s -> s.submit(key, job.spec(), job.priority, now));
    if (job(job.id).isEmpty()) {
      sketches.remove(job.id);
      keys.remove(job.id);
    }
  }

  void setPriority(String id, int priority) {
    withJob(id, key -> step(s -> s.setPriority(key, priority, now)));
  }

  void cancel(String id) {
    withJob(id, key -> step(s -> s.cancel(key, "", now)));
  }

  void hold(String id) {
    withJob(id, key -> step(s -> s.hold(key, now)));
  }

  void release(String id) {
    withJob(id, key -> step(s -> s.release(key, now)));
  }

  void requeue(String id, boolean hold) {
    withJob(id, key -> step(s -> s.requeue(key, hold, "", now)));
  }

  /** A user asks a job to save and go on. */
  void askToSave(String id) {
    withJob(id, key -> step(s -> s.checkpoint(key, now)));
  }

  private void withJob(String id, Consumer<JobKey> action) {
    if (keys.containsKey(id)) {
      action.accept(keys.get(id));
    }
  }

  // Administrators

  void putShare(ShareSketch share) {
    step(s -> s.putShare(share.build(), false, now));
  }

  void putShareAndDrain(ShareSketch share) {
    step(s -> s.putShare(share.build(), true, now));
  }

  void putShare(QuotaShare share) {
    step(s -> s.putShare(share, false, now));
  }

  void putQueue(Queue queue) {
    step(s -> s.applyPolicy(new Policy(List.of(new QueuePolicy(queue, List.of()))), false, now));
  }

  /** Disables a share and removes it. */
  void removeShare(String queue, String name) {
    ShareKey key = new ShareKey(queue, name);
    scheduler
        .share(key)
        .filter(share -> share.state() == AdminState.ENABLED)
        .ifPresent(share -> putShare(share.withState(AdminState.DISABLED)));
    step(s -> s.removeShare(key, now));
  }

  /** Removes all but a queue and its first shares. */
  void prune(QueueSketch queue, int keep) {
    Queue kept = queue.build();
    List<QuotaShare> shares = scheduler.shares(kept.name()).stream().limit(keep).toList();
    Policy policy = new Policy(List.of(new QueuePolicy(kept, shares)), true);
    step(s -> s.applyPolicy(policy, false, now));
  }

  void putQueue(QueueSketch queue) {
    putQueue(queue.build());
  }

  // Jobs by themselves

  private void withAttempt(String id, Consumer<AttemptKey> action) {
    job(id)
        .filter(job -> !job.state().isWaiting() && !job.state().isTerminal())
        .ifPresent(
            job -> {
              eventCount++;
              action.accept(job.newestAttempt());
              invariants.stepped();
              settle();
            });
  }

  /** All processes of a job exit. */
  void exit(String id, int code) {
    exit(id, code, 0);
  }

  /** The same, and the devices are proven free later. */
  void exit(String id, int code, long freeAfterMillis) {
    withAttempt(id, attempt -> agents.exit(attempt, code, freeAfterMillis, now));
  }

  void exitRank(String id, int rank, int code) {
    withAttempt(id, attempt -> agents.exitRank(attempt, rank, code, now));
  }

  void failStart(String id) {
    withAttempt(id, attempt -> agents.failStart(attempt));
  }

  void checkpoint(String id) {
    withAttempt(id, attempt -> agents.checkpoint(attempt, now));
  }

  void sayDone(String id) {
    withAttempt(id, attempt -> agents.sayDone(attempt));
  }

  /** A job that was told to stop is gone now. */
  void stopNow(String id) {
    withAttempt(id, attempt -> agents.stopNow(attempt, now));
  }

  /** Its agents repeat themselves, out of order. */
  void repeat(String id) {
    withAttempt(id, attempt -> agents.repeat(attempt));
  }

  // Nodes

  void register(NodeSketch node) {
    boolean rebooted =
        node(node.name)
            .filter(n -> !n.agent().bootId().equals(node.report().agent().bootId()))
            .isPresent();
    boolean lost = node(node.name).filter(n -> n.liveness() == Node.Liveness.LOST).isPresent();
    if (rebooted || lost) {
      agents.kill(node.name);
    }
    Set<AttemptKey> known = agents.knownOn(node.name);
    reconnect(node.name, s -> s.registerNode(node.report(), known, now));
  }

  /** The agent is there again, and has forgotten everything. */
  void registerAnew(NodeSketch node) {
    agents.kill(node.name);
    reconnect(node.name, s -> s.registerNode(node.report(), Set.of(), now));
  }

  void update(NodeSketch node) {
    if (node(node.name).isPresent() && !agents.isCutOff(node.name)) {
      step(s -> s.updateNode(node.report(), now));
    }
  }

  void order(String node, Node.Order order) {
    step(s -> s.orderNode(node, order, now));
  }

  void silent(String node) {
    agents.cutOff(node);
    step(s -> s.nodeSilent(node, now));
  }

  void heard(String node) {
    if (node(node).filter(n -> n.liveness() == Node.Liveness.SUSPECT).isPresent()) {
      reconnect(node, s -> s.nodeHeard(node, now));
    }
  }

  void lost(String node) {
    agents.cutOff(node);
    agents.kill(node);
    step(s -> s.nodeLost(node, "fenced", now));
  }

  /** The lease of one attempt on a silent node has passed. */
  void attemptLost(String id, String node) {
    if (agents.isCutOff(node)) {
      withAttempt(id, attempt -> each(s -> s.attemptLost(attempt, node, "lease", now)));
    }
  }

  private void reconnect(String node, Consumer<Scheduler> step) {
    eventCount++;
    each(step);
    agents.reconnect(node);
    for (Effect effect : scheduler.effectsFor(node)) {
      agents.take(effect, node, now);
    }
    invariants.stepped();
    settle();
  }

  /** A new leader waits for its agents, or has them. */
  void recovering(boolean value) {
    recovering = value;
    step(s -> s.recovering(value));
  }

  // Reading

  Map<String, NodeSketch> wholeNodes() {
    return wholeNodes;
  }

  Agents agents() {
    return agents;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Invariants invariants() {
    return invariants;
  }

  /** Steps that were taken so far. */
  int eventCount() {
    return eventCount;
  }

  Optional<Job> job(String id) {
    return keys.containsKey(id) ? scheduler.job(keys.get(id)) : Optional.empty();
  }

  Optional<Node> node(String name) {
    return scheduler.nodes().stream().filter(n -> n.name().equals(name)).findFirst();
  }

  Optional<Attempt> attempt(String id) {
    return job(id).filter(j -> j.attempts() > 0).flatMap(j -> scheduler.attempt(j.newestAttempt()));
  }

  /** Ids of jobs in one of these states. */
  Set<String> in(JobState... states) {
    Set<String> ids = new TreeSet<>();
    for (Job job : scheduler.jobs()) {
      if (List.of(states).contains(job.state())) {
        ids.add(job.key().id());
      }
    }
    return ids;
  }

  /** Ids of jobs that hold devices and were not told to stop. */
  Set<String> running() {
    return in(JobState.SCHEDULED, JobState.STARTING, JobState.RUNNING);
  }

  Set<String> waiting() {
    return in(JobState.SUBMITTED, JobState.RUNNABLE);
  }

  Set<String> preempting() {
    return in(JobState.PREEMPTING);
  }

  /** How often jobs were told to stop for others. */
  List<String> stops() {
    return events.stream()
        .filter(event -> event.type() == JobEvent.Type.PREEMPTING)
        .map(event -> event.job().key().id())
        .toList();
  }

  List<JobEvent> events() {
    return events;
  }
}
