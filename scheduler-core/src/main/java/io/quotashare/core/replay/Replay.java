package io.quotashare.core.replay;

import static io.quotashare.core.model.Check.checkState;
import static java.util.Objects.requireNonNull;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.Effect;
import io.quotashare.core.JobEvent;
import io.quotashare.core.Policy;
import io.quotashare.core.RejectedException;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.WaitingReason;
import io.quotashare.core.replay.ScenarioEvent.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Plays a scenario in virtual time: the scheduler decides, virtual agents answer, and time jumps
 * from one instant at which something happens to the next.
 *
 * <p>Within one instant (scenario-format): the file's events in order, then ends and stops, then a
 * decision pass; what falls due in the same instant because of it is applied and followed by
 * another pass, until nothing is left. Expectations are checked after that. Nothing is random: the
 * same scenario gives the same lines.
 *
 * <p>Memory grows with the number of jobs, not with the number of lines: they are handed out as
 * they come.
 */
public final class Replay {
  /**
   * The scheduler's time at the scenario's time 0 (the year 2100): large enough that what began a
   * hundred years before it has a time above 0.
   */
  public static final long EPOCH_MILLIS = 4_102_444_800_000L;

  /** Passes of one instant beyond what its jobs can cause: a loop without an end. */
  private static final int SPARE_PASSES = 1000;

  private static final int PASSES_PER_JOB = 8;

  private final Scenario scenario;
  private final Consumer<ReplayRecord> lines;
  private final ReplayObserver observer;
  private final Scheduler scheduler = new Scheduler();
  private final VirtualCluster cluster;
  private final History history = new History();
  private final Map<String, VirtualNode> nodes = new HashMap<>();
  private final Map<String, Integer> boots = new HashMap<>();
  private final Set<String> lostNodes = new HashSet<>();
  private final Map<JobKey, String> rejected = new HashMap<>();
  private final Map<JobKey, WaitingReason> shownReasons = new HashMap<>();
  private final List<FailedExpectation> failures = new ArrayList<>();
  private int nextEvent;
  private int nextExpectation;
  private long nowMillis = EPOCH_MILLIS;

  private Replay(Scenario scenario, Consumer<ReplayRecord> lines, ReplayObserver observer) {
    this.scenario = requireNonNull(scenario, "scenario is null");
    this.lines = requireNonNull(lines, "lines is null");
    this.observer = requireNonNull(observer, "observer is null");
    this.cluster =
        new VirtualCluster(
            scenario.timing(),
            report -> {
              scheduler.report(report, nowMillis);
              settle();
            });
  }

  /**
   * Plays a scenario to its end.
   *
   * @param lines takes the lines in order of time, the summary last
   * @throws RejectedException if the scheduler refuses the policy, a node or a job that is to run
   *     at time 0; a refused event is a line instead
   */
  public static ReplayResult run(Scenario scenario, Consumer<ReplayRecord> lines) {
    return run(scenario, lines, (scheduler, step, now) -> {});
  }

  /** The same, with somebody who looks at the scheduler after every step. */
  public static ReplayResult run(
      Scenario scenario, Consumer<ReplayRecord> lines, ReplayObserver observer) {
    return new Replay(scenario, lines, observer).play();
  }

  private ReplayResult play() {
    prepare();
    OptionalLong next = OptionalLong.of(EPOCH_MILLIS);
    while (next.isPresent()) {
      nowMillis = next.getAsLong();
      playInstant();
      next = nextInstantMillis();
    }
    nowMillis = absolute(scenario.untilMillis()).orElse(nowMillis);
    checkExpectations(true);
    ReplaySummary summary = history.summary(scheduler, nowMillis);
    lines.accept(new ReplayRecord.Summary(nowMillis - EPOCH_MILLIS, summary));
    return new ReplayResult(summary, failures);
  }

  private void prepare() {
    scheduler.applyPolicy(scenario.policy(), false, nowMillis);
    settle();
    for (VirtualNode node : scenario.nodes()) {
      nodes.put(node.name(), node);
      register(node);
    }
    List<RunningJob> inOrderOfStart = new ArrayList<>(scenario.running());
    inOrderOfStart.sort(Comparator.comparingLong(RunningJob::startedAtMillis));
    inOrderOfStart.forEach(this::adopt);
  }

  private void register(VirtualNode node) {
    int boot = boots.merge(node.name(), 1, Integer::sum);
    scheduler.registerNode(node.report(boot), Set.of(), nowMillis);
    settle();
  }

