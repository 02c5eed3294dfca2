package io.quotashare.server.store;

import static io.quotashare.server.store.SampleState.QUEUE;
import static io.quotashare.server.store.SampleState.RUNNING;
import static io.quotashare.server.store.SampleState.VICTIM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.Change;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Outcome;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.ShareMeter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each way in which rows contradict each other is found and named. */
class StateVerifierTest {
  private static <T> void accept(StateVerifier verifier, Entity<T, ?> entity, Object row) {
    T typed = entity.rowType().cast(row);
    verifier.accept(entity, entity.keyOf(typed), typed);
  }

  private static void verify(List<Change> changes) {
    StateVerifier verifier = new StateVerifier("here");
    Map<String, Map<RowKey, Object>> tables = new TreeMap<>();
    for (Change change : changes) {
      RowWrite<?> write = Entities.writeOf(change);
      tables
          .computeIfAbsent(write.entity().table(), name -> new TreeMap<>())
          .put(write.key(), write.row());
    }
    for (Entity<?, ?> entity : Entities.ALL) {
      tables
          .getOrDefault(entity.table(), Map.of())
          .values()
          .forEach(row -> accept(verifier, entity, row));
    }
    verifier.finish();
  }

  /** The sample state with other rows in place of some. */
  private static List<Change> with(UnaryOperator<Change> replace) {
    return SampleState.everything().stream().map(replace).toList();
  }

  private static List<Change> withJob(JobKey key, UnaryOperator<Job.Builder> change) {
    return with(
        c ->
            c instanceof Change.JobPut put && put.job().key().equals(key)
                ? new Change.JobPut(change.apply(put.job().change()).build())
                : c);
  }

  private static List<Change> withAttempt(
      JobKey key, int number, UnaryOperator<Attempt.Builder> change) {
    return with(
        c ->
            c instanceof Change.AttemptPut put
                    && put.attempt().key().job().equals(key)
                    && put.attempt().key().number() == number
                ? new Change.AttemptPut(change.apply(put.attempt().change()).build())
                : c);
  }

  private static List<Change> without(Class<? extends Change> type, String key) {
    return SampleState.everything().stream()
        .filter(c -> !(type.isInstance(c) && Entities.writeOf(c).key().toString().equals(key)))
        .toList();
  }

  private static List<Change> plus(Change... more) {
    return Stream.concat(SampleState.everything().stream(), Stream.of(more)).toList();
  }

  @Test
  void rowsThatAgreePass() {
    verify(SampleState.everything());
    verify(List.of());
  }

  @Test
  void jobsThatHaveEndedAndAccountsOutliveTheirShare() {
    Job ended =
        SampleState.job(new JobKey(QUEUE, "k"), "gone", 4)
            .change()
            .ended(JobState.CANCELLED, 5000, "cancelled")
            .build();
    ShareMeter account =
        new ShareMeter(new ShareKey(QUEUE, "gone"), "H100", 5000, 1, 0, 0, 0, 0, DeviceMillis.ZERO);

    verify(
        Stream.concat(
                with(c -> c instanceof Change.CountersPut ? SampleState.counters(5, 5) : c)
                    .stream(),
                Stream.of(new Change.JobPut(ended), new Change.ShareMeterPut(account)))
            .toList());
  }

