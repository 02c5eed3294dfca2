package io.quotashare.core.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.Effect;
import io.quotashare.core.PartReport;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Checkpoint;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.StopCause;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The work model of scenario-format, seen by what the virtual agents report. Times in ms. */
class VirtualClusterTest {
  private static final JobKey JOB = new JobKey("q", "a");

  private final List<String> told = new ArrayList<>();
  private final List<PartReport> reports = new ArrayList<>();
  private long now;

  private VirtualCluster cluster(long start, long checkpoint, long stop) {
    return new VirtualCluster(
        new Scenario.Timing(start, checkpoint, stop),
        report -> {
          reports.add(report);
          told.add(now + " " + report.phase() + (report.rank() == 0 ? "" : "#" + report.rank()));
        });
  }

  @Test
  void worksFromRunningOnForItsDurationAndSaysThatItIsDone() {
    VirtualCluster cluster = cluster(10, 0, 0);
    begin(cluster, job(1000, 0, false));
    advance(cluster, 5000);
    assertThat(told).containsExactly("0 STARTING", "10 RUNNING", "1010 FREE");
    PartReport end = last();
    assertThat(end.exitCode()).hasValue(0);
    assertThat(end.exitedBeforeStop()).isTrue();
    assertThat(end.progress().done()).isTrue();
    assertThat(end.progress().productiveSinceMillis()).hasValue(10);
    assertThat(cluster.nextDueMillis()).isEmpty();
  }

  @Test
  void checkpointsAtMultiplesOfRunningTimeButNotWhenItEnds() {
    VirtualCluster cluster = cluster(10, 0, 0);
    begin(cluster, job(300, 100, false));
    advance(cluster, 5000);
    assertThat(told)
        .containsExactly("0 STARTING", "10 RUNNING", "110 RUNNING", "210 RUNNING", "310 FREE");
    assertThat(last().progress().checkpoint())
        .isEqualTo(new Checkpoint(OptionalLong.empty(), 210, 210));
  }

  @Test
  void resumesFromItsLastCheckpointAndCountsItsIntervalAnew() {
    VirtualCluster cluster = cluster(0, 0, 0);
    VirtualJob job = job(1000, 100, false);
    begin(cluster, job);
    advance(cluster, 250);
    cluster.answer(stop(job, 1, 250, 60_000, false), 250);
    advance(cluster, 300);
    told.clear();
    cluster.answer(start(job, 2, 1), 300);
    advance(cluster, 5000);
    assertThat(told).startsWith("300 STARTING", "300 RUNNING", "400 RUNNING").endsWith("1100 FREE");
  }

  @Test
  void startsOverWithoutCheckpoints() {
    VirtualCluster cluster = cluster(0, 0, 0);
    VirtualJob job = job(1000, 0, false);
    begin(cluster, job);
    advance(cluster, 250);
    cluster.answer(stop(job, 1, 250, 60_000, false), 250);
    cluster.runDue(250);
    cluster.answer(start(job, 2, 1), 250);
    advance(cluster, 5000);
    assertThat(told).endsWith("1250 FREE");
    assertThat(last().progress().checkpoint()).isNull();
  }

  @Test
  void aVictimThatCannotSaveIsGoneAfterTheStopTimeAndWasKilledByTheRequest() {
    VirtualCluster cluster = cluster(0, 500, 70);
    VirtualJob job = job(1000, 0, false);
    begin(cluster, job);
    advance(cluster, 100);
    cluster.answer(stop(job, 1, 100, 60_100, false), 100);
    advance(cluster, 5000);
    assertThat(told).endsWith("170 FREE");
    assertThat(last().exitSignal()).hasValue(15);
    assertThat(last().progress().done()).isFalse();
  }

  @Test
  void aVictimIsKilledAtItsDeadline() {
    VirtualCluster cluster = cluster(0, 0, 70);
    VirtualJob job = job(1000, 0, false);
    begin(cluster, job);
    advance(cluster, 100);
    cluster.answer(stop(job, 1, 100, 150, false), 100);
    advance(cluster, 5000);
    assertThat(told).endsWith("150 FREE");
    assertThat(last().exitSignal()).hasValue(9);
  }

