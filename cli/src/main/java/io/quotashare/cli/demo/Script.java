package io.quotashare.cli.demo;

import static io.quotashare.cli.demo.ThreeTeams.BACKGROUND;
import static io.quotashare.cli.demo.ThreeTeams.HIGH;
import static io.quotashare.cli.demo.ThreeTeams.LOW;
import static io.quotashare.cli.demo.ThreeTeams.MED;
import static io.quotashare.cli.demo.ThreeTeams.OWNER;
import static io.quotashare.cli.demo.ThreeTeams.QUEUE;
import static io.quotashare.cli.demo.ThreeTeams.VISION;

import io.quotashare.client.Attempt;
import io.quotashare.client.Job;
import io.quotashare.client.JobEvent;
import io.quotashare.client.JobSpec;
import io.quotashare.client.JobState;
import io.quotashare.client.JobWatch;
import io.quotashare.client.QuotaShareClient;
import io.quotashare.client.SubmitOptions;
import io.quotashare.client.WatchOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Plays the sequence: submits, raises, cancels, and waits for what the watch tells. */
final class Script {
  private static final Duration LONGEST_STEP = Duration.ofSeconds(40);
  private static final Duration LOOK = Duration.ofMillis(100);

  /** Steps that a job makes before the next thing happens, so that there is work to lose. */
  private static final long SOME_STEPS = 15;

  private final QuotaShareClient client;
  private final Path training;
  private final TimelinePrinter timeline;
  private final List<JobEvent> events = new ArrayList<>();
  private final Map<String, Job> jobs = new HashMap<>();

  Script(QuotaShareClient client, Path training, TimelinePrinter timeline) {
    this.client = client;
    this.training = training;
    this.timeline = timeline;
  }

  /** Plays it; the result is every event that the watch told. */
  List<JobEvent> play() {
    try (JobWatch watch = client.jobs().watch(WatchOptions.ofQueue(QUEUE).withoutSnapshot())) {
      if (!watch.awaitEstablished(LONGEST_STEP)) {
        throw new DemoException("the scheduler does not take up the watch");
      }
      timeline.begin();
      threeJobs(watch);
      theOwnerComes(watch);
      lowIsRaised(watch);
      theOwnerLeaves(watch);
    }
    return List.copyOf(events);
  }

  private void threeJobs(JobWatch watch) {
    timeline.heading("background submits high (priority 3), med (2) and low (1). It owns one GPU.");
    submit(BACKGROUND, HIGH, ThreeTeams.HIGH_PRIORITY);
    submit(BACKGROUND, MED, ThreeTeams.MED_PRIORITY);
    submit(BACKGROUND, LOW, ThreeTeams.LOW_PRIORITY);
    until(
        watch,
        "high and med run, and low waits",
        () -> hasSteps(HIGH) && hasSteps(MED) && is(LOW, JobState.RUNNABLE));
  }

  private void theOwnerComes(JobWatch watch) {
    timeline.heading("vision submits a job and wants its GPU back.");
    submit(VISION, OWNER, ThreeTeams.OWNER_PRIORITY);
    until(watch, "owner runs, and med waits", () -> hasSteps(OWNER) && is(MED, JobState.RUNNABLE));
  }

  private void lowIsRaised(JobWatch watch) {
    timeline.heading("background raises low to priority 4, above high.");
    client.jobs().updatePriority("queues/" + QUEUE + "/jobs/" + LOW, ThreeTeams.RAISED_PRIORITY);
    until(watch, "low runs, and high waits", () -> hasSteps(LOW) && is(HIGH, JobState.RUNNABLE));
  }

  private void theOwnerLeaves(JobWatch watch) {
    timeline.heading("vision has what it needed and cancels its job: its GPU is lent again.");
    client.jobs().cancel("queues/" + QUEUE + "/jobs/" + OWNER, "vision has what it needed");
    until(watch, "high goes on", () -> attempt(HIGH) == 2 && hasSteps(HIGH));
  }

  private void submit(String share, String id, int priority) {
    JobSpec spec =
        JobSpec.builder(QUEUE, share)
            .gpus(1)
            .priority(priority)
            .command("python3", training.toString(), "--steps", "1000000", "--step-seconds", "0.1")
            .checkpointEvery(Duration.ofSeconds(5))
            .onDemandCheckpoint()
            .grace(Duration.ofSeconds(20))
            .build();
    client.jobs().submit(spec, SubmitOptions.defaults().withJobId(id));
  }

  /** Reads events until it is so. */
  private void until(JobWatch watch, String what, BooleanSupplier so) {
    long giveUp = System.nanoTime() + LONGEST_STEP.toNanos();
    while (!so.getAsBoolean()) {
      Optional<JobEvent> event = watch.next(LOOK);
      event.ifPresent(this::happened);
      if (event.isEmpty() && System.nanoTime() > giveUp) {
        throw new DemoException(
            "it did not come to this within "
                + LONGEST_STEP.toSeconds()
                + " s: "
                + what
                + ". "
                + explanations());
      }
    }
  }

  private void happened(JobEvent event) {
    events.add(event);
    jobs.put(event.job().id(), event.job());
    timeline.event(event);
  }

  private String explanations() {
    List<String> all = new ArrayList<>();
    for (Job job : jobs.values()) {
      all.add(client.jobs().explain(job.name()).summary());
    }
    return String.join("; ", all);
  }

  private boolean is(String id, JobState state) {
    Job job = jobs.get(id);
    return job != null && job.state() == state;
  }

  private int attempt(String id) {
    Job job = jobs.get(id);
    return job == null ? 0 : job.attemptCount();
  }

  /** It runs and has made some steps in this attempt. */
  private boolean hasSteps(String id) {
    Job job = jobs.get(id);
    Attempt latest = job == null ? null : job.latestAttempt();
    return latest != null
        && job.state() == JobState.RUNNING
        && latest.step() != null
        && latest.step() >= firstStep(id, latest.number()) + SOME_STEPS;
  }

  /** The first step that this attempt reported. */
  private long firstStep(String id, int number) {
    return events.stream()
        .filter(event -> event.job().id().equals(id))
        .map(event -> event.job().latestAttempt())
        .filter(attempt -> isOf(attempt, number))
        .findFirst()
        .map(Attempt::step)
        .orElse(0L);
  }

  private static boolean isOf(@Nullable Attempt attempt, int number) {
    return attempt != null && attempt.number() == number && attempt.step() != null;
  }
}
