package io.quotashare.core.replay;

import static io.quotashare.core.model.Check.checkState;
import static java.util.Objects.requireNonNull;

import io.quotashare.core.Effect;
import io.quotashare.core.PartReport;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.Stop;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All virtual agents: they take what the scheduler tells agents, and report what a job that behaves
 * as the scenario says would let them report, when it is due (scenario-format, Scenario).
 *
 * <p>An attempt runs {@code timing.start} after its placement and works from then on. A victim that
 * is asked to save captures its state at once, stands still, and is durable after {@code
 * timing.checkpoint}; it is gone {@code timing.stop} after that, at most at its deadline. A victim
 * that is not asked to save works on until it is gone, and has succeeded if its work is complete
 * before that.
 */
final class VirtualCluster {
  private final Scenario.Timing timing;
  private final Consumer<PartReport> scheduler;
  private final Map<JobKey, JobWork> works = new HashMap<>();
  private final Map<AttemptKey, VirtualAttempt> attempts = new LinkedHashMap<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>();
  private long insertions;
  private int dueCheckpoints;

  /**
   * @param scheduler takes the reports
   */
  VirtualCluster(Scenario.Timing timing, Consumer<PartReport> scheduler) {
    this.timing = requireNonNull(timing, "timing is null");
    this.scheduler = requireNonNull(scheduler, "scheduler is null");
  }

  /** A job was accepted. */
  void accept(VirtualJob job) {
    works.put(job.key(), new JobWork(job));
  }

  /** A job has ended for good. */
  void forget(JobKey job) {
    works.remove(job);
  }

  /**
   * A job that runs already.
   *
   * @param sinceMillis since when
   * @param checkpointMillis when its newest durable checkpoint was captured
   */
  void adopt(Attempt attempt, long sinceMillis, OptionalLong checkpointMillis, long nowMillis) {
    VirtualAttempt adopted = place(attempt);
    adopted.run(sinceMillis, nowMillis);
    checkpointMillis.ifPresent(adopted::hadCheckpoint);
    scheduleWork(adopted, nowMillis);
  }

  /** The scheduler tells the agents something. Being told twice does no harm. */
  void answer(Effect effect, long nowMillis) {
    if (effect instanceof Effect.Start start) {
      start(start.attempt(), nowMillis);
    } else if (effect instanceof Effect.Stop stop) {
      stop(stop.attempt(), nowMillis);
    } else if (effect instanceof Effect.Checkpoint save) {
      save(attempts.get(save.attempt().key()), save.attempt().requests(), nowMillis);
    } else {
      throw new IllegalStateException("an effect that virtual agents do not know: " + effect);
    }
  }

  /** A node was lost and fenced: nothing runs there any more, and nothing is heard of it. */
  void nodeLost(String node, long nowMillis) {
    Iterator<VirtualAttempt> all = attempts.values().iterator();
    while (all.hasNext()) {
      VirtualAttempt attempt = all.next();
      if (!attempt.isOn(node)) {
        continue;
      }
      boolean allDead = attempt.nodeDied(node, nowMillis);
      for (Due.Kind kind : Due.Kind.values()) {
        if (allDead || kind != Due.Kind.GONE) {
          attempt.newTicket(kind);
        }
      }
      if (allDead) {
        all.remove();
      }
    }
  }

  /** When the next report is due; empty if none will ever be. */
  OptionalLong nextDueMillis() {
    dropVoid();
    Due next = due.peek();
    return next == null ? OptionalLong.empty() : OptionalLong.of(next.atMillis());
  }

  /** Whether anything but checkpoints of jobs that go on is still to come. */
  boolean hasMoreThanCheckpoints() {
    dropVoid();
    return due.size() > dueCheckpoints;
  }

  /** Reports everything that is due by now, what falls due meanwhile included. */
  void runDue(long nowMillis) {
    while (true) {
      dropVoid();
      Due next = due.peek();
      if (next == null || next.atMillis() > nowMillis) {
        return;
      }
      checkState(next.atMillis() == nowMillis, "%s was due before %s", next, nowMillis);
      poll();
      happen(next.attempt(), next.kind(), nowMillis);
    }
  }

