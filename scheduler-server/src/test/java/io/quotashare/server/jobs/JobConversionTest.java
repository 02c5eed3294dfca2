package io.quotashare.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.JobSpec.LostAfter;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.WaitingReason;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.view.JobView;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** A job that goes out and comes back is the same job. */
class JobConversionTest {
  private static final JobKey KEY = new JobKey("q", "j");

  @Property(tries = 300)
  void specSurvivesTheWayOutAndBack(@ForAll("specs") JobSpec spec) {
    Job job = Job.submitted(KEY, spec, 7, 1, 1_000);
    io.quotashare.proto.v1.JobSpec out = JobWriter.job(new JobView(job, null)).getSpec();

    FieldChecks checks = new FieldChecks();
    JobDraft back = JobSpecReader.read(out, "q", checks);

    checks.throwIfAny();
    assertThat(back.priority()).isEqualTo(7);
    assertThat(
            new JobSpec(
                back.share(),
                back.displayName(),
                ((JobDraft.Devices.Shaped) back.devices()).shape(),
                back.unit(),
                back.launch(),
                back.labels(),
                back.times().timeLimitMillis(),
                back.times().graceMillis(),
                back.times().lostAfter(),
                back.times().checkpointEveryMillis(),
                back.onDemandCheckpoint(),
                back.retries(),
                back.retryOn(),
                back.preemptionRetries(),
                back.borrow(),
                back.allowInfeasible()))
        .isEqualTo(spec);
  }

  @Provide
  Arbitrary<JobSpec> specs() {
    Arbitrary<OptionalLong> spans =
        Arbitraries.longs()
            .between(1, JobSpecReader.MAX_SPAN_MILLIS)
            .map(OptionalLong::of)
            .injectNull(0.3)
            .map(value -> value == null ? OptionalLong.empty() : value);
    Arbitrary<LostAfter> lostAfter =
        Arbitraries.oneOf(
            Arbitraries.just(new LostAfter.Default()),
            Arbitraries.just(new LostAfter.Never()),
            Arbitraries.longs()
                .between(JobSpecReader.MIN_LOST_AFTER_MILLIS, JobSpecReader.MAX_SPAN_MILLIS)
                .map(LostAfter.After::new));
    Arbitrary<Launch> launches =
        Combinators.combine(
                Arbitraries.strings().alpha().ofMinLength(1).list().ofMinSize(1).ofMaxSize(5),
                Arbitraries.maps(
                        Arbitraries.strings().withChars("ABC_").ofMinLength(1).ofMaxLength(5),
                        Arbitraries.strings().ofMaxLength(10).excludeChars('\0'))
                    .ofMaxSize(4),
                Arbitraries.of("", "/", "/a/b"))
            .as((command, env, dir) -> new Launch(command, new TreeMap<>(env), dir));
    Arbitrary<JobSpec> first =
        Combinators.combine(
                Arbitraries.integers().between(1, Shape.MAX_NODES),
                Arbitraries.integers().between(1, Shape.MAX_GPUS_PER_NODE),
                launches,
                spans,
                Arbitraries.longs().between(0, JobSpecReader.MAX_GRACE_MILLIS),
                lostAfter,
                spans,
                Arbitraries.integers().between(0, JobSpec.MAX_RETRIES))
            .as(
                (nodes, gpus, launch, limit, grace, lost, every, retries) ->
                    spec(new Shape(nodes, gpus), launch, limit, grace, lost, every, retries));
    Arbitrary<TreeSet<Integer>> codes =
        Arbitraries.integers().between(1, 255).set().ofMinSize(1).ofMaxSize(5).map(TreeSet::new);
    Arbitrary<RetryOn> retryOn =
        Arbitraries.oneOf(
            Arbitraries.just(new RetryOn.Any()),
            codes.map(RetryOn.Only::new),
            codes.map(RetryOn.Except::new));
    return Combinators.combine(
            first,
            Arbitraries.of(BorrowMode.values()),
            Arbitraries.of(true, false),
            Arbitraries.integers().between(-1, 5),
            retryOn)
        .as(JobConversionTest::with);
  }

  private static JobSpec spec(
      Shape shape,
      Launch launch,
      OptionalLong limit,
      long grace,
      LostAfter lost,
      OptionalLong every,
      int retries) {
    return new JobSpec(
        "s",
        "a name",
        shape,
        "H100",
        launch,
        new TreeMap<>(Map.of("team", "x")),
        limit,
        grace,
        lost,
        every,
        false,
        retries,
        new RetryOn.Any(),
        OptionalInt.empty(),
        BorrowMode.ALLOWED,
        false);
  }

  private static JobSpec with(
      JobSpec spec, BorrowMode borrow, boolean flag, int budget, RetryOn retryOn) {
    return new JobSpec(
        spec.share(),
        spec.displayName(),
        spec.shape(),
        spec.unit(),
        spec.launch(),
        spec.labels(),
        spec.timeLimitMillis(),
        spec.graceMillis(),
        spec.lostAfter(),
        spec.checkpointEveryMillis(),
        flag,
        spec.retries(),
        retryOn,
        budget < 0 ? OptionalInt.empty() : OptionalInt.of(budget),
        borrow,
        !flag);
  }

  @Test
  void everyStateAndReasonHasItsWord() {
    for (io.quotashare.core.model.JobState state : io.quotashare.core.model.JobState.values()) {
      assertThat(JobWriter.state(state).name()).isEqualTo("JOB_STATE_" + state.name());
    }
    for (io.quotashare.core.model.WaitingReason reason :
        io.quotashare.core.model.WaitingReason.values()) {
      assertThat(JobWriter.reason(reason).name()).isEqualTo("WAITING_REASON_" + reason.name());
    }
    // All but the unspecified one and what Java adds for those it does not know.
    assertThat(JobState.values()).hasSize(io.quotashare.core.model.JobState.values().length + 2);
    assertThat(List.of(WaitingReason.values()))
        .hasSize(io.quotashare.core.model.WaitingReason.values().length + 2);
  }
}
