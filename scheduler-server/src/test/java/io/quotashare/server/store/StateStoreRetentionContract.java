package io.quotashare.server.store;

import static io.quotashare.server.store.SampleState.QUEUE;
import static io.quotashare.server.store.SampleState.answer;
import static io.quotashare.server.store.SampleState.attempt;
import static io.quotashare.server.store.SampleState.batch;
import static io.quotashare.server.store.SampleState.counters;
import static io.quotashare.server.store.SampleState.event;
import static io.quotashare.server.store.SampleState.job;
import static io.quotashare.server.store.SampleState.node;
import static io.quotashare.server.store.SampleState.preemption;
import static io.quotashare.server.store.SampleState.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Outcome;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.UsageSample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every store promises about what it is told to remove, and what it removes by itself. */
abstract class StateStoreRetentionContract extends StateStoreContract {
  private static final JobKey OLD = new JobKey(QUEUE, "j-old");

  /** Another empty store, with bounds of its own. */
  abstract StateStore openOther(StoreLimits limits);

  private long revision() {
    return store.lastCommit().revision() + 1;
  }

  /** An ended job with three attempts, each of which was preempted. */
  private void commitOldJob() {
    Job old = SampleState.ended(job(OLD, "vision", 9).change().attempts(3).build(), 5000);
    List<Change> changes = new ArrayList<>();
    changes.add(new Change.QueuePut(queue(QUEUE)));
    changes.add(new Change.NodePut(node("n1", 4)));
    changes.add(counters(10, 1));
    changes.add(new Change.JobPut(old));
    for (int number = 1; number <= 3; number++) {
      Attempt ended =
          attempt(old, number, "n1", 0).change().ended(Outcome.PREEMPTED, 3000, "", 7).build();
      changes.add(new Change.AttemptPut(ended));
      changes.add(new Change.PreemptionPut(preemption(ended.key(), old.share(), 2500, 7)));
    }
    commit(changes.toArray(Change[]::new));
  }

  private static List<Change> removal(int first, int last) {
    List<Change> changes = new ArrayList<>();
    for (int number = first; number <= last; number++) {
      changes.add(new Change.PreemptionRemoved(new AttemptKey(OLD, number)));
      changes.add(new Change.AttemptRemoved(new AttemptKey(OLD, number)));
    }
    return changes;
  }

  @Test
  void removesAnEndedJobWithAllThatBelongsToIt() {
    commitOldJob();
    List<Change> changes = removal(1, 3);
    changes.add(new Change.JobRemoved(OLD));
    Collections.reverse(changes);

    commit(changes.toArray(Change[]::new));

    assertThat(loaded()).hasSize(3);
    assertThat(store.job(OLD)).isEmpty();
    assertThat(store.attempts(OLD)).isEmpty();
    assertThat(store.preemptions(new PreemptionQuery(QUEUE, "", 10, "")).items()).isEmpty();
    store = reopen(store);
    epoch = store.takeEpoch();
    assertThat(loaded()).hasSize(3);
  }

  @Test
  void removesAnEndedJobPieceByPiece() {
    commitOldJob();

    commit(removal(1, 2).toArray(Change[]::new));
    assertThat(loaded()).hasSize(6);
    assertThat(store.attempts(OLD)).extracting(a -> a.key().number()).containsExactly(3);

    commit(removal(1, 3).toArray(Change[]::new));
    assertThat(loaded()).as("what is gone already may be removed again").hasSize(4);

    commit(new Change.JobRemoved(OLD));
    assertThat(loaded()).hasSize(3);
  }

  @Test
  void theIdOfARemovedJobMayBeGivenAgain() {
    commitOldJob();
    List<Change> changes = removal(1, 3);
    changes.add(new Change.JobRemoved(OLD));
    commit(changes.toArray(Change[]::new));

    Job again = job(OLD, "vision", 20);
    commit(
        new Change.SharePut(SampleState.share(QUEUE, "vision")),
        new Change.JobPut(again),
        counters(21, 1));

    assertThat(store.job(OLD)).contains(again);
    assertThat(loaded()).contains(new Change.JobPut(again)).hasSize(5);
  }

  @Test
  void stopsWhenARowIsRemovedThatOthersReferTo() {
    commitOldJob();

    assertThatThrownBy(() -> commit(new Change.JobRemoved(OLD)))
        .isInstanceOf(StoreFailedException.class);

    store = reopen(store);
    epoch = store.takeEpoch();
    assertThat(loaded()).hasSize(10);
  }

  @Test
  void countsWhatItHoldsAndWhatItRemoved() {
    commitOldJob();
    commit(removal(1, 2).toArray(Change[]::new));

    StoreStatistics statistics = store.statistics();

    assertThat(statistics.rows())
        .containsEntry("jobs", 1L)
        .containsEntry("attempts", 1L)
        .containsEntry("preemptions", 1L);
    assertThat(statistics.removed()).containsEntry("attempts", 2L).containsEntry("preemptions", 2L);
    assertThat(statistics.removed().getOrDefault("jobs", 0L)).isZero();
  }