  private void adopt(RunningJob running) {
    VirtualJob job = running.job();
    long sinceMillis = EPOCH_MILLIS + running.startedAtMillis();
    OptionalLong checkpointMillis = absolute(running.checkpointMillis());
    scheduler.adoptRunning(
        job.key(),
        job.spec(),
        job.priority(),
        running.devicesByNode(),
        sinceMillis,
        checkpointMillis,
        nowMillis);
    cluster.accept(job);
    AttemptKey key = new AttemptKey(job.key(), 1);
    Attempt attempt =
        scheduler
            .attempt(key)
            .orElseThrow(() -> new IllegalStateException("adopted without an attempt: " + key));
    cluster.adopt(attempt, sinceMillis, checkpointMillis, nowMillis);
    history.adopted(job.key(), nowMillis);
    lines.accept(Narrator.adopted(attempt, ownDevices(attempt)));
    settle();
  }

  /** How many devices of a job that runs already are within the share's own limit. */
  private int ownDevices(Attempt attempt) {
    int held = 0;
    for (Attempt other : scheduler.liveAttempts()) {
      boolean same = other.share().equals(attempt.share()) && other.unit().equals(attempt.unit());
      held += same && !other.key().equals(attempt.key()) ? other.gpus() : 0;
    }
    int capacity = scheduler.share(attempt.share()).orElseThrow().capacity(attempt.unit());
    return Math.max(0, Math.min(attempt.gpus(), capacity - held));
  }

  private void playInstant() {
    while (nextEvent < scenario.events().size()
        && EPOCH_MILLIS + scenario.events().get(nextEvent).atMillis() == nowMillis) {
      apply(scenario.events().get(nextEvent++));
    }
    long passesLeft = SPARE_PASSES + (long) PASSES_PER_JOB * scheduler.jobs().size();
    do {
      checkState(
          passesLeft-- > 0,
          "the instant at %s s does not come to an end",
          (nowMillis - EPOCH_MILLIS) / 1000.0);
      cluster.runDue(nowMillis);
      scheduler.decide(nowMillis);
      settle();
    } while (isDueNow());
    observer.atRest(scheduler, nowMillis);
    checkExpectations(false);
  }

  private boolean isDueNow() {
    return cluster.nextDueMillis().orElse(Long.MAX_VALUE) <= nowMillis;
  }

  private void apply(ScenarioEvent event) {
    if (event instanceof ScenarioEvent.Submit submit) {
      submit(submit.job());
    } else if (event instanceof ScenarioEvent.SetPriority set) {
      tryFor(set.job(), () -> scheduler.setPriority(set.job(), set.priority(), nowMillis));
    } else if (event instanceof ScenarioEvent.Cancel cancel) {
      tryFor(cancel.job(), () -> scheduler.cancel(cancel.job(), "", nowMillis));
    } else if (event instanceof ScenarioEvent.SetShare set) {
      scheduler.putShare(set.share(), set.drainNow(), nowMillis);
      lines.accept(new ReplayRecord.ShareChanged(event.atMillis(), set.share()));
    } else if (event instanceof ScenarioEvent.SetQueue set) {
      Policy policy = new Policy(List.of(new Policy.QueuePolicy(set.queue(), List.of())));
      scheduler.applyPolicy(policy, false, nowMillis);
      lines.accept(new ReplayRecord.QueueChanged(event.atMillis(), set.queue()));
    } else if (event instanceof ScenarioEvent.SetNode set) {
      lines.accept(new ReplayRecord.NodeChanged(event.atMillis(), set.node(), set.state()));
      setNode(set.node(), set.state());
    } else {
      throw new IllegalStateException("an event that replays do not know: " + event);
    }
    settle();
  }

  private void submit(VirtualJob job) {
    tryFor(
        job.key(),
        () -> {
          scheduler.submit(job.key(), job.spec(), job.priority(), nowMillis);
          cluster.accept(job);
        });
  }

  /**
   * A refusal is an outcome of the scenario, shown as a line; the scheduler has changed nothing.
   */
  private void tryFor(JobKey job, Runnable step) {
    try {
      step.run();
    } catch (RejectedException e) {
      if (scheduler.job(job).isEmpty()) {
        rejected.put(job, e.reason() + ", " + e.getMessage());
      }
      lines.accept(
          new ReplayRecord.Rejected(
              nowMillis - EPOCH_MILLIS, job, e.reason(), requireNonNull(e.getMessage())));
    }
  }

