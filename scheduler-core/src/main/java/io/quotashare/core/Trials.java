package io.quotashare.core;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.RejectedAlternative;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tries something on a copy of the state and says what came of it (quota-semantics 9.5). The very
 * steps and decisions of the scheduler run, once, at the instant that is asked about; what would
 * follow later, when victims have stopped, is not decided.
 */
public final class Trials {
  private static final double MILLIS_PER_HOUR = 3_600_000.0;

  private Trials() {}

  /**
   * Submits a job to a copy.
   *
   * @param copy is changed, and of no more use
   * @throws RejectedException as {@link Scheduler#submit} would
   */
  public static Trial.OfJob submit(
      Scheduler copy, JobKey key, JobSpec spec, int priority, long nowMillis) {
    settle(copy, nowMillis);
    copy.submit(key, spec, priority, nowMillis);
    copy.decide(nowMillis);
    Batch batch = copy.drain();
    Job job = copy.job(key).orElseThrow();
    Optional<JobEvent> start = start(batch, key);
    Optional<Plan> plan = copy.planFor(key);
    List<Preemption> victims = victims(batch);
    int own = start.map(JobEvent::ownDevices).orElse(0);
    int borrowed = start.map(JobEvent::borrowedDevices).orElse(0);
    if (plan.isPresent()) {
      borrowed = Math.min(job.gpus(), copy.plannedAbove(job.share(), spec.unit()));
      own = job.gpus() - borrowed;
    }
    Explanation explanation = copy.explain(key, nowMillis);
    List<RejectedAlternative> rejected = plan.map(Plan::rejected).orElse(explanation.rejected());
    List<String> details = new ArrayList<>();
    victims.forEach(victim -> details.add(sentence(victim, key)));
    details.addAll(explanation.details());
    Attempt attempt = start.map(JobEvent::attempt).orElse(null);
    return new Trial.OfJob(
        job,
        attempt,
        own,
        borrowed,
        victims,
        rejected,
        summary(job, attempt, own, borrowed, plan, nowMillis),
        details);
  }

  /**
   * Applies a policy to a copy.
   *
   * @param copy is changed, and of no more use
   * @throws RejectedException as {@link Scheduler#applyPolicy} would
   */
  public static Trial.OfPolicy apply(
      Scheduler copy, Policy policy, boolean drainNow, long nowMillis) {
    settle(copy, nowMillis);
    Policy.Diff changes = copy.applyPolicy(policy, drainNow, nowMillis);
    copy.decide(nowMillis);
    Batch batch = copy.drain();
    List<JobKey> starts =
        batch.events().stream()
            .filter(event -> event.type() == JobEvent.Type.STARTED)
            .map(event -> event.job().key())
            .toList();
    List<JobKey> cancelled = new ArrayList<>();
    for (Change change : batch.changes()) {
      // Nothing else ends or stops jobs for good at one instant.
      if (change instanceof Change.JobPut put
          && (put.job().state() == JobState.CANCELLED || put.job().state() == JobState.STOPPING)) {
        cancelled.add(put.job().key());
      }
    }
    return new Trial.OfPolicy(changes, starts, victims(batch), cancelled, waiting(copy));
  }

  /** What time alone has brought is not due to what is tried. */
  private static void settle(Scheduler copy, long nowMillis) {
    copy.decide(nowMillis);
    copy.drain();
  }

  private static Optional<JobEvent> start(Batch batch, JobKey key) {
    return batch.events().stream()
        .filter(event -> event.type() == JobEvent.Type.STARTED && event.job().key().equals(key))
        .findFirst();
  }

  private static List<Preemption> victims(Batch batch) {
    List<Preemption> victims = new ArrayList<>();
    for (Change change : batch.changes()) {
      if (change instanceof Change.PreemptionPut put) {
        victims.add(put.preemption());
      }
    }
    return victims;
  }

  private static int waiting(Scheduler scheduler) {
    int sum = 0;
    for (Queue queue : scheduler.queues()) {
      for (QueueView.ShareView share : scheduler.view(queue.name()).shares()) {
        sum += share.units().stream().mapToInt(QueueView.UnitView::waitingJobs).sum();
      }
    }
    return sum;
  }

  // Words

  private static String summary(
      Job job,
      @Nullable Attempt attempt,
      int own,
      int borrowed,
      Optional<Plan> plan,
      long nowMillis) {
    String who =
        String.format(
            "The job (%s, %s, priority %d)", job.spec().share(), gpus(job.gpus()), job.priority());
    if (attempt != null) {
      List<String> nodes = attempt.parts().stream().map(part -> part.node()).toList();
      return String.format(
          "%s would start at once on %s: %d own, %d borrowed.", who, list(nodes), own, borrowed);
    }
    if (plan.isPresent()) {
      int victims = plan.get().victims().size();
      return String.format(
          "%s would start on %s once %s: %d own, %d borrowed.",
          who,
          list(List.copyOf(plan.get().places().keySet())),
          victims == 0
              ? "what is being freed already is free"
              : String.format(
                  "%s stopped for it, %d s from now at the latest",
                  victims == 1 ? "1 job has" : victims + " jobs have",
                  seconds(plan.get().deadlineMillis() - nowMillis)),
          own,
          borrowed);
    }
    if (job.waiting() == null) {
      return who + " would be " + job.state() + ": " + job.endReason();
    }
    return String.format(
        "%s would wait: %s%s.",
        who,
        job.waiting().reason(),
        job.waiting().reason().isPermanent() ? ", which cannot pass by itself" : "");
  }

  private static String sentence(Preemption victim, JobKey planned) {
    String forWhom =
        victim.beneficiary() == null || victim.beneficiary().equals(planned)
            ? ""
            : " for " + victim.beneficiary().id();
    return String.format(
        Locale.ROOT,
        "%s of share %s would be stopped%s (%s): %s, at a cost of %.2f GPU-h.",
        victim.victim().job().id(),
        victim.share().share(),
        forWhom,
        victim.cause(),
        gpus(victim.gpus()),
        victim.expectedCostDeviceMillis() / MILLIS_PER_HOUR);
  }

  private static String list(List<String> nodes) {
    int shown = 5;
    return nodes.size() <= shown
        ? String.join(", ", nodes)
        : String.join(", ", nodes.subList(0, shown)) + " and " + (nodes.size() - shown) + " more";
  }

  private static String gpus(int count) {
    return count == 1 ? "1 GPU" : count + " GPUs";
  }

  private static long seconds(long millis) {
    return (Math.max(0, millis) + 999) / 1000;
  }
}
