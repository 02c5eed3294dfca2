package io.quotashare.server.store;

import static io.quotashare.server.store.SampleState.ENDED;
import static io.quotashare.server.store.SampleState.QUEUE;
import static io.quotashare.server.store.SampleState.RUNNING;
import static io.quotashare.server.store.SampleState.VICTIM;
import static io.quotashare.server.store.SampleState.WAITING;
import static io.quotashare.server.store.SampleState.counters;
import static io.quotashare.server.store.SampleState.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every store promises about lists of jobs. */
abstract class StateStoreJobsContract extends StateStoreRetentionContract {
  private static final int MANY = 100_000;
  private static final int BATCH = 10_000;

  /** A query under construction. */
  private record Ask(
      JobOrder order,
      String queue,
      String share,
      Set<JobState> states,
      Map<String, String> labels) {
    static Ask all(JobOrder order) {
      return new Ask(order, "", "", Set.of(), Map.of());
    }

    static Ask of(JobOrder order, String queue) {
      return new Ask(order, queue, "", Set.of(), Map.of());
    }

    Ask share(String value) {
      return new Ask(order, queue, value, states, labels);
    }

    Ask states(JobState... values) {
      return new Ask(order, queue, share, Set.of(values), labels);
    }

    Ask label(String key, String value) {
      return new Ask(order, queue, share, states, Map.of(key, value));
    }

    JobQuery query(@Nullable JobPlace after, @Nullable JobPlace until, int limit, int scan) {
      return new JobQuery(
          order, queue, share, states, new TreeMap<>(labels), after, until, limit, scan);
    }
  }

  private List<JobKey> pages(Ask ask, int limit) {
    List<JobKey> keys = new ArrayList<>();
    JobPlace after = null;
    do {
      JobSlice slice = store.jobs(ask.query(after, null, limit, 1000));
      assertThat(slice.jobs().size()).isLessThanOrEqualTo(limit);
      slice.jobs().forEach(job -> keys.add(job.key()));
      after = slice.end();
    } while (after != null);
    return keys;
  }

  @Test
  void listsJobsInEveryOrderPageByPage() {
    commitEverything();

    for (int limit : new int[] {1, 3, 4, 9}) {
      assertThat(pages(Ask.all(JobOrder.NEWEST_FIRST), limit))
          .containsExactly(ENDED, WAITING, VICTIM, RUNNING);
      assertThat(pages(Ask.of(JobOrder.OLDEST_FIRST, QUEUE), limit))
          .containsExactly(RUNNING, VICTIM, WAITING, ENDED);
      assertThat(pages(Ask.of(JobOrder.ID, QUEUE), limit))
          .containsExactlyInAnyOrder(RUNNING, VICTIM, WAITING, ENDED)
          .isSorted();
      assertThat(pages(Ask.all(JobOrder.ID), limit))
          .isEqualTo(pages(Ask.of(JobOrder.ID, QUEUE), limit));
    }
    assertThat(store.jobs(JobQuery.ofQueue(QUEUE, 4)).end()).isNull();
    assertThat(store.jobs(JobQuery.ofQueue(QUEUE, 3)).end()).isNotNull();
  }

