package io.quotashare.integration;

import io.quotashare.client.AdminState;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobSpec;
import io.quotashare.client.JobState;
import io.quotashare.client.PolicyQueue;
import io.quotashare.client.Queue;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.SchedulerUnavailableException;
import io.quotashare.client.ShareOrdering;
import io.quotashare.client.SharingStrategy;
import io.quotashare.client.SubmitOptions;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.ClusterSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * The example of three teams that own one device each (AWS Batch, quota management): background
 * borrows as much as there is, vision lends what it does not use, serving keeps its own. Played
 * step by step, each step once the one before is seen to have happened.
 */
final class ThreeTeams {
  static final String QUEUE = "research";
  static final String HIGH = "high";
  static final String MED = "med";
  static final String LOW = "low";
  static final String OWNER = "owner";

  /** The sequence up to its end, as {@link #play} plays it. */
  static final List<String> STORY =
      List.of(
          "SUBMITTED high",
          "STARTED high",
          "RUNNING high",
          "SUBMITTED med",
          "STARTED med",
          "RUNNING med",
          "SUBMITTED low",
          "SUBMITTED owner",
          "PREEMPTING med",
          "CHECKPOINTED med",
          "STOPPED med",
          "RUNNABLE med",
          "STARTED owner",
          "RUNNING owner",
          "PRIORITY low",
          "PREEMPTING high",
          "CHECKPOINTED high",
          "STOPPED high",
          "RUNNABLE high",
          "STARTED low",
          "RUNNING low");

  /** Which of the two variants of the example. */
  enum Variant {
    /** Vision lends only, background may borrow two devices. */
    LEND(SharingStrategy.LEND, 200),
    /** Vision lends and borrows, background may borrow without limit. */
    LEND_AND_BORROW(SharingStrategy.LEND_AND_BORROW, QuotaShare.UNLIMITED);

    private final SharingStrategy vision;
    private final int backgroundBorrowPercent;

    Variant(SharingStrategy vision, int backgroundBorrowPercent) {
      this.vision = vision;
      this.backgroundBorrowPercent = backgroundBorrowPercent;
    }
  }

  private final Cluster cluster;

  ThreeTeams(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Three nodes with one device each. */
  static ClusterSpec nodes() {
    return ClusterSpec.ofNodes("node-a", "node-b", "node-c");
  }

  /** Applies the policy of the example. */
  void applyPolicy(Variant variant) {
    cluster
        .client()
        .shares()
        .applyPolicy(
            List.of(
                new PolicyQueue(
                    Queue.of(QUEUE),
                    List.of(
                        share(
                            "background",
                            SharingStrategy.LEND_AND_BORROW,
                            variant.backgroundBorrowPercent,
                            true),
                        share("vision", variant.vision, null, false),
                        share("serving", SharingStrategy.RESERVE, null, false)))));
  }

  private static QuotaShare share(
      String id, SharingStrategy strategy, @Nullable Integer borrowPercent, boolean inShare) {
    return new QuotaShare(
        QUEUE,
        id,
        Map.of("H100", 1),
        strategy,
        borrowPercent,
        Map.of(),
        null,
        Map.of(),
        inShare,
        ShareOrdering.STRICT,
        1,
        Duration.ZERO,
        AdminState.ENABLED,
        "");
  }

  /** Submits a training job under an id. */
  JobHandle submit(String id, String share, int priority, String... options) {
    SubmitOptions how = SubmitOptions.defaults().withJobId(id).withRequestId(UUID.randomUUID());
    JobSpec job = spec(share, priority, options).build();
    return reliably(() -> cluster.client().jobs().submit(job, how));
  }

  /** What a program does that knows that the scheduler may be away for some seconds. */
  private static <T> T reliably(Callable<T> call) {
    return Awaitility.await("an answer of the scheduler")
        .atMost(Duration.ofSeconds(60))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptionsInstanceOf(SchedulerUnavailableException.class)
        .until(call, Objects::nonNull);
  }

  /** A training job of the example. */
  JobSpec.Builder spec(String share, int priority, String... options) {
    return cluster.training().job(QUEUE, share, options).gpus(1).priority(priority);
  }

  /** The whole sequence, to the point where low runs on what was high's. */
  void play() {
    fillBackground();
    ownerComes();
    ownerRuns();
    raiseLow();
    lowRuns();
  }

  /** High runs on background's own device, med on vision's, low waits. */
  void fillBackground(String... options) {
    submit(HIGH, "background", 3, options);
    running(HIGH);
    submit(MED, "background", 2, options);
    running(MED);
    submit(LOW, "background", 1);
    cluster.events().awaitState(LOW, JobState.RUNNABLE, 0);
  }

  /** Vision wants its device back. */
  void ownerComes() {
    submit(OWNER, "vision", 1);
  }

  /** Waits until vision has it. */
  void ownerRuns() {
    running(OWNER);
  }

  /** Low becomes more important than high. */
  void raiseLow() {
    reliably(() -> cluster.client().jobs().handle(QUEUE, LOW).updatePriority(4));
  }

  /** Waits until low runs on what was high's. */
  void lowRuns() {
    running(LOW);
  }

  /** Waits until a job runs, and has got somewhere. */
  private void running(String job) {
    cluster.events().awaitState(job, JobState.RUNNING, 1);
    cluster.training().awaitSteps(job, 1, 2);
  }

  /** Lets all jobs finish one after the other, and waits until all have. */
  void finishAll() {
    for (String job : List.of(LOW, OWNER, HIGH, MED)) {
      cluster.training().finish(job);
    }
    for (String job : List.of(LOW, OWNER, HIGH, MED)) {
      cluster.events().awaitState(job, JobState.SUCCEEDED, 1);
    }
  }
}
