package io.quotashare.core.steps;

import io.quotashare.core.JobEvent;
import io.quotashare.core.lifecycle.JobLifecycle;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Outcome;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.state.DeviceClasses;
import io.quotashare.core.state.State;
import java.util.Optional;
import java.util.OptionalInt;

/** How attempts end, and what becomes of their jobs (quota-semantics 6.3 and 6.4). */
public final class Endings {
  private final State state;
  private final Moves moves;

  public Endings(State state, Moves moves) {
    this.state = state;
    this.moves = moves;
  }

  /** Ends an attempt, all of whose parts are free. */
  public void end(Attempt attempt) {
    Outcome outcome = outcome(attempt);
    String reason = reason(attempt, outcome);
    long lost = DeviceClasses.lost(attempt, outcome, state.now());
    Attempt ended = attempt.change().ended(outcome, state.now(), reason, lost).build();
    state.putAttempt(ended);
    state
        .lastPreemption(attempt.key().job())
        .filter(preemption -> preemption.victim().equals(attempt.key()))
        .ifPresent(preemption -> state.putPreemption(preemption.freed(state.now(), lost)));
    Job job = state.job(attempt.key().job());
    moves.event(JobEvent.Type.STOPPED, job, ended, reason);
    follow(job, ended, outcome, reason);
  }

  private void follow(Job job, Attempt attempt, Outcome outcome, String reason) {
    switch (outcome) {
      case SUCCEEDED -> terminate(job, attempt, JobLifecycle.Event.SUCCEED, reason);
      case CANCELLED -> terminate(job, attempt, JobLifecycle.Event.CANCEL, reason);
      case NODE_LOST, NOT_STARTED -> requeue(job, attempt, reason);
      case FAILED -> {
        Job failed = job.change().failures(job.failures() + 1).build();
        if (timedOut(attempt) || failed.failures() > job.spec().retries()) {
          terminate(failed, attempt, JobLifecycle.Event.FAIL, reason);
        } else if (!isWorthRetry(job, attempt)) {
          terminate(failed, attempt, JobLifecycle.Event.FAIL, reason + ", which is not retried");
        } else {
          requeue(failed, attempt, reason);
        }
      }
      case PREEMPTED -> {
        Stop stop = attempt.stop();
        boolean counts = stop != null && stop.cause().usesBudget();
        Job preempted = counts ? job.change().preemptions(job.preemptions() + 1).build() : job;
        OptionalInt budget = job.spec().preemptionRetries();
        if (counts && budget.isPresent() && preempted.preemptions() > budget.getAsInt()) {
          String spent =
              String.format(
                  "%s; it was preempted %d times, and preemptionRetriesBeforeTermination is %d",
                  reason, preempted.preemptions(), budget.getAsInt());
          terminate(preempted, attempt, JobLifecycle.Event.FAIL, spent);
        } else {
          requeue(preempted, attempt, reason);
        }
      }
    }
  }

  /** Judged by the process that failed first; those that were stopped for it say nothing. */
  private static boolean isWorthRetry(Job job, Attempt attempt) {
    return attempt.parts().stream()
        .filter(part -> !part.succeeded() && (attempt.stop() == null || part.exitedBeforeStop()))
        .findFirst()
        .map(Endings::exitCode)
        .filter(OptionalInt::isPresent)
        .map(code -> job.spec().retryOn().matches(code.getAsInt()))
        .orElse(true);
  }

  private static OptionalInt exitCode(Part part) {
    if (part.exitCode().isPresent()) {
      return part.exitCode();
    }
    return part.exitSignal().isPresent()
        ? OptionalInt.of(128 + part.exitSignal().getAsInt())
        : OptionalInt.empty();
  }

  private static boolean timedOut(Attempt attempt) {
    Stop stop = attempt.stop();
    return stop != null && stop.cause() == StopCause.TIME_LIMIT;
  }

  private void terminate(Job job, Attempt attempt, JobLifecycle.Event event, String reason) {
    state.planFor(job.key()).ifPresent(moves::abandon);
    JobState terminal = JobLifecycle.TABLE.next(job.state(), event).orElseThrow();
    Job ended = job.change().ended(terminal, state.now(), reason).build();
    state.putJob(ended);
    moves.event(JobEvent.Type.valueOf(terminal.name()), ended, attempt, reason);
  }

  private void requeue(Job job, Attempt attempt, String reason) {
    String refusal = RemovalSteps.refusalToRequeue(state, job);
    if (!refusal.isEmpty()) {
      terminate(job, attempt, JobLifecycle.Event.CANCEL, reason + "; not queued again: " + refusal);
      return;
    }
    JobState next = JobLifecycle.TABLE.next(job.state(), JobLifecycle.Event.REQUEUE).orElseThrow();
    Job waits = job.change().state(next).waiting(null).build();
    state.putJob(waits);
    moves.event(JobEvent.Type.RUNNABLE, waits, attempt, reason);
  }

