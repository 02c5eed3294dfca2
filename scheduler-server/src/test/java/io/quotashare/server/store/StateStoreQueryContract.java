package io.quotashare.server.store;

import static io.quotashare.server.store.SampleState.QUEUE;
import static io.quotashare.server.store.SampleState.RUNNING;
import static io.quotashare.server.store.SampleState.counters;
import static io.quotashare.server.store.SampleState.event;
import static io.quotashare.server.store.SampleState.job;
import static io.quotashare.server.store.SampleState.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What every store promises about its queries. */
abstract class StateStoreQueryContract extends StateStoreJobsContract {
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
    commitQueueAndShare(1);
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
    assertThat(loaded()).hasSize(15);
  }

  @Test
  void listsPreemptionsNewestFirstPageByPage() {
    commitEverything();

    assertThat(
            pages(token -> store.preemptions(new PreemptionQuery(QUEUE, "background", 1, token))))
        .extracting(RecordedPreemption::atMillis)
        .containsExactly(3000L, 2900L, 2150L);
    assertThat(store.preemptions(new PreemptionQuery("", "", 9, "")).items())
        .extracting(p -> p instanceof RecordedPreemption.Observed)
        .containsExactly(false, true, false);
    assertThat(store.preemptions(new PreemptionQuery(QUEUE, "vision", 9, "")).items()).isEmpty();
    String victim =
        store.preemptions(new PreemptionQuery(QUEUE, "", 1, "")).items().get(0).victim().job().id();
    assertThat(store.preemptions(new PreemptionQuery(QUEUE, "", victim, 9, "")).items())
        .isNotEmpty();
    assertThat(
            store
                .preemptions(new PreemptionQuery(QUEUE, "", SampleState.WAITING.id(), 9, ""))
                .items())
        .as("those for a beneficiary")
        .isNotEmpty();
    assertThat(store.preemptions(new PreemptionQuery(QUEUE, "", "unknown", 9, "")).items())
        .isEmpty();
    assertThat(store.preemptions(new PreemptionQuery("other", "", 9, "")).items()).isEmpty();
  }

  @Test
  void listsPreemptionsOfOneInstantOnce() {
    commit(new Change.QueuePut(queue(QUEUE)), counters(5, 3));
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
      for (long decision = 1; decision <= 2; decision++) {
        changes.add(
            new Change.ObservedPreemptionPut(
                SampleState.observed(attempt.key(), job.share(), decision, 8)));
      }
    }
    commit(changes.toArray(Change[]::new));

    assertThat(pages(token -> store.preemptions(new PreemptionQuery(QUEUE, "", 2, token))))
        .extracting(p -> p.victim().job().id() + " " + p.decision())
        .containsExactly(
            "j0 0", "j1 0", "j2 0", "j3 0", "j0 1", "j0 2", "j1 1", "j1 2", "j2 1", "j2 2", "j3 1",
            "j3 2", "j4 1", "j4 2", "j4 0");
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
      assertThatThrownBy(() -> store.preemptions(new PreemptionQuery("", "", 9, token)))
          .isInstanceOf(InvalidPageTokenException.class)
          .hasMessageContaining(token);
      assertThatThrownBy(() -> store.audit(new AuditQuery("", "", 0, 1, 9, token)))
          .isInstanceOf(InvalidPageTokenException.class);
    }
  }
}
