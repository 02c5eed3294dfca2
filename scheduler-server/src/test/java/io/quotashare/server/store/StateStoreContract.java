package io.quotashare.server.store;

import static io.quotashare.server.store.SampleState.ENDED;
import static io.quotashare.server.store.SampleState.POOL;
import static io.quotashare.server.store.SampleState.QUEUE;
import static io.quotashare.server.store.SampleState.RUNNING;
import static io.quotashare.server.store.SampleState.VICTIM;
import static io.quotashare.server.store.SampleState.WAITING;
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
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Outcome;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store promises. */
abstract class StateStoreContract {
  static final StoreLimits LIMITS = new StoreLimits(10_000, 4);

  private StateStore store;
  private long epoch;

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

  private void commit(Change... changes) {
    store.commit(batch(epoch, store.lastCommit().revision() + 1, changes));
  }

  private List<Change> loaded() {
    List<Change> changes = new ArrayList<>();
    store.load().forEach(changes::add);
    return changes;
  }

  private void commitEverything() {
    commit(SampleState.everything().toArray(Change[]::new));
  }

  @Test
  void isEmptyAtFirst() {
    assertThat(epoch).isEqualTo(1);
    assertThat(store.lastCommit()).isEqualTo(new CommitPoint(1, 0, 0));
    assertThat(loaded()).isEmpty();
    assertThat(store.jobs(JobQuery.ofQueue(QUEUE, 10)).items()).isEmpty();
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
    commit(new Change.QueuePut(queue(QUEUE)), counters(1, 0));
    commit(new Change.JobPut(job(RUNNING, "vision", 0)));
    Job raised = job(RUNNING, "vision", 0).change().priority(99).build();
    commit(new Change.JobPut(raised));

    assertThat(loaded()).contains(new Change.JobPut(raised)).hasSize(3);
    assertThat(store.job(RUNNING)).contains(raised);
  }