  private void commitAudit(long atMillis, int events) {
    List<AuditEvent> audit = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      audit.add(event("ann", "queues/q", "event " + i));
    }
    store.commit(new CommitBatch(epoch, revision(), atMillis, List.of(), audit, List.of()));
  }

  private List<Long> auditSequences() {
    return store.audit(AuditQuery.newest(1000)).items().stream()
        .map(AuditRecord::sequence)
        .toList();
  }

  @Test
  void removesOldAuditEntriesAndGoesOnCounting() {
    commitAudit(1000, 3);
    commitAudit(2000, 1);
    assertThat(store.nextRemovalMillis()).hasValue(1000 + LIMITS.auditRetentionMillis());

    commitAudit(1000 + LIMITS.auditRetentionMillis(), 1);
    assertThat(auditSequences()).containsExactly(5L, 4L);
    assertThat(store.statistics().removed()).containsEntry("audit", 3L);

    store = reopen(store);
    epoch = store.takeEpoch();
    assertThat(loaded()).isEmpty();
    assertThat(store.nextRemovalMillis()).hasValue(2000 + LIMITS.auditRetentionMillis());
    commitAudit(3000 + LIMITS.auditRetentionMillis(), 2);
    assertThat(auditSequences()).containsExactly(7L, 6L, 5L);
  }

  @Test
  void keepsTheNewestAuditEntryHoweverOld() {
    commitAudit(1000, 2);
    commitAudit(1000 + 3 * LIMITS.auditRetentionMillis(), 0);
    assertThat(auditSequences()).containsExactly(2L);
    assertThat(store.nextRemovalMillis()).isEmpty();

    store = reopen(store);
    epoch = store.takeEpoch();
    commitAudit(1000 + 3 * LIMITS.auditRetentionMillis(), 1);
    assertThat(auditSequences()).as("its number is not given again").containsExactly(3L);
  }

  @Test
  void removesTheOldestAuditEntriesBeyondTheBound() {
    commitAudit(1000, 5);
    commitAudit(1001, 5);

    assertThat(auditSequences()).hasSize(8).first().isEqualTo(10L);
    assertThat(loaded()).isEmpty();
  }

  @Test
  void aCommitRemovesABoundedNumberOfAuditEntries() {
    int many = 2 * AuditLog.MAX_REMOVED;
    try (StateStore large = openOther(new StoreLimits(1, 1, 1000, 100_000))) {
      long writer = large.takeEpoch();
      List<AuditEvent> events = Collections.nCopies(many, event("ann", "queues/q", ""));
      large.commit(new CommitBatch(writer, 1, 1000, List.of(), events, List.of()));
      assertThat(large.nextRemovalMillis()).hasValue(2000);

      large.commit(batch(writer, 2, counters(1, 1)));

      assertThat(large.statistics().rows()).containsEntry("audit", (long) AuditLog.MAX_REMOVED);
      assertThat(large.nextRemovalMillis()).as("the rest is due").hasValue(2000);
    }
  }

  @Test
  void aCommitForgetsABoundedNumberOfAnswers() {
    AnswerIndex index = new AnswerIndex(new StoreLimits(1000, 100_000, 1, 1));
    for (int i = 0; i < 2000; i++) {
      index.add(answer("ann", "r-" + i, "").key(), new AnswerIndex.Entry(0, 0));
    }

    assertThat(index.nextRemovalMillis()).hasValue(1000);
    assertThat(index.toForget(5000, 30)).hasSize(AnswerIndex.MAX_FORGOTTEN + 30);
  }

  private static UsageSample sample(String unit, long atMillis) {
    return new UsageSample(
        new PoolKey(QUEUE, unit),
        atMillis,
        500,
        1,
        2,
        atMillis,
        4,
        5,
        List.of(
            new UsageSample.ShareUsage(
                "vision", atMillis, 0, 0, 1, 2, new DeviceMillis(atMillis, 0, 0, 0, 0))));
  }

  @Test
  void givesSamplesOfTheLedgerByInstant() {
    commit(new Change.QueuePut(queue(QUEUE)));
    commit(
        new Change.UsageSamplePut(sample("H100", 1000)),
        new Change.UsageSamplePut(sample("A100", 1000)),
        new Change.UsageSamplePut(sample("H100", 2000)),
        new Change.UsageSamplePut(sample("H100", 3000)));
    commit(new Change.UsageSampleRemoved(new PoolKey(QUEUE, "H100"), 2000));

    store = reopen(store);
    epoch = store.takeEpoch();

    assertThat(store.usageInstants(QUEUE))
        .containsExactly(
            new UsageInstant("A100", 1000, 500),
            new UsageInstant("H100", 1000, 500),
            new UsageInstant("H100", 3000, 500));
    assertThat(store.usageSamples(QUEUE, List.of(1000L, 2000L)))
        .containsExactly(sample("A100", 1000), sample("H100", 1000));
    assertThat(store.usageSamples(QUEUE, List.of())).isEmpty();
    assertThat(store.usageInstants("other")).isEmpty();
    assertThat(loaded()).hasSize(4);
  }
}
