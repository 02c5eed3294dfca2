package io.quotashare.cli.shares;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.proto.v1.DeviceSeconds;
import io.quotashare.proto.v1.FrontJob;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.Loan;
import io.quotashare.proto.v1.LoanVictim;
import io.quotashare.proto.v1.PoolUsage;
import io.quotashare.proto.v1.Preemption;
import io.quotashare.proto.v1.PreemptionCause;
import io.quotashare.proto.v1.PreemptionMode;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.ShareDeviceSeconds;
import io.quotashare.proto.v1.ShareUsage;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.proto.v1.UsageInterval;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShareCommandsTest {
  private final CliRunner cli = new CliRunner();

  private static QuotaShareStatus share(
      String id, SharingStrategy strategy, ShareUsage.Builder usage, int preempted, double lost) {
    return QuotaShareStatus.newBuilder()
        .setShare(
            QuotaShare.newBuilder()
                .setName("queues/research/shares/" + id)
                .putCapacity("H100", 8)
                .setStrategy(strategy)
                .setInSharePreemption(true))
        .addUsage(usage.setUnit("H100").setLimit(8))
        .setPreempted24H(preempted)
        .setLostDeviceHours24H(lost)
        .build();
  }

  private static PoolUsage.Builder pool() {
    return PoolUsage.newBuilder().setUnit("H100").setTotal(24).setHeld(21).setReservedIdle(3);
  }

  private static GetQueueSnapshotResponse.Builder snapshot() {
    return GetQueueSnapshotResponse.newBuilder()
        .setQueue(Queue.newBuilder().setName("queues/research"))
        .addPools(pool())
        .addShares(
            share(
                "background",
                SharingStrategy.SHARING_STRATEGY_LEND_AND_BORROW,
                ShareUsage.newBuilder()
                    .setUsed(14)
                    .setOwn(8)
                    .setBorrowed(6)
                    .setWaitingJobs(9)
                    .setWaitingGpus(22),
                11,
                1.4))
        .addShares(
            share(
                "vision",
                SharingStrategy.SHARING_STRATEGY_LEND,
                ShareUsage.newBuilder().setUsed(2).setOwn(2).setLent(6),
                0,
                0))
        .addShares(
            share(
                "serving",
                SharingStrategy.SHARING_STRATEGY_RESERVE,
                ShareUsage.newBuilder().setUsed(5).setOwn(5).setIdle(3),
                0,
                0));
  }

  @BeforeEach
  void putQueue() {
    cli.scheduler.queues.put(snapshot().build());
  }

  @AfterEach
  void close() {
    cli.close();
  }

  @Test
  void theTableOfSharesEndsWithALineThatAddsUp() {
    assertThat(cli.run("shares").out())
        .isEqualTo(
            """
            SHARE       STRATEGY         LIMIT  USED  OWN  BORROWED  LENT  OVER  IDLE  WAITING(GPU)  PREEMPTED/24H  GPU-H LOST/24H
            background  LEND_AND_BORROW      8    14    8         6     0     0     0        9 (22)             11             1.4
            vision      LEND                 8     2    2         0     6     0     0         0 (0)              0             0.0
            serving     RESERVE              8     5    5         0     0     0     3         0 (0)              0             0.0
            research: 24 GPUs = 21 held + 3 reserved idle + 0 free + 0 held outside + 0 unhealthy
            """);
  }

  @Test
  void devicesKeptForAJobAreInTheSum() {
    cli.scheduler.queues.put(
        snapshot()
            .setPools(0, pool().setHeld(19).setHeldForBeneficiary(2).setOvercommitted(4))
            .build());

    assertThat(cli.run("shares").out())
        .contains(
            "research: 24 GPUs = 19 held + 2 kept for a job that starts + 3 reserved idle + 0 free"
                + " + 0 held outside + 0 unhealthy\n")
        .contains("research guarantees 4 GPUs more than there are");
  }

  @Test
  void numbersThatDoNotAddUpAreCalledAFault() {
    cli.scheduler.queues.put(snapshot().setPools(0, pool().setHeld(20)).build());

    assertThat(cli.run("shares").err())
        .contains("the scheduler's numbers do not add up (23 of 24)");
  }

  @Test
  void severalUnitsHaveALineEach() {
    cli.scheduler.queues.put(
        snapshot().addPools(PoolUsage.newBuilder().setUnit("A100").setTotal(2).setFree(2)).build());

    assertThat(cli.run("shares").out())
        .contains("UNIT")
        .contains("research (H100): 24 GPUs = 21 held")
        .contains("research (A100): 2 GPUs = 0 held + 0 reserved idle + 2 free");
  }

  @Test
  void sharesAsJson() throws IOException {
    JsonNode array = new ObjectMapper().readTree(cli.run("shares", "-o", "json").out());

    assertThat(array).hasSize(3);
    assertThat(array.get(0).get("share").get("strategy").asText())
        .isEqualTo("SHARING_STRATEGY_LEND_AND_BORROW");
    assertThat(array.get(0).get("usage").get(0).get("over").asInt()).isZero();
  }

  @Test
  void oneShareInPlainWords() {
    assertThat(cli.run("share", "get", "background").out())
        .contains(
            "strategy             LEND_AND_BORROW: lends all that is idle, borrows whatever others lend")
        .contains("in-share preemption  on: a job may stop its share's jobs of lower priority");
    assertThat(cli.run("share", "get", "none").code()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void aShareThatIsBeingRemovedIsShownAsSuch() {
    cli.scheduler.queues.put(
        snapshot().setShares(1, snapshot().getShares(1).toBuilder().setRemoving(true)).build());

    String sentence = "being removed: gone when its last job has ended\n";
    assertThat(cli.run("shares").out()).contains("share vision is " + sentence);
    assertThat(cli.run("share", "get", "vision").out()).contains("ENABLED, " + sentence);
  }

  @Test
  void loansSaySinceWhenAndWhoWouldBeStopped() {
    Loan loan =
        Loan.newBuilder()
            .setLender("vision")
            .setBorrower("background")
            .setUnit("H100")
            .setGpus(6)
            .setSince(Timestamp.newBuilder().setSeconds(FakeJobs.EPOCH_SECOND))
            .addWouldStop(
                LoanVictim.newBuilder()
                    .setJob("j-91c")
                    .setGpus(2)
                    .setCheckpointStateTime(
                        Timestamp.newBuilder().setSeconds(FakeJobs.EPOCH_SECOND + 39 * 60))
                    .setLostDeviceSeconds(360))
            .addWouldStop(
                LoanVictim.newBuilder().setJob("j-7d0").setGpus(2).setLostDeviceSeconds(1440))
            .build();
    cli.scheduler.queues.loans.add(loan);
    cli.scheduler.queues.loans.add(loan.toBuilder().setLender("serving").clearWouldStop().build());

    assertThat(cli.run("loans").out())
        .isEqualTo(
            """
            LENDER   BORROWER    GPUS  SINCE    WOULD STOP (last checkpoint → work it would lose)
            vision   background     6  42m ago  j-91c 2 (3m → 0.1 GPU-h), j-7d0 2 (never saved → 0.4 GPU-h)
            serving  background     6  42m ago  -
            """);
    assertThat(cli.run("loans", "-o", "json").out()).contains("\"lostDeviceSeconds\": 360.0");
  }

  @Test
  void observeOnlyIsShownWhereverAQueueOrAPreemptionIs() {
    cli.scheduler.queues.put(
        snapshot()
            .setQueue(
                Queue.newBuilder()
                    .setName("queues/research")
                    .setPreemptionMode(PreemptionMode.PREEMPTION_MODE_OBSERVE_ONLY))
            .build());
    cli.scheduler.queues.preemptions.add(
        Preemption.newBuilder()
            .setJob("queues/research/jobs/med")
            .setCause(PreemptionCause.PREEMPTION_CAUSE_RECLAIM)
            .setObservedOnly(true)
            .build());

    assertThat(cli.run("queue").out()).contains("PREEMPTION").contains("OBSERVE_ONLY");
    assertThat(cli.run("queue", "research").out())
        .contains("OBSERVE_ONLY: decides and records whom it would stop, and stops nobody")
        .contains("research only observes: whom it would stop is recorded, nobody is stopped");
    assertThat(cli.run("shares").out()).contains("research only observes");
    assertThat(cli.run("preemptions").out()).contains("observed only");
    assertThat(cli.run("preemptions", "-o", "json").out()).contains("\"observedOnly\": true");
  }

  @Test
  void queuesAreListedAndOneIsShown() {
    cli.scheduler.queues.put(
        snapshot()
            .addFronts(
                FrontJob.newBuilder()
                    .setShare("background")
                    .setUnit("H100")
                    .setJob(FakeJobs.job("j-9", "background", 3)))
            .build());

    assertThat(cli.run("queue").out()).contains("research").contains("ENABLED").contains("FIFO");
    assertThat(cli.run("queue", "research").out())
        .contains("longest grace           2m")
        .contains("research: 24 GPUs = 21 held")
        .contains("j-9");
    assertThat(cli.run("queue", "research", "-o", "json").out()).contains("\"fronts\": [{");
  }

  @Test
  void theReportAddsUp() {
    cli.scheduler.queues.report =
        GetUsageReportResponse.newBuilder()
            .setClasses(
                DeviceSeconds.newBuilder().setUseful(60).setLost(5).setReservedIdle(30).setIdle(5))
            .setTotalDeviceSeconds(100)
            .addShares(ShareDeviceSeconds.newBuilder().setShare("background").setUnit("H100"))
            .build();

    CliRunner.Result result = cli.run("report");

    assertThat(result.out())
        .contains("useful           60.0  60.0  ██████████████████ ")
        .contains("sum 100.0 GPU-s = devices x wall time 100.0 GPU-s\n")
        .contains("futile preemptions: 0");
    assertThat(cli.run("report", "-o", "json").out()).contains("\"totalDeviceSeconds\": 100.0");
  }

  @Test
  void aReportThatDoesNotAddUpSaysSo() {
    cli.scheduler.queues.report =
        GetUsageReportResponse.newBuilder()
            .setClasses(DeviceSeconds.newBuilder().setUseful(60))
            .setTotalDeviceSeconds(100)
            .build();

    assertThat(cli.run("report").out()).contains("THEY DO NOT AGREE");
  }

  @Test
  void aReportCanBeOfAShareAndOfATimeAndDividedIntoIntervals() {
    Timestamp.Builder start = Timestamp.newBuilder().setSeconds(FakeJobs.EPOCH_SECOND);
    cli.scheduler.queues.report =
        GetUsageReportResponse.newBuilder()
            .setStart(start)
            .setEnd(start.clone().setSeconds(FakeJobs.EPOCH_SECOND + 120))
            .setClasses(DeviceSeconds.newBuilder().setUseful(60).setIdle(40))
            .setTotalDeviceSeconds(100)
            .addIntervals(
                UsageInterval.newBuilder()
                    .setStart(start)
                    .setClasses(DeviceSeconds.newBuilder().setUseful(50))
                    .setTotalDeviceSeconds(50))
            .addIntervals(
                UsageInterval.newBuilder()
                    .setStart(start)
                    .setClasses(DeviceSeconds.newBuilder().setIdle(40))
                    .setTotalDeviceSeconds(50))
            .build();

    CliRunner.Result result =
        cli.run(
            "report",
            "--share",
            "vision",
            "--from",
            "2h",
            "--to",
            "2026-03-01T12:00:00Z",
            "--step",
            "1m");

    assertThat(result.out())
        .startsWith("from 2026-03-01 12:00:00 to 2026-03-01 12:02:00\n")
        .contains("FROM                 TO  USEFUL  STARTUP")
        .contains("2026-03-01 12:00:00  -     50.0 ")
        .contains("sum 40.0 GPU-s = devices x wall time 50.0 GPU-s: THEY DO NOT AGREE");
    GetUsageReportRequest sent = cli.scheduler.requests(GetUsageReportRequest.class).get(0);
    assertThat(sent.getShare()).isEqualTo("vision");
    assertThat(sent.getStart().getSeconds()).isEqualTo(FakeJobs.EPOCH_SECOND + 42 * 60 - 7200);
    assertThat(sent.getEnd().getSeconds()).isEqualTo(FakeJobs.EPOCH_SECOND);
    assertThat(sent.getStep().getSeconds()).isEqualTo(60);
    assertThat(cli.run("report", "--from", "1h", "--to", "2h").err())
        .isEqualTo("quotashare: --to: \"2h\" is not later than --from, \"1h\"\n");
    assertThat(cli.run("report", "--step", "5s").err())
        .isEqualTo("quotashare: --step: 5s is not valid here, expected 1m or more\n");
    assertThat(cli.run("report", "--from", "soon").err())
        .startsWith("quotashare: --from: \"soon\" is not an instant such as 2026-03-01");
  }

  @Test
  void preemptionsOfAJob() {
    cli.run("preemptions", "--job", "j-1", "--share", "a");

    ListPreemptionsRequest sent = cli.scheduler.requests(ListPreemptionsRequest.class).get(0);
    assertThat(sent.getJob()).isEqualTo("j-1");
    assertThat(sent.getShare()).isEqualTo("a");
  }

  @Test
  void preemptionsNameBothSides() {
    cli.scheduler.queues.preemptions.add(
        Preemption.newBuilder()
            .setJob("queues/research/jobs/med")
            .setAttempt(1)
            .setShare("background")
            .setBeneficiaryJob("owner")
            .setBeneficiaryShare("vision")
            .setCause(PreemptionCause.PREEMPTION_CAUSE_RECLAIM)
            .setGpus(1)
            .setDuration(Duration.newBuilder().setSeconds(3).setNanos(500_000_000))
            .build());

    assertThat(cli.run("preemptions").lines().get(1).strip().split(" {2,}"))
        .containsExactly(
            "-", "med", "background", "owner", "vision", "RECLAIM", "1", "-", "3.5s", "0.0", "0.0");
  }

  @Test
  void aStopForNobodyShowsSo() {
    cli.scheduler.queues.preemptions.add(
        Preemption.newBuilder()
            .setJob("queues/research/jobs/med")
            .setAttempt(1)
            .setShare("background")
            .setCause(PreemptionCause.PREEMPTION_CAUSE_REQUESTED)
            .setGpus(1)
            .build());

    assertThat(cli.run("preemptions").lines().get(1).strip().split(" {2,}"))
        .startsWith("-", "med", "background", "-", "-", "REQUESTED", "1");
  }
}
