package io.quotashare.integration;

import static io.quotashare.integration.ThreeTeams.HIGH;
import static io.quotashare.integration.ThreeTeams.LOW;
import static io.quotashare.integration.ThreeTeams.MED;
import static io.quotashare.integration.ThreeTeams.OWNER;
import static io.quotashare.integration.ThreeTeams.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.quotashare.client.Attempt;
import io.quotashare.client.Job;
import io.quotashare.client.JobFilter;
import io.quotashare.client.JobState;
import io.quotashare.client.Preemption;
import io.quotashare.client.PreemptionCause;
import io.quotashare.integration.cluster.AttemptHistory;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.History;
import java.util.ArrayList;
import java.util.List;

/** What must hold after the example of the three teams, whatever happened to the processes. */
final class Outcome {
  private final Cluster cluster;

  private Outcome(Cluster cluster) {
    this.cluster = cluster;
  }

  static Outcome of(Cluster cluster) {
    return new Outcome(cluster);
  }

  /** At the end of the sequence: low and owner run, high and med were stopped once and wait. */
  void endsAsTheExampleSays() {
    assertThat(cluster.client().jobs().list(JobFilter.of(QUEUE)))
        .extracting(Job::id, Job::state, Job::preemptionCount, Job::attemptCount)
        .containsExactlyInAnyOrder(
            tuple(HIGH, JobState.RUNNABLE, 1, 1),
            tuple(MED, JobState.RUNNABLE, 1, 1),
            tuple(LOW, JobState.RUNNING, 0, 1),
            tuple(OWNER, JobState.RUNNING, 0, 1));
    assertThat(cluster.client().queues().snapshot(QUEUE).pools())
        .singleElement()
        .satisfies(
            pool -> {
              assertThat(pool.total()).isEqualTo(3);
              assertThat(pool.held()).isEqualTo(2);
              assertThat(pool.reservedIdle()).as("serving's own").isEqualTo(1);
            });
    victimsSaved();
  }

  private void victimsSaved() {
    List<Preemption> newestFirst = new ArrayList<>();
    cluster.client().queues().preemptions(QUEUE).forEach(newestFirst::add);
    assertThat(newestFirst)
        .extracting(Preemption::jobId, Preemption::beneficiaryJob, Preemption::cause)
        .containsExactly(
            tuple(HIGH, LOW, PreemptionCause.IN_SHARE), tuple(MED, OWNER, PreemptionCause.RECLAIM));
    assertThat(newestFirst)
        .allSatisfy(
            preemption -> {
              assertThat(preemption.savedAt()).as("saved").isNotNull();
              assertThat(preemption.freedAt()).as("freed").isNotNull();
            });
  }

  /**
   * Once all jobs have finished: the victims went on where they saved, no process was started that
   * should not have been, and all time is accounted for.
   */
  void allFinishedAndNothingLost() {
    assertThat(cluster.client().jobs().list(JobFilter.of(QUEUE)))
        .extracting(Job::id, Job::state, Job::preemptionCount, Job::attemptCount)
        .containsExactlyInAnyOrder(
            tuple(HIGH, JobState.SUCCEEDED, 1, 2),
            tuple(MED, JobState.SUCCEEDED, 1, 2),
            tuple(LOW, JobState.SUCCEEDED, 0, 1),
            tuple(OWNER, JobState.SUCCEEDED, 0, 1));
    goesOnFromItsCheckpoint(HIGH);
    goesOnFromItsCheckpoint(MED);
    History.of(cluster).check();
    Ledger.of(cluster, QUEUE).check(3);
  }

  /** Read from the attempts' own words: the second goes on where the first saved. */
  private void goesOnFromItsCheckpoint(String job) {
    AttemptHistory first = cluster.training().history(job, 1);
    AttemptHistory second = cluster.training().history(job, 2);
    assertThat(first.firstStep()).isZero();
    assertThat(first.lastWord()).isEqualTo("stopped");
    assertThat(first.savedStep()).contains(first.lastStep());
    assertThat(second.fact("resume")).isEqualTo("1");
    assertThat(second.firstStep()).isPositive().isEqualTo(first.lastStep());
    assertThat(second.lastWord()).isEqualTo("done");

    List<Attempt> attempts = new ArrayList<>();
    cluster.client().jobs().handle(QUEUE, job).attempts().forEach(attempts::add);
    assertThat(attempts).hasSize(2);
    assertThat(attempts.get(0).checkpointConfirmed()).isTrue();
    assertThat(attempts.get(0).checkpointStep()).isEqualTo(first.lastStep());
    assertThat(attempts.get(1).exitCode()).isZero();
  }
}
