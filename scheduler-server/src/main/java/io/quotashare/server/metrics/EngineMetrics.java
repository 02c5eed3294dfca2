package io.quotashare.server.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quotashare.core.Change;
import io.quotashare.core.JobEvent;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.server.engine.Commit;
import io.quotashare.server.engine.EngineListener;
import io.quotashare.server.engine.Restored;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Measures what the engine does. Engine's thread only. */
public final class EngineMetrics implements EngineListener {
  private static final Duration[] SHORT = {
    Duration.ofNanos(100_000),
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5)
  };

  /** Bounds of what people wait for. */
  static final Duration[] LONG = {
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(15),
    Duration.ofMinutes(1),
    Duration.ofMinutes(5),
    Duration.ofMinutes(15),
    Duration.ofHours(1),
    Duration.ofHours(4),
    Duration.ofHours(24)
  };

  private final MeterRegistry registry;
  private final Timer decision;
  private final Timer commit;
  private final ReclaimMetrics reclaim;

  /** Since when each waiting job waits. */
  private final Map<JobKey, Long> waitingSince = new HashMap<>();

  public EngineMetrics(MeterRegistry registry) {
    this.registry = requireNonNull(registry, "registry is null");
    this.reclaim = new ReclaimMetrics(registry);
    this.decision =
        Timer.builder("quotashare.decision")
            .description("Applying a batch and deciding")
            .serviceLevelObjectives(SHORT)
            .register(registry);
    this.commit =
        Timer.builder("quotashare.commit")
            .description("Making a batch durable")
            .serviceLevelObjectives(SHORT)
            .register(registry);
  }

  @Override
  public void started(Restored restored) {
    Map<AttemptKey, Long> ends = new HashMap<>();
    for (Change row : restored.rows()) {
      if (row instanceof Change.AttemptPut put && put.attempt().endedAtMillis().isPresent()) {
        ends.put(put.attempt().key(), put.attempt().endedAtMillis().getAsLong());
      }
    }
    for (Job job : restored.scheduler().jobs()) {
      if (job.state().isWaiting()) {
        Long end = job.attempts() == 0 ? null : ends.get(job.newestAttempt());
        waitingSince.put(job.key(), end == null ? job.submittedAtMillis() : end);
      }
    }
    reclaim.started(restored);
  }

  @Override
  public void committed(Commit done) {
    decision.record(done.decisionNanos(), TimeUnit.NANOSECONDS);
    commit.record(done.commitNanos(), TimeUnit.NANOSECONDS);
    reclaim.committed(done, waitingSince);
    done.batch().events().forEach(this::happened);
    done.batch().changes().forEach(this::observed);
  }

  private void happened(JobEvent event) {
    JobKey key = event.job().key();
    switch (event.type()) {
      case SUBMITTED, RUNNABLE -> waitingSince.put(key, event.atMillis());
      case STARTED -> started(event);
      case FAILED, CANCELLED, SUCCEEDED -> waitingSince.remove(key);
      case PREEMPTING -> preempting(event);
      case WAITING, RUNNING, CHECKPOINTED, STOPPED, PRIORITY, UPDATED -> {}
    }
  }

  private void started(JobEvent event) {
    Long since = waitingSince.remove(event.job().key());
    if (since != null) {
      Timer.builder("quotashare.waiting")
          .description("From submission, or from the end of the attempt before, to the start")
          .tag("queue", event.job().key().queue())
          .tag("share", event.job().spec().share())
          .serviceLevelObjectives(LONG)
          .register(registry)
          .record(event.atMillis() - since, TimeUnit.MILLISECONDS);
    }
  }

  private void observed(Change change) {
    if (change instanceof Change.ObservedPreemptionPut put) {
      Counter.builder("quotashare.observed.preemptions")
          .description("Attempts that a queue which only observes would have told to stop")
          .tag("queue", put.preemption().share().queue())
          .tag("share", put.preemption().share().share())
          .tag("cause", put.preemption().cause().name())
          .register(registry)
          .increment();
    }
  }

  private void preempting(JobEvent event) {
    Attempt attempt = event.attempt();
    if (attempt != null && attempt.stop() != null) {
      Counter.builder("quotashare.preemptions")
          .description(
              "Attempts that were told to stop for another job, a limit, a drain or on request")
          .tag("queue", event.job().key().queue())
          .tag("share", event.job().spec().share())
          .tag("cause", attempt.stop().cause().name())
          .register(registry)
          .increment();
    }
  }
}
