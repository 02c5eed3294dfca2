package io.quotashare.server.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.Change;
import io.quotashare.core.EndedJobs;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.StopCause;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is due goes in slices of a bounded number of rows, in an order that always holds. */
class SlicesTest {
  private static final RetentionLimits LIMITS =
      new RetentionLimits(1000, 3, 3_600_000, 3_600_000, 3_600_000, 3_600_000);
  private static final JobKey KEY = new JobKey("research", "a");

  private final Scheduler scheduler = new Scheduler();

  /** A job that ended after so many attempts. */
  private static Job ended(int attempts) {
    try (TestServer server = TestServer.create()) {
      server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
      server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 1).build()));
      server.answer(
          server.jobs().cancelJob(CancelJobRequest.newBuilder().setName(KEY.toString()).build()));
      return server
          .answerOf(step -> step.scheduler().job(KEY).orElseThrow())
          .change()
          .attempts(attempts)
          .build();
    }
  }

  @Test
  void aJobWithManyAttemptsGoesPieceByPieceAndTheJobLast() {
    Job job = ended(1_203);
    scheduler
        .archive()
        .keptBy(
            new EndedJobs() {
              @Override
              public Optional<Ended> find(JobKey key) {
                return Optional.of(new Ended(job, null));
              }

              @Override
              public String rule() {
                return "";
              }
            });
    JobRetention retention = new JobRetention(LIMITS);
    retention.take(new Change.JobPut(job));
    long due = retention.dueMillis();
    assertThat(due).isEqualTo(job.endedAtMillis().orElseThrow() + 1000);
    assertThat(retention.remove(scheduler.archive(), due - 1, 500)).isZero();

    List<Change> removed = new ArrayList<>();
    int slices = 0;
    while (retention.size() > 0) {
      int rows = retention.remove(scheduler.archive(), due, 500);
      List<Change> slice = scheduler.drain().changes();
      assertThat(slice).hasSize(rows).hasSizeLessThanOrEqualTo(500);
      if (++slices == 2) {
        // Not durable: the same again.
        retention.forgetStep();
        continue;
      }
      removed.addAll(slice);
      retention.committed();
    }

    assertThat(slices).isEqualTo(6);
    assertThat(removed).hasSize(2 * 1_203 + 1).doesNotHaveDuplicates();
    for (int number = 1; number <= 1_203; number++) {
      AttemptKey attempt = new AttemptKey(KEY, number);
      assertThat(removed.get(2 * number - 2)).isEqualTo(new Change.PreemptionRemoved(attempt));
      assertThat(removed.get(2 * number - 1)).isEqualTo(new Change.AttemptRemoved(attempt));
    }
    assertThat(removed.get(2 * 1_203)).isEqualTo(new Change.JobRemoved(KEY));
    assertThat(retention.dueMillis()).isEqualTo(Long.MAX_VALUE);
  }

  private static ObservedPreemption observed(long decision, long atMillis) {
    ShareKey share = new ShareKey("research", "borrower");
    return new ObservedPreemption(
        decision,
        new AttemptKey(KEY, 1),
        share,
        null,
        null,
        StopCause.RECLAIM,
        1,
        atMillis,
        0,
        false,
        List.of());
  }

  @Test
  void recordsOfWhatWasOnlyObservedGoByTheirAgeAndTheirNumber() {
    ObservedRetention retention = new ObservedRetention(LIMITS);
    for (int i = 1; i <= 5; i++) {
      retention.take(new Change.ObservedPreemptionPut(observed(i, 100L * i)));
    }
    assertThat(retention.dueMillis()).as("more than three").isEqualTo(Long.MIN_VALUE);

    assertThat(retention.remove(scheduler.archive(), 500, 500)).isEqualTo(2);
    assertThat(scheduler.drain().changes())
        .containsExactly(
            new Change.ObservedPreemptionRemoved(new AttemptKey(KEY, 1), 1),
            new Change.ObservedPreemptionRemoved(new AttemptKey(KEY, 1), 2));
    retention.committed();
    assertThat(retention.dueMillis()).isEqualTo(1300);

    assertThat(retention.remove(scheduler.archive(), 1400, 1)).as("a slice of one").isOne();
    retention.forgetStep();
    assertThat(retention.remove(scheduler.archive(), 1400, 9)).isEqualTo(2);
    retention.committed();
    assertThat(retention.dueMillis()).isEqualTo(1500);
  }
}