  static Stream<Arguments> contradictions() {
    return Stream.of(
        Arguments.of(
            "a share of no queue",
            plus(new Change.SharePut(SampleState.share("other", "s"))),
            "shares",
            "other/s",
            "refers to queue other, which is not there"),
        Arguments.of(
            "a job of no queue",
            plus(new Change.JobPut(SampleState.job(new JobKey("other", "j"), "s", 9))),
            "jobs",
            "other/j",
            "refers to queue other, which is not there"),
        Arguments.of(
            "a job that waits in a share that is gone",
            without(Change.SharePut.class, "research/vision"),
            "jobs",
            "research/j-waiting",
            "is RUNNABLE, but its share queues/research/shares/vision is not there"),
        Arguments.of(
            "a share of a queue that is gone",
            with(
                c ->
                    c instanceof Change.QueuePut put
                        ? new Change.QueuePut(put.queue().withState(AdminState.REMOVED))
                        : c),
            "shares",
            "research/background",
            "belongs to queue research, which was removed"),
        Arguments.of(
            "two jobs of one sequence number",
            plus(new Change.JobPut(SampleState.job(new JobKey(QUEUE, "k"), "vision", 0))),
            "jobs",
            "research/k",
            "has sequence 0, as queues/research/jobs/j-running has"),
        Arguments.of(
            "a sequence number that is still to be given",
            plus(new Change.JobPut(SampleState.job(new JobKey(QUEUE, "k"), "vision", 4))),
            "counters",
            "1",
            "next_sequence is 4, but a job has 4"),
        Arguments.of(
            "a plan number that is still to be given",
            with(c -> c instanceof Change.CountersPut ? SampleState.counters(4, 4) : c),
            "counters",
            "1",
            "next_plan_id is 4, but a plan or an observation has 4"),
        Arguments.of(
            "no counters",
            without(Change.CountersPut.class, "1"),
            "counters",
            "1",
            "missing, although there are jobs"),
        Arguments.of(
            "a missing attempt",
            without(Change.AttemptPut.class, "research/j-running/1"),
            "jobs",
            "research/j-running",
            "counts 1 attempts, but 0 are there"),
        Arguments.of(
            "a gap among the attempts",
            without(Change.AttemptPut.class, "research/j-victim/1"),
            "attempts",
            "research/j-victim/2",
            "follows attempt 0 of a job with 2"),
        Arguments.of(
            "an attempt beyond the last",
            withJob(VICTIM, job -> job.attempts(1)),
            "attempts",
            "research/j-victim/2",
            "follows attempt 1 of a job with 1"),
        Arguments.of(
            "an older attempt that has not ended",
            withJob(RUNNING, job -> job.attempts(2)),
            "attempts",
            "research/j-running/1",
            "is RUNNING, but is not the newest"),
        Arguments.of(
            "a job that has ended with an attempt that has not",
            withJob(RUNNING, job -> job.ended(JobState.FAILED, 5000, "")),
            "jobs",
            "research/j-running",
            "is FAILED, but its newest attempt has not ended"),
        Arguments.of(
            "a job that waits with an attempt that has not ended",
            withJob(RUNNING, job -> job.state(JobState.RUNNABLE)),
            "jobs",
            "research/j-running",
            "is RUNNABLE, but its newest attempt has not ended"),
        Arguments.of(
            "a job that runs with an attempt that has ended",
            withAttempt(RUNNING, 1, attempt -> attempt.ended(Outcome.FAILED, 5000, "", 0)),
            "jobs",
            "research/j-running",
            "is RUNNING, but its newest attempt has ended or is missing"),
        Arguments.of(
            "a device that two attempts hold",
            with(
                c ->
                    c instanceof Change.AttemptPut put
                            && put.attempt().key().equals(secondAttempt().key())
                        ? new Change.AttemptPut(secondAttempt())
                        : c),
            "attempts",
            "research/j-victim/2",
            "holds device GPU-n1-1 of node n1, as attempt research/j-running/1 does"),
        Arguments.of(
            "a plan for no job",
            without(Change.JobPut.class, "research/j-waiting"),
            "plans",
            "4",
            "refers to job queues/research/jobs/j-waiting, which is not there"));
  }

  /** The victim's second attempt on a device of the running job. */
  private static Attempt secondAttempt() {
    Job victim = SampleState.job(VICTIM, "background", 1);
    return SampleState.attempt(victim, 2, "n1", 1).change().state(AttemptState.PREEMPTING).build();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("contradictions")
  void contradictionsAreFound(
      String what, List<Change> rows, String table, String key, String problem) {
    assertThatThrownBy(() -> verify(rows))
        .as(what)
        .isInstanceOfSatisfying(
            DamagedStateException.class,
            e -> {
              assertThat(e.table()).isEqualTo(table);
              assertThat(e.rowKey()).isEqualTo(key);
            })
        .hasMessage("damaged state in here, table %s, row %s: %s", table, key, problem);
  }
}