  // Outcome

  private static Outcome outcome(Attempt attempt) {
    Stop stop = attempt.stop();
    if (stop == null || attempt.parts().stream().allMatch(Part::exitedBeforeStop)) {
      return byItself(attempt);
    }
    if (saysItIsDone(attempt)) {
      return Outcome.SUCCEEDED;
    }
    return switch (stop.cause()) {
      case RECLAIM, IN_SHARE, CAPACITY_LOWERED, NODE_DRAIN, REQUESTED -> Outcome.PREEMPTED;
      case CANCEL -> Outcome.CANCELLED;
      case TIME_LIMIT -> Outcome.FAILED;
      case GANG_FAILED -> failedOrRefused(attempt);
      case NODE_LOST -> Outcome.NODE_LOST;
    };
  }

  private static Outcome byItself(Attempt attempt) {
    if (attempt.parts().stream().anyMatch(part -> part.phase() == PartPhase.LOST)) {
      return Outcome.NODE_LOST;
    }
    return attempt.parts().stream().allMatch(Part::succeeded)
        ? Outcome.SUCCEEDED
        : failedOrRefused(attempt);
  }

  /** A gang that also failed by itself has failed: a retry elsewhere would not mend that. */
  private static Outcome failedOrRefused(Attempt attempt) {
    boolean refused = false;
    for (Part part : attempt.parts()) {
      refused |= part.phase() == PartPhase.NOT_STARTED;
      boolean ownFault =
          part.phase() == PartPhase.START_FAILED
              || (part.exitedBeforeStop() && part.exitCode().orElse(0) != 0);
      if (ownFault) {
        return Outcome.FAILED;
      }
    }
    return refused ? Outcome.NOT_STARTED : Outcome.FAILED;
  }

  /** It said so in its progress file, and no process of it ended with an error of its own. */
  private static boolean saysItIsDone(Attempt attempt) {
    return attempt.progress().done()
        && attempt.parts().stream()
            .allMatch(part -> part.succeeded() || part.exitSignal().isPresent());
  }

  private static String reason(Attempt attempt, Outcome outcome) {
    Stop stop = attempt.stop();
    return switch (outcome) {
      case SUCCEEDED -> "exited with 0";
      case CANCELLED -> stop == null ? "cancelled" : stop.detail();
      case NODE_LOST -> lostReason(attempt);
      case NOT_STARTED -> refusedReason(attempt);
      case PREEMPTED -> stop == null ? "preempted" : preemptedReason(stop);
      case FAILED -> timedOut(attempt) ? "ran longer than its time limit" : failedReason(attempt);
    };
  }

  private static String preemptedReason(Stop stop) {
    String what =
        switch (stop.cause()) {
          case RECLAIM -> "preempted: its share used lent devices, which were reclaimed";
          case IN_SHARE -> "preempted by a job of higher priority in its share";
          case CAPACITY_LOWERED -> "preempted: the limit of its share was lowered";
          case REQUESTED -> stop.detail();
          default -> "preempted: its node is being drained";
        };
    return stop.beneficiary() == null ? what : what + " for " + stop.beneficiary().id();
  }

  private static String lostReason(Attempt attempt) {
    return attempt.parts().stream()
        .filter(part -> part.phase() == PartPhase.LOST)
        .findFirst()
        .map(part -> "node " + part.node() + " was lost: " + part.detail())
        .orElse("a node was lost");
  }

  private static String refusedReason(Attempt attempt) {
    return attempt.parts().stream()
        .filter(part -> part.phase() == PartPhase.NOT_STARTED)
        .findFirst()
        .map(part -> "could not start: " + part.detail() + "; it queues again, no retry is used")
        .orElse("could not start");
  }

  private static String failedReason(Attempt attempt) {
    Optional<Part> failed = attempt.parts().stream().filter(part -> !part.succeeded()).findFirst();
    if (failed.isEmpty()) {
      return "failed";
    }
    Part part = failed.get();
    String where = attempt.parts().size() == 1 ? "" : " on " + part.node();
    if (part.phase() == PartPhase.START_FAILED) {
      return "could not start" + where + ": " + part.detail();
    }
    if (part.exitCode().isPresent()) {
      return "exited with " + part.exitCode().getAsInt() + where;
    }
    if (part.exitSignal().isPresent()) {
      return "ended by signal " + part.exitSignal().getAsInt() + where;
    }
    return "ended with an unknown exit code"
        + where
        + (part.detail().isEmpty() ? "" : ": " + part.detail());
  }
}