  @Test
  void aVictimThatReachesItsEndBeforeItIsGoneHasSucceeded() {
    VirtualCluster cluster = cluster(0, 0, 70);
    VirtualJob job = job(150, 0, false);
    begin(cluster, job);
    advance(cluster, 100);
    cluster.answer(stop(job, 1, 100, 60_000, false), 100);
    advance(cluster, 5000);
    assertThat(told).endsWith("150 FREE");
    assertThat(last().exitCode()).hasValue(0);
    assertThat(last().progress().done()).isTrue();
    assertThat(last().exitedBeforeStop()).isFalse();
  }

  @Test
  void aVictimThatReachesItsEndInTheVeryInstantOfItsStopHasSucceeded() {
    VirtualCluster cluster = cluster(0, 0, 50);
    VirtualJob job = job(150, 0, false);
    begin(cluster, job);
    advance(cluster, 100);
    cluster.answer(stop(job, 1, 100, 60_000, false), 100);
    advance(cluster, 5000);
    assertThat(last().progress().done()).isTrue();
  }

  @Test
  void aSavingVictimStandsStillAndIsGoneAfterSavingAndStopping() {
    VirtualCluster cluster = cluster(0, 500, 70);
    VirtualJob job = job(120, 0, true);
    begin(cluster, job);
    advance(cluster, 100);
    cluster.answer(stop(job, 1, 100, 60_000, true), 100);
    advance(cluster, 5000);
    assertThat(told).containsExactly("0 STARTING", "0 RUNNING", "600 RUNNING", "670 FREE");
    PartReport saved = reports.get(2);
    assertThat(saved.progress().ackSeq()).isEqualTo(1);
    assertThat(saved.progress().checkpoint())
        .isEqualTo(new Checkpoint(OptionalLong.empty(), 100, 600));
    assertThat(last().exitCode()).hasValue(0);
    assertThat(last().progress().done()).isFalse();
    assertThat(last().exitedBeforeStop()).isFalse();

    cluster.answer(start(job, 2, 1), 5000);
    advance(cluster, 6000);
    assertThat(told).endsWith("5020 FREE");
  }

  @Test
  void aSaveThatWouldTakeLongerThanTheDeadlineIsLost() {
    VirtualCluster cluster = cluster(0, 500, 70);
    VirtualJob job = job(1000, 0, true);
    begin(cluster, job);
    advance(cluster, 100);
    cluster.answer(stop(job, 1, 100, 400, true), 100);
    advance(cluster, 5000);
    assertThat(told).endsWith("0 RUNNING", "400 FREE");
    assertThat(last().exitSignal()).hasValue(9);
    assertThat(last().progress().ackSeq()).isZero();
    cluster.answer(start(job, 2, 1), 5000);
    advance(cluster, 9000);
    assertThat(told).endsWith("6000 FREE");
  }

  @Test
  void aSaveThatIsDurableAtTheDeadlineCounts() {
    VirtualCluster cluster = cluster(0, 300, 70);
    VirtualJob job = job(1000, 0, true);
    begin(cluster, job);
    advance(cluster, 100);
    cluster.answer(stop(job, 1, 100, 400, true), 100);
    advance(cluster, 5000);
    assertThat(told).endsWith("400 RUNNING", "400 FREE");
    assertThat(last().progress().ackSeq()).isEqualTo(1);
  }

  @Test
  void aCheckpointOnRequestPausesTheWorkAndTheJobGoesOn() {
    VirtualCluster cluster = cluster(0, 40, 0);
    VirtualJob job = job(200, 0, true);
    begin(cluster, job);
    advance(cluster, 100);
    Attempt asked = attempt(job, 1, 1).change().requests(1).build();
    cluster.answer(new Effect.Checkpoint(jobRow(job), asked), 100);
    advance(cluster, 5000);
    assertThat(told).containsExactly("0 STARTING", "0 RUNNING", "140 RUNNING", "240 FREE");
    assertThat(reports.get(2).progress().ackSeq()).isEqualTo(1);
    assertThat(last().exitedBeforeStop()).isTrue();
  }