  private void setNode(String name, NodeState state) {
    VirtualNode node = requireNonNull(nodes.get(name), () -> "no node named " + name);
    if (state == NodeState.LOST) {
      if (lostNodes.add(name)) {
        cluster.nodeLost(name, nowMillis);
        scheduler.nodeLost(name, "lost and fenced", nowMillis);
      }
      return;
    }
    if (lostNodes.remove(name)) {
      register(node);
    }
    Node.Order order =
        switch (state) {
          case CORDONED -> Node.Order.CORDONED;
          case DRAINING -> Node.Order.DRAINING;
          case READY, LOST -> Node.Order.OPEN;
        };
    scheduler.orderNode(name, order, nowMillis);
  }

  /** Tells what came of a step: watchers, observer, agents. */
  private void settle() {
    Batch batch = scheduler.drain();
    if (!batch.isEmpty()) {
      for (JobEvent event : batch.events()) {
        history.note(event);
        tell(event);
      }
      for (Change change : batch.changes()) {
        if (change instanceof Change.ObservedPreemptionPut put) {
          history.note(put.preemption());
          lines.accept(Narrator.wouldPreempt(put.preemption()));
        }
      }
      for (Effect effect : batch.effects()) {
        cluster.answer(effect, nowMillis);
      }
    }
    observer.afterStep(scheduler, batch, nowMillis);
  }

  private void tell(JobEvent event) {
    JobKey job = event.job().key();
    switch (event.type()) {
      case WAITING -> {
        // Said again with a new sentence and the same reason: not news (scenario-format).
        WaitingReason reason = requireNonNull(event.job().waiting()).reason();
        if (reason == shownReasons.put(job, reason)) {
          return;
        }
      }
      case STARTED, RUNNABLE -> shownReasons.remove(job);
      case SUCCEEDED, FAILED, CANCELLED -> {
        shownReasons.remove(job);
        cluster.forget(job);
      }
      case SUBMITTED, RUNNING, PREEMPTING, CHECKPOINTED, STOPPED, PRIORITY, UPDATED -> {}
    }
    Narrator.lineFor(event).ifPresent(lines);
  }

  /** The next instant at which something happens; empty at the end of the replay. */
  private OptionalLong nextInstantMillis() {
    long next = Long.MAX_VALUE;
    boolean more = false;
    if (nextEvent < scenario.events().size()) {
      next = EPOCH_MILLIS + scenario.events().get(nextEvent).atMillis();
      more = true;
    }
    OptionalLong expected = nextExpectationMillis();
    if (expected.isPresent()) {
      next = Math.min(next, expected.getAsLong());
      more = true;
    }
    OptionalLong wake = scheduler.nextWakeMillis();
    if (wake.isPresent()) {
      checkState(
          wake.getAsLong() > nowMillis,
          "the scheduler wants to decide at %s, and has at %s",
          wake.getAsLong(),
          nowMillis);
      next = Math.min(next, wake.getAsLong());
      more = true;
    }
    OptionalLong due = cluster.nextDueMillis();
    if (due.isPresent()) {
      next = Math.min(next, due.getAsLong());
      // Jobs that run for ever make checkpoints for ever: that alone goes nowhere.
      more |= cluster.hasMoreThanCheckpoints();
    }
    OptionalLong until = absolute(scenario.untilMillis());
    boolean within = until.isEmpty() ? more : next <= until.getAsLong();
    return within && next != Long.MAX_VALUE ? OptionalLong.of(next) : OptionalLong.empty();
  }

  private OptionalLong nextExpectationMillis() {
    return nextExpectation < scenario.expectations().size()
        ? absolute(scenario.expectations().get(nextExpectation).atMillis())
        : OptionalLong.empty();
  }

  /** Checks what is due now, or at the end all that is left. */
  private void checkExpectations(boolean atEnd) {
    while (nextExpectation < scenario.expectations().size()) {
      Expectation expectation = scenario.expectations().get(nextExpectation);
      boolean due = absolute(expectation.atMillis()).orElse(Long.MAX_VALUE) <= nowMillis;
      if (!due && !atEnd) {
        return;
      }
      nextExpectation++;
      failures.addAll(
          new ExpectationCheck(scheduler, history, rejected, nowMillis).failuresOf(expectation));
    }
  }

  private static OptionalLong absolute(OptionalLong scenarioMillis) {
    return scenarioMillis.isPresent()
        ? OptionalLong.of(EPOCH_MILLIS + scenarioMillis.getAsLong())
        : OptionalLong.empty();
  }
}
