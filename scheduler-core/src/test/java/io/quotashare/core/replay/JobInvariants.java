package io.quotashare.core.replay;

import static io.quotashare.core.replay.InvariantChecker.require;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.JobEvent;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Queue;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * I5: a job that was accepted is never lost and ends once; I7: an attempt is told to stop for
 * another job once, no preemption is futile, and there is no ping-pong (quota-semantics 6.6).
 */
final class JobInvariants {
  private static final Set<JobEvent.Type> NEWS =
      EnumSet.of(
          JobEvent.Type.SUBMITTED,
          JobEvent.Type.SUCCEEDED,
          JobEvent.Type.FAILED,
          JobEvent.Type.CANCELLED,
          JobEvent.Type.PRIORITY);

  private final Map<JobKey, JobState> states = new HashMap<>();
  private final Set<AttemptKey> victims = new HashSet<>();
  private final Map<JobKey, Long> newsAtLastPreemption = new HashMap<>();
  private long news;

  void check(Scheduler scheduler, Batch step, long nowMillis) {
    for (Change change : step.changes()) {
      if (change instanceof Change.JobPut put) {
        checkState(scheduler, put.job());
      }
      news += change instanceof Change.SharePut || change instanceof Change.NodePut ? 1 : 0;
    }
    for (JobEvent event : step.events()) {
      news += NEWS.contains(event.type()) ? 1 : 0;
      if (event.type() == JobEvent.Type.PREEMPTING) {
        checkVictim(event);
      }
    }
    for (JobKey key : states.keySet()) {
      require(scheduler.job(key).isPresent(), "I5: %s is lost", key);
    }
    for (Queue queue : scheduler.queues()) {
      long futile = scheduler.usage(queue.name(), nowMillis).futilePreemptions();
      require(futile == 0, "I7: %s futile preemptions", futile);
    }
  }

  private void checkState(Scheduler scheduler, Job job) {
    JobState old = states.put(job.key(), job.state());
    require(
        old == null || !old.isTerminal() || old == job.state(),
        "I5: %s is %s and was %s",
        job.key(),
        job.state(),
        old);
    Optional<Attempt> newest =
        job.attempts() == 0 ? Optional.empty() : scheduler.attempt(job.newestAttempt());
    if (job.state().isWaiting() || job.state().isTerminal()) {
      boolean over = newest.map(a -> a.state() == AttemptState.ENDED).orElse(true);
      require(over, "I5: %s is %s with %s", job.key(), job.state(), newest);
    } else {
      boolean shown = newest.map(a -> a.state().shownAs() == job.state()).orElse(false);
      require(shown, "I5: %s is %s with %s", job.key(), job.state(), newest);
    }
  }

  private void checkVictim(JobEvent event) {
    JobKey job = event.job().key();
    require(
        victims.add(event.job().newestAttempt()),
        "I7: %s is told to stop for another job again",
        event.job().newestAttempt());
    Long before = newsAtLastPreemption.put(job, news);
    require(
        before == null || before < news, "I7: %s is preempted again although nothing is new", job);
  }
}