  @Test
  void aVictimThatHasNotStartedYetNeverRuns() {
    VirtualCluster cluster = cluster(1000, 0, 70);
    VirtualJob job = job(10, 0, false);
    begin(cluster, job);
    advance(cluster, 100);
    cluster.answer(stop(job, 1, 100, 60_000, false), 100);
    advance(cluster, 5000);
    assertThat(told).containsExactly("0 STARTING", "170 FREE");
  }

  @Test
  void anAttemptThatIsStoppedBeforeItsAgentsHeardOfItIsGoneAfterTheStopTime() {
    VirtualCluster cluster = cluster(1000, 0, 70);
    VirtualJob job = job(10, 0, false);
    cluster.accept(job);
    cluster.answer(stop(job, 1, 100, 60_000, false), 100);
    cluster.answer(start(job, 1, 1), 100);
    advance(cluster, 5000);
    assertThat(told).containsExactly("170 FREE");
  }

  @Test
  void aSecondRequestOnlyMakesItEarlier() {
    VirtualCluster cluster = cluster(0, 500, 70);
    VirtualJob job = job(10_000, 0, true);
    begin(cluster, job);
    advance(cluster, 100);
    cluster.answer(stop(job, 1, 100, 60_000, true), 100);
    cluster.answer(stop(job, 1, 100, 60_000, true), 100);
    advance(cluster, 200);
    cluster.answer(stop(job, 1, 200, 60_000, false), 200);
    advance(cluster, 5000);
    assertThat(told).endsWith("0 RUNNING", "270 FREE");
  }

  @Test
  void nothingIsHeardOfALostNode() {
    VirtualCluster cluster = cluster(0, 0, 0);
    begin(cluster, job(1000, 100, false));
    advance(cluster, 150);
    cluster.nodeLost("n0", 150);
    advance(cluster, 5000);
    assertThat(told).containsExactly("0 STARTING", "0 RUNNING", "100 RUNNING");
    assertThat(cluster.nextDueMillis()).isEmpty();
  }

  @Test
  void aGangThatLostANodeStandsStillUntilTheOthersAreStopped() {
    VirtualCluster cluster = cluster(0, 0, 70);
    VirtualJob job = gang(1000, 2);
    cluster.accept(job);
    cluster.answer(start(job, 1, 2), 0);
    advance(cluster, 150);
    cluster.nodeLost("n0", 150);
    advance(cluster, 2000);
    assertThat(told).containsExactly("0 STARTING", "0 STARTING#1", "0 RUNNING", "0 RUNNING#1");
    Attempt attempt = attempt(job, 1, 2);
    Stop stop = stopFor(StopCause.NODE_LOST, 2000, 62_000, false);
    cluster.answer(new Effect.Stop(jobRow(job), attempt.change().stop(stop).build()), 2000);
    advance(cluster, 5000);
    assertThat(told).endsWith("2070 FREE#1").doesNotContain("2070 FREE");
  }

  @Test
  void everyRankOfAGangReportsAndOnlyTheFirstSpeaksOfProgress() {
    VirtualCluster cluster = cluster(0, 0, 0);
    VirtualJob job = gang(1000, 3);
    cluster.accept(job);
    cluster.answer(start(job, 1, 3), 0);
    advance(cluster, 1000);
    assertThat(told).endsWith("1000 FREE", "1000 FREE#1", "1000 FREE#2");
    assertThat(last().progress().done()).isFalse();
    assertThat(reports).extracting(PartReport::version).isSorted();
  }

  @Test
  void anAdoptedJobHasWorkedSinceItStarted() {
    VirtualCluster cluster = cluster(7, 0, 0);
    VirtualJob job = job(1000, 100, false);
    cluster.accept(job);
    cluster.adopt(attempt(job, 1, 1), -430, OptionalLong.of(-130), 0);
    advance(cluster, 5);
    cluster.answer(stop(job, 1, 5, 60_000, false), 5);
    cluster.runDue(5);
    assertThat(last().progress().checkpoint())
        .isEqualTo(new Checkpoint(OptionalLong.empty(), -130, -130));
    cluster.answer(start(job, 2, 1), 5);
    advance(cluster, 5000);
    assertThat(told).endsWith("712 FREE");
  }