  private void happen(VirtualAttempt attempt, Due.Kind kind, long nowMillis) {
    switch (kind) {
      case LAUNCH -> report(attempt.reports(PartPhase.STARTING));
      case RUN -> {
        attempt.run(nowMillis, nowMillis);
        scheduleWork(attempt, nowMillis);
        report(attempt.reports(PartPhase.RUNNING));
      }
      case CHECKPOINT -> {
        attempt.checkpoint(nowMillis);
        scheduleCheckpoint(attempt, nowMillis);
        report(attempt.progressReports());
      }
      case SAVED -> {
        attempt.captured(nowMillis);
        if (!attempt.isLeaving()) {
          attempt.resume(nowMillis);
          scheduleWork(attempt, nowMillis);
        }
        report(attempt.progressReports());
      }
      case END -> {
        attempts.remove(attempt.key());
        cancelAll(attempt);
        report(attempt.endReports());
      }
      case GONE -> {
        attempts.remove(attempt.key());
        cancelAll(attempt);
        report(attempt.goneReports());
      }
    }
  }

  private void start(Attempt attempt, long nowMillis) {
    if (attempts.containsKey(attempt.key())) {
      return;
    }
    VirtualAttempt started = place(attempt);
    schedule(started, Due.Kind.LAUNCH, nowMillis);
    schedule(started, Due.Kind.RUN, nowMillis + timing.startMillis());
  }

  private VirtualAttempt place(Attempt attempt) {
    JobWork work = works.get(attempt.key().job());
    checkState(work != null, "attempt %s of a job that was not accepted", attempt.key());
    VirtualAttempt placed = new VirtualAttempt(attempt, work);
    attempts.put(placed.key(), placed);
    return placed;
  }

  private void stop(Attempt told, long nowMillis) {
    VirtualAttempt attempt = attempts.get(told.key());
    if (attempt == null && !wasNeverStarted(told)) {
      return;
    }
    if (attempt == null) {
      attempt = place(told);
    }
    Stop stop = requireNonNull(told.stop(), "stop is null");
    long wantedMillis = nowMillis + timing.stopMillis();
    if (stop.saveFirst()) {
      wantedMillis += timing.checkpointMillis();
    }
    long goneMillis = Math.max(nowMillis, Math.min(wantedMillis, stop.deadlineMillis()));
    if (attempt.isLeaving() && attempt.goneAtMillis() <= goneMillis) {
      return;
    }
    attempt.leave(goneMillis, goneMillis < wantedMillis);
    if (!attempt.isRunning()) {
      attempt.newTicket(Due.Kind.LAUNCH);
      attempt.newTicket(Due.Kind.RUN);
    } else if (stop.saveFirst() && !attempt.isBroken()) {
      save(attempt, stop.requestSeq(), nowMillis);
    }
    schedule(attempt, Due.Kind.GONE, goneMillis);
  }

  /** An attempt that is stopped in the batch that placed it: its agents never hear of a start. */
  private static boolean wasNeverStarted(Attempt attempt) {
    return attempt.parts().stream()
        .allMatch(part -> part.phase() == PartPhase.ASSIGNED || part.phase() == PartPhase.LOST);
  }

  /** The state is captured now and durable later, unless the attempt is gone by then. */
  private void save(@Nullable VirtualAttempt attempt, long requestSeq, long nowMillis) {
    if (attempt == null || !attempt.isRunning() || attempt.isBroken()) {
      return;
    }
    attempt.capture(requestSeq, nowMillis);
    attempt.newTicket(Due.Kind.END);
    attempt.newTicket(Due.Kind.CHECKPOINT);
    schedule(attempt, Due.Kind.SAVED, nowMillis + timing.checkpointMillis());
  }

  private void scheduleWork(VirtualAttempt attempt, long nowMillis) {
    attempt.endAtMillis(nowMillis).ifPresent(end -> schedule(attempt, Due.Kind.END, end));
    scheduleCheckpoint(attempt, nowMillis);
  }

  private void scheduleCheckpoint(VirtualAttempt attempt, long nowMillis) {
    attempt
        .nextCheckpointMillis(nowMillis)
        .ifPresent(next -> schedule(attempt, Due.Kind.CHECKPOINT, next));
  }

  private void schedule(VirtualAttempt attempt, Due.Kind kind, long atMillis) {
    due.add(new Due(atMillis, kind, insertions++, attempt, attempt.newTicket(kind)));
    dueCheckpoints += kind == Due.Kind.CHECKPOINT ? 1 : 0;
  }

  private void cancelAll(VirtualAttempt attempt) {
    for (Due.Kind kind : Due.Kind.values()) {
      attempt.newTicket(kind);
    }
  }

  /** What stands first must be valid, so that its time is one at which something happens. */
  private void dropVoid() {
    while (true) {
      Due next = due.peek();
      if (next == null || next.attempt().isValid(next.kind(), next.ticket())) {
        return;
      }
      poll();
    }
  }

  private void poll() {
    Due taken = due.remove();
    dueCheckpoints -= taken.kind() == Due.Kind.CHECKPOINT ? 1 : 0;
  }

  private void report(List<PartReport> reports) {
    reports.forEach(scheduler);
  }
}