  @Test
  void forgetsWhatWasRemoved() {
    commitEverything();
    commit(
        new Change.ShareRemoved(new ShareKey(QUEUE, "vision")),
        new Change.PlanRemoved(4),
        new Change.HoldRemoved(POOL));

    assertThat(loaded())
        .hasSize(SampleState.everything().size() - 3)
        .noneMatch(c -> c instanceof Change.PlanPut || c instanceof Change.HoldPut)
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
    commit(new Change.QueuePut(queue(QUEUE)), counters(1, 0));
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
  void listsJobsNewestFirstPageByPage() {
    commitEverything();

    assertThat(pages(token -> store.jobs(jobs("", "", Set.of(), Map.of(), 3, token))))
        .extracting(Job::key)
        .containsExactly(ENDED, WAITING, VICTIM, RUNNING);
    assertThat(pages(token -> store.jobs(jobs("", "", Set.of(), Map.of(), 1, token)))).hasSize(4);
    assertThat(store.jobs(JobQuery.ofQueue(QUEUE, 4)).nextPageToken()).isEmpty();
  }

  @Test
  void filtersJobs() {
    commitEverything();

    assertThat(store.jobs(jobs("other", "", Set.of(), Map.of(), 9, "")).items()).isEmpty();
    assertThat(store.jobs(jobs(QUEUE, "vision", Set.of(), Map.of(), 9, "")).items())
        .extracting(Job::key)
        .containsExactly(ENDED, WAITING);
    assertThat(
            store
                .jobs(jobs("", "", Set.of(JobState.RUNNING, JobState.RUNNABLE), Map.of(), 9, ""))
                .items())
        .extracting(Job::key)
        .containsExactly(WAITING, RUNNING);
    assertThat(
            store
                .jobs(jobs("", "", Set.of(JobState.SUCCEEDED, JobState.RUNNABLE), Map.of(), 9, ""))
                .items())
        .extracting(Job::key)
        .containsExactly(ENDED, WAITING);
    assertThat(
            pages(
                token ->
                    store.jobs(jobs("", "", Set.of(), Map.of("team", "background"), 1, token))))
        .extracting(Job::key)
        .containsExactly(VICTIM, RUNNING);
    assertThat(store.jobs(jobs("", "", Set.of(), Map.of("team", "x"), 9, "")).items()).isEmpty();
  }

  private static JobQuery jobs(
      String queue,
      String share,
      Set<JobState> states,
      Map<String, String> labels,
      int size,
      String token) {
    return new JobQuery(queue, share, states, new TreeMap<>(labels), size, token);
  }

  private static <T> List<T> pages(Function<String, Page<T>> query) {
    List<T> all = new ArrayList<>();
    String token = "";
    do {
      Page<T> page = query.apply(token);
      all.addAll(page.items());
      token = page.nextPageToken();
    } while (!token.isEmpty());
    return all;
  }

  @Test
  void listsAttemptsByNumber() {
    commit(new Change.QueuePut(queue(QUEUE)), counters(1, 0));
    Job job = job(RUNNING, "vision", 0).change().attempts(11).build();
    List<Change> changes = new ArrayList<>(List.of(new Change.JobPut(job)));
    for (int n = 1; n <= 11; n++) {
      changes.add(
          new Change.AttemptPut(
              SampleState.attempt(job, n, "n1", 0)
                  .change()
                  .ended(Outcome.FAILED, 3000, "exit 1", 0)
                  .build()));
    }
    commit(changes.toArray(Change[]::new));

    assertThat(store.attempts(RUNNING))
        .extracting(Attempt::key)
        .extracting(AttemptKey::number)
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    assertThat(store.attempts(RUNNING)).allMatch(a -> a.state() == AttemptState.ENDED);
    assertThat(store.attempts(new JobKey(QUEUE, "unknown"))).isEmpty();
    assertThat(loaded()).hasSize(14);
  }

  @Test
  void listsPreemptionsNewestFirstPageByPage() {
    commitEverything();

    assertThat(
            pages(token -> store.preemptions(new PreemptionQuery(QUEUE, "background", 1, token))))
        .extracting(Preemption::requestedAtMillis)
        .containsExactly(3000L, 2150L);
    assertThat(store.preemptions(new PreemptionQuery("", "", 9, "")).items()).hasSize(2);
    assertThat(store.preemptions(new PreemptionQuery(QUEUE, "vision", 9, "")).items()).isEmpty();
    assertThat(store.preemptions(new PreemptionQuery("other", "", 9, "")).items()).isEmpty();
  }

  @Test
  void listsPreemptionsOfOneInstantOnce() {
    commit(new Change.QueuePut(queue(QUEUE)), counters(5, 0));
    List<Change> changes = new ArrayList<>();
    for (int n = 0; n < 5; n++) {
      Job job = job(new JobKey(QUEUE, "j" + n), "vision", n).change().attempts(1).build();
      Attempt attempt =
          SampleState.attempt(job, 1, "n1", 0)
              .change()
              .ended(Outcome.PREEMPTED, 3000, "", 5)
              .build();
      changes.add(new Change.JobPut(job));
      changes.add(new Change.AttemptPut(attempt));
      changes.add(
          new Change.PreemptionPut(
              SampleState.preemption(attempt.key(), job.share(), n == 4 ? 7 : 8, 5)));
    }
    commit(changes.toArray(Change[]::new));

    assertThat(pages(token -> store.preemptions(new PreemptionQuery(QUEUE, "", 2, token))))
        .extracting(p -> p.victim().job().id())
        .containsExactly("j0", "j1", "j2", "j3", "j4");
    assertThat(store.preemptionTotals(QUEUE, 8))
        .containsExactly(Map.entry("vision", new PreemptionTotals(4, 20)));
    assertThat(store.preemptionTotals(QUEUE, 7))
        .containsExactly(Map.entry("vision", new PreemptionTotals(5, 25)));
    assertThat(store.preemptionTotals(QUEUE, 9)).isEmpty();
    assertThat(store.preemptionTotals("other", 0)).isEmpty();
  }

  @Test
  void keepsTheAuditLogInOrder() {
    store.commit(
        new CommitBatch(
            epoch,
            1,
            1000,
            List.of(),
            List.of(event("ann", "queues/q/jobs/a", "1"), event("bob", "queues/q/jobs/ab", "2")),
            List.of()));
    store.commit(
        new CommitBatch(
            epoch, 2, 2000, List.of(), List.of(event("ann", "queues/q", "3")), List.of()));

    assertThat(store.audit(AuditQuery.newest(10)).items())
        .containsExactly(
            new AuditRecord(3, 2, 2000, event("ann", "queues/q", "3")),
            new AuditRecord(2, 1, 1000, event("bob", "queues/q/jobs/ab", "2")),
            new AuditRecord(1, 1, 1000, event("ann", "queues/q/jobs/a", "1")));
    assertThat(details("ann", "", 0, Long.MAX_VALUE)).containsExactly("3", "1");
    assertThat(details("", "queues/q/jobs/a", 0, Long.MAX_VALUE)).containsExactly("1");
    assertThat(details("", "queues/q", 0, Long.MAX_VALUE)).containsExactly("3", "2", "1");
    assertThat(details("", "", 1001, Long.MAX_VALUE)).containsExactly("3");
    assertThat(details("", "", 0, 2000)).containsExactly("2", "1");
  }

  private List<String> details(String principal, String resource, long from, long to) {
    return pages(token -> store.audit(new AuditQuery(principal, resource, from, to, 1, token)))
        .stream()
        .map(entry -> entry.event().detail())
        .toList();
  }

  @Test
  void refusesAPageTokenThatItDidNotGive() {
    for (String token : List.of("x", "!!", "bnVsbA", PageToken.of("text"), PageToken.of(1L, 2L))) {
      assertThatThrownBy(() -> store.jobs(jobs("", "", Set.of(), Map.of(), 9, token)))
          .isInstanceOf(InvalidPageTokenException.class)
          .hasMessageContaining(token);
      assertThatThrownBy(() -> store.preemptions(new PreemptionQuery("", "", 9, token)))
          .isInstanceOf(InvalidPageTokenException.class);
      assertThatThrownBy(() -> store.audit(new AuditQuery("", "", 0, 1, 9, token)))
          .isInstanceOf(InvalidPageTokenException.class);
    }
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
