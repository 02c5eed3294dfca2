package io.quotashare.server.store;

import static io.quotashare.server.store.SampleState.POOL;
import static io.quotashare.server.store.SampleState.QUEUE;
import static io.quotashare.server.store.SampleState.RUNNING;
import static io.quotashare.server.store.SampleState.answer;
import static io.quotashare.server.store.SampleState.batch;
import static io.quotashare.server.store.SampleState.counters;
import static io.quotashare.server.store.SampleState.event;
import static io.quotashare.server.store.SampleState.job;
import static io.quotashare.server.store.SampleState.queue;
import static io.quotashare.server.store.SampleState.share;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.Change;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store promises about what it is given to keep. */
abstract class StateStoreContract {
  static final StoreLimits LIMITS = new StoreLimits(10_000, 4, 100_000, 8);

  StateStore store;
  long epoch;

  /** An empty store. */
  abstract StateStore open();

  /** What a restarted scheduler finds after this one is gone. */
  abstract StateStore reopen(StateStore store);

  @BeforeEach
  void openStore() {
    store = open();
    epoch = store.takeEpoch();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  final void commit(Change... changes) {
    store.commit(batch(epoch, store.lastCommit().revision() + 1, changes));
  }

  final List<Change> loaded() {
    List<Change> changes = new ArrayList<>();
    store.load().forEach(changes::add);
    return changes;
  }

  /** What a job refers to. */
  final void commitQueueAndShare(long nextSequence) {
    commit(
        new Change.QueuePut(queue(QUEUE)),
        new Change.SharePut(share(QUEUE, "vision")),
        counters(nextSequence, 0));
  }

  final void commitEverything() {
    commit(SampleState.everything().toArray(Change[]::new));
  }

  @Test
  void isEmptyAtFirst() {
    assertThat(epoch).isEqualTo(1);
    assertThat(store.lastCommit()).isEqualTo(new CommitPoint(1, 0, 0));
    assertThat(loaded()).isEmpty();
    assertThat(store.jobs(JobQuery.ofQueue(QUEUE, 10)).jobs()).isEmpty();
    assertThat(store.audit(AuditQuery.newest(10)).items()).isEmpty();
  }

  @Test
  void givesEveryRowBackInOrder() {
    commitEverything();

    assertThat(loaded()).isEqualTo(SampleState.everything());
  }

  @Test
  void takesTheRowsOfABatchInAnyOrder() {
    List<Change> changes = new ArrayList<>(SampleState.everything());
    Collections.reverse(changes);

    commit(changes.toArray(Change[]::new));

    assertThat(loaded()).isEqualTo(SampleState.everything());
  }

  @Test
  void survivesARestart() {
    commitEverything();
    store.commit(
        new CommitBatch(
            epoch,
            2,
            2000,
            List.of(),
            List.of(event("ann", "queues/q/jobs/a", "first")),
            List.of(answer("ann", "r-1", "one"))));

    store = reopen(store);

    assertThat(store.lastCommit()).isEqualTo(new CommitPoint(1, 2, 2000));
    assertThat(store.takeEpoch()).isEqualTo(2);
    assertThat(loaded()).isEqualTo(SampleState.everything());
    assertThat(store.answer(new RequestKey("ann", "r-1"))).contains(answer("ann", "r-1", "one"));
    assertThat(store.audit(AuditQuery.newest(10)).items()).hasSize(1);
  }

  @Test
  void keepsOnlyTheLastVersionOfARow() {
    commitQueueAndShare(1);
    commit(new Change.JobPut(job(RUNNING, "vision", 0)));
    Job raised = job(RUNNING, "vision", 0).change().priority(99).build();
    commit(new Change.JobPut(raised));

    assertThat(loaded()).contains(new Change.JobPut(raised)).hasSize(4);
    assertThat(store.job(RUNNING)).contains(raised);
  }

  @Test
  void forgetsWhatWasRemoved() {
    commitEverything();
    commit(new Change.SharePut(share(QUEUE, "idle")));
    commit(
        new Change.ShareRemoved(new ShareKey(QUEUE, "idle")),
        new Change.PlanRemoved(4),
        new Change.HoldRemoved(POOL),
        new Change.ObservationRemoved(3),
        new Change.ObservedPreemptionRemoved(new AttemptKey(RUNNING, 1), 3),
        new Change.PauseRemoved());

    assertThat(loaded())
        .hasSize(SampleState.everything().size() - 5)
        .doesNotContain(new Change.SharePut(share(QUEUE, "idle")))
        .noneMatch(c -> c instanceof Change.PlanPut || c instanceof Change.HoldPut)
        .noneMatch(c -> c instanceof Change.ObservationPut || c instanceof Change.PausePut)
        .contains(new Change.SharePut(share(QUEUE, "background")));
  }

  @Test
  void removingWhatIsNotThereDoesNothing() {
    commit(new Change.QueuePut(queue(QUEUE)), new Change.PlanRemoved(77));

    assertThat(loaded()).containsExactly(new Change.QueuePut(queue(QUEUE)));
  }

  @Test
  void refusesAnOldEpochAndWritesNothing() {
    long newer = store.takeEpoch();
    CommitBatch late =
        new CommitBatch(
            epoch,
            1,
            1000,
            List.of(new Change.QueuePut(queue(QUEUE))),
            List.of(event("ann", "queues/q", "late")),
            List.of(answer("ann", "r-1", "late")));

    assertThatThrownBy(() -> store.commit(late))
        .isInstanceOfSatisfying(
            FencedException.class, e -> assertThat(e.newestEpoch()).isEqualTo(newer));

    assertThat(store.lastCommit()).isEqualTo(new CommitPoint(newer, 0, 0));
    assertThat(loaded()).isEmpty();
    assertThat(store.answer(new RequestKey("ann", "r-1"))).isEmpty();
    assertThat(store.audit(AuditQuery.newest(10)).items()).isEmpty();
    store.commit(batch(newer, 1, new Change.QueuePut(queue(QUEUE))));
    assertThat(loaded()).hasSize(1);
  }

  @Test
  void refusesAnEpochThatWasNeverTaken() {
    assertThatThrownBy(() -> store.commit(batch(epoch + 1, 1))).isInstanceOf(FencedException.class);
  }

  @Test
  void refusesARevisionThatDoesNotFollow() {
    commit(new Change.QueuePut(queue(QUEUE)));

    assertThatThrownBy(() -> store.commit(batch(epoch, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("revision: 1 (expected: 2, one more than the last)");
    assertThatThrownBy(() -> store.commit(batch(epoch, 3)))
        .isInstanceOf(IllegalArgumentException.class);
    commit(new Change.QueuePut(queue("other")));
    assertThat(store.lastCommit().revision()).isEqualTo(2);
  }

  @Test
  void refusesARowTwiceInABatchAndWritesNothing() {
    assertThatThrownBy(
            () ->
                commit(
                    new Change.QueuePut(queue(QUEUE)),
                    new Change.SharePut(share(QUEUE, "vision")),
                    new Change.ShareRemoved(new ShareKey(QUEUE, "vision"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("row research/vision of shares twice");

    assertThat(loaded()).isEmpty();
    assertThat(store.lastCommit().revision()).isZero();
  }

  @Test
  void stopsWhenARowRefersToOneThatIsNotThere() {
    assertThatThrownBy(() -> commit(new Change.JobPut(job(RUNNING, "vision", 0))))
        .isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(this::loaded).isInstanceOf(StoreFailedException.class);

    store = reopen(store);
    assertThat(loaded()).isEmpty();
  }

  @Test
  void refusesToLoadRowsThatContradictEachOther() {
    commitQueueAndShare(1);
    commit(new Change.JobPut(job(RUNNING, "vision", 0).change().attempts(1).build()));

    assertThatThrownBy(this::loaded)
        .isInstanceOfSatisfying(
            DamagedStateException.class,
            e -> {
              assertThat(e.table()).isEqualTo("jobs");
              assertThat(e.rowKey()).isEqualTo("research/j-running");
            })
        .hasMessageContaining("counts 1 attempts, but 0 are there");
  }

  @Test
  void remembersTheFirstAnswerOfEachPrincipal() {
    store.commit(
        new CommitBatch(
            epoch,
            1,
            1000,
            List.of(),
            List.of(),
            List.of(answer("ann", "r-1", "anns"), answer("bob", "r-1", "bobs"))));

    assertThat(store.answer(new RequestKey("ann", "r-1"))).contains(answer("ann", "r-1", "anns"));
    assertThat(store.answer(new RequestKey("bob", "r-1"))).contains(answer("bob", "r-1", "bobs"));
    assertThat(store.answer(new RequestKey("ann", "r-2"))).isEmpty();
  }

  @Test
  void refusesASecondAnswer() {
    RequestAnswer first = answer("ann", "r-1", "one");
    store.commit(new CommitBatch(epoch, 1, 1000, List.of(), List.of(), List.of(first)));

    assertThatThrownBy(
            () ->
                store.commit(
                    new CommitBatch(
                        epoch,
                        2,
                        2000,
                        List.of(),
                        List.of(),
                        List.of(answer("ann", "r-1", "two")))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("answered already");
    assertThat(store.answer(first.key())).contains(first);
    assertThat(store.lastCommit().revision()).isEqualTo(1);
  }

  @Test
  void forgetsAnswersAfterTheirTime() {
    RequestAnswer first = answer("ann", "r-1", "one");
    store.commit(new CommitBatch(epoch, 1, 1000, List.of(), List.of(), List.of(first)));
    store.commit(new CommitBatch(epoch, 2, 10_999, List.of(), List.of(), List.of()));
    assertThat(store.answer(first.key())).contains(first);

    store.commit(new CommitBatch(epoch, 3, 11_000, List.of(), List.of(), List.of()));

    assertThat(store.answer(first.key())).isEmpty();
    store = reopen(store);
    epoch = store.takeEpoch();
    assertThat(store.answer(first.key())).isEmpty();
    store.commit(new CommitBatch(epoch, 4, 11_000, List.of(), List.of(), List.of(first)));
    assertThat(store.answer(first.key())).contains(first);
  }

  @Test
  void forgetsTheOldestAnswersBeyondTheBound() {
    for (int i = 1; i <= 6; i++) {
      store.commit(
          new CommitBatch(
              epoch, i, 1000, List.of(), List.of(), List.of(answer("ann", "r-" + i, "a"))));
    }

    assertThat(store.answer(new RequestKey("ann", "r-2"))).isEmpty();
    assertThat(store.answer(new RequestKey("ann", "r-3"))).isPresent();
    store = reopen(store);
    store.takeEpoch();
    assertThat(store.answer(new RequestKey("ann", "r-2"))).isEmpty();
    assertThat(store.answer(new RequestKey("ann", "r-3"))).isPresent();
    assertThat(loaded()).isEmpty();
  }

  @Test
  void isNotUsableAfterClosing() {
    store.close();
    store.close();

    assertThatThrownBy(() -> store.commit(batch(epoch, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the store is closed");
    assertThatThrownBy(() -> store.job(RUNNING)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.answer(new RequestKey("ann", "r")))
        .isInstanceOf(IllegalStateException.class);
  }
}