  @ParameterizedTest
  @EnumSource(JobOrder.class)
  void filtersJobs(JobOrder order) {
    commitEverything();
    Ask ask = Ask.of(order, QUEUE);

    assertThat(pages(Ask.of(order, "other"), 9)).isEmpty();
    assertThat(pages(ask.share("vision"), 9)).containsExactlyInAnyOrder(ENDED, WAITING);
    assertThat(pages(Ask.all(order).share("vision"), 9)).containsExactlyInAnyOrder(ENDED, WAITING);
    assertThat(pages(ask.states(JobState.RUNNING, JobState.RUNNABLE), 1))
        .containsExactlyInAnyOrder(WAITING, RUNNING);
    assertThat(pages(ask.states(JobState.SUCCEEDED), 1)).containsExactly(ENDED);
    assertThat(pages(ask.label("team", "background"), 1))
        .containsExactlyInAnyOrder(VICTIM, RUNNING);
    assertThat(pages(ask.label("team", "x"), 9)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(JobOrder.class)
  void endsAtAPlace(JobOrder order) {
    commitEverything();
    Ask ask = Ask.all(order);
    List<JobKey> all = pages(ask, 9);

    for (int from = 0; from < all.size(); from++) {
      for (int to = from; to < all.size(); to++) {
        JobSlice slice = store.jobs(ask.query(place(all.get(from)), place(all.get(to)), 9, 9));
        assertThat(slice.jobs())
            .extracting(Job::key)
            .containsExactlyElementsOf(all.subList(from + 1, to + 1));
        assertThat(slice.end()).isNull();
        assertThat(slice.looked()).isEqualTo(to - from);
      }
    }
  }

  private JobPlace place(JobKey key) {
    return JobPlace.of(store.job(key).orElseThrow());
  }

  @Test
  void findsNewestAttemptsByTheirKeys() {
    commitEverything();
    AttemptKey running = new AttemptKey(RUNNING, 1);

    Map<JobKey, Attempt> found =
        store.attempts(List.of(running, new AttemptKey(WAITING, 1), new AttemptKey(VICTIM, 999)));

    assertThat(found).containsOnlyKeys(RUNNING);
    assertThat(found.get(RUNNING).key()).isEqualTo(running);
  }

  /** A page costs what is on it, wherever it is; a filter that leaves nothing costs its scan. */
  @Test
  void aPageOfAHundredThousandJobsLooksAtFewRows() {
    List<Job> jobs = commitMany();
    for (JobOrder order : JobOrder.values()) {
      jobs.sort(Comparator.comparing(JobPlace::of, order.places()));
      judgePages(jobs, order);
    }
  }

  private void judgePages(List<Job> jobs, JobOrder order) {
    for (int from : new int[] {0, 1, MANY / 2, MANY - 1_500}) {
      JobPlace after = from == 0 ? null : JobPlace.of(jobs.get(from - 1));
      for (Ask ask : List.of(Ask.all(order), Ask.of(order, QUEUE))) {
        JobSlice page = store.jobs(ask.query(after, null, 1_000, 10_000));
        assertThat(page.jobs()).isEqualTo(jobs.subList(from, from + 1_000));
        assertThat(page.looked()).isEqualTo(1_000);
      }
    }
    Ask ask = Ask.of(order, QUEUE);
    JobSlice half = store.jobs(ask.share("even").query(null, null, 1_000, 10_000));
    assertThat(half.jobs()).hasSize(1_000);
    assertThat(half.looked()).isLessThanOrEqualTo(2_500);
    JobSlice nothing = store.jobs(ask.label("no", "such").query(null, null, 1_000, 10_000));
    assertThat(nothing.jobs()).isEmpty();
    assertThat(nothing.looked()).isEqualTo(10_000);
    assertThat(nothing.end()).isEqualTo(JobPlace.of(jobs.get(9_999)));
  }

  /** Every third one has ended; ids come in another order than submissions. */
  private List<Job> commitMany() {
    commit(new Change.QueuePut(queue(QUEUE)), counters(MANY + 1, 0));
    List<Job> jobs = new ArrayList<>();
    for (int from = 0; from < MANY; from += BATCH) {
      List<Change> changes = new ArrayList<>();
      for (int i = from; i < from + BATCH; i++) {
        JobKey key = new JobKey(QUEUE, String.format("j%05d", (i * 7919) % MANY));
        Job job = SampleState.job(key, i % 2 == 0 ? "even" : "odd", i + 1);
        jobs.add(i % 3 == 0 ? SampleState.ended(job, 200_000 + i) : job);
        changes.add(new Change.JobPut(jobs.get(i)));
      }
      commit(changes.toArray(Change[]::new));
    }
    return jobs;
  }
}