  @Test
  void anAdoptedJobGoesOnWithItsCheckpointsAndEnds() {
    VirtualCluster cluster = cluster(7, 0, 0);
    VirtualJob job = job(600, 100, false);
    cluster.accept(job);
    cluster.adopt(attempt(job, 1, 1), -430, OptionalLong.empty(), 0);
    advance(cluster, 5000);
    assertThat(told).containsExactly("70 RUNNING", "170 FREE");
  }

  @Test
  void checkpointsOfAnEndlessJobAloneAreNoReasonToGoOn() {
    VirtualCluster cluster = cluster(0, 0, 0);
    VirtualJob job =
        new VirtualJob(JOB, spec(new Shape(1, 1), 100, false), 0, OptionalLong.empty());
    begin(cluster, job);
    assertThat(cluster.hasMoreThanCheckpoints()).isTrue();
    advance(cluster, 1000);
    assertThat(cluster.nextDueMillis()).hasValue(1100);
    assertThat(cluster.hasMoreThanCheckpoints()).isFalse();
  }

  @Test
  void timingsAreNeverNegative() {
    assertThatThrownBy(() -> new Scenario.Timing(0, -1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("checkpointMillis: -1");
  }

  private void begin(VirtualCluster cluster, VirtualJob job) {
    cluster.accept(job);
    cluster.answer(start(job, 1, 1), 0);
  }

  /** Everything that is due up to an instant happens, each in its own. */
  private void advance(VirtualCluster cluster, long untilMillis) {
    while (cluster.nextDueMillis().orElse(Long.MAX_VALUE) <= untilMillis) {
      now = cluster.nextDueMillis().getAsLong();
      cluster.runDue(now);
    }
    now = untilMillis;
  }

  private PartReport last() {
    return reports.get(reports.size() - 1);
  }

  private static VirtualJob job(long durationMillis, long everyMillis, boolean onDemand) {
    JobSpec spec = spec(new Shape(1, 1), everyMillis, onDemand);
    return new VirtualJob(JOB, spec, 0, OptionalLong.of(durationMillis));
  }

  private static VirtualJob gang(long durationMillis, int nodes) {
    JobSpec spec = spec(new Shape(nodes, 1), 0, false);
    return new VirtualJob(JOB, spec, 0, OptionalLong.of(durationMillis));
  }

  private static JobSpec spec(Shape shape, long everyMillis, boolean onDemand) {
    return new JobSpec(
        "s",
        "",
        shape,
        "H100",
        Launch.NOTHING,
        new TreeMap<>(),
        OptionalLong.empty(),
        60_000,
        new JobSpec.LostAfter.Default(),
        everyMillis == 0 ? OptionalLong.empty() : OptionalLong.of(everyMillis),
        onDemand,
        0,
        new RetryOn.Any(),
        OptionalInt.empty(),
        BorrowMode.ALLOWED,
        false);
  }

  private static Effect start(VirtualJob job, int number, int nodes) {
    return new Effect.Start(jobRow(job), attempt(job, number, nodes));
  }

  private static Effect stop(
      VirtualJob job, int number, long nowMillis, long deadlineMillis, boolean saveFirst) {
    Stop stop = stopFor(StopCause.RECLAIM, nowMillis, deadlineMillis, saveFirst);
    Attempt told =
        attempt(job, number, 1)
            .change()
            .state(AttemptState.PREEMPTING)
            .requests(1)
            .stop(stop)
            .build();
    return new Effect.Stop(jobRow(job), told);
  }

  private static Stop stopFor(
      StopCause cause, long nowMillis, long deadlineMillis, boolean saveFirst) {
    return new Stop(cause, null, nowMillis, deadlineMillis, saveFirst, 1, OptionalLong.empty(), "");
  }

  private static Job jobRow(VirtualJob job) {
    return Job.submitted(job.key(), job.spec(), 0, 1, 0);
  }

  private static Attempt attempt(VirtualJob job, int number, int nodes) {
    List<Part> parts = new ArrayList<>();
    for (int rank = 0; rank < nodes; rank++) {
      parts.add(Part.assigned(rank, "n" + rank, List.of("n" + rank + "/0")));
    }
    AttemptKey key = new AttemptKey(job.key(), number);
    return Attempt.scheduled(key, new ShareKey("q", "s"), "H100", parts, 0, number > 1);
  }
}
