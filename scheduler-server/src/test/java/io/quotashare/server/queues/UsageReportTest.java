package io.quotashare.server.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.v1.DeviceSeconds;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.ShareDeviceSeconds;
import io.quotashare.proto.v1.UsageInterval;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.grpc.Times;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The usage ledger over time (quota-semantics 6.7, I9): every cut of it adds up. */
class UsageReportTest {
  private static final String QUEUE = "queues/research";
  private static final int DEVICES = 3;
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private TestServer server;
  private FakeAgent agent;
  private long begin;

  @BeforeEach
  void start() {
    server =
        TestServer.create(
            ServerConfig.builder()
                .set(ConfigKeys.LOST_AFTER, Duration.ofDays(300))
                .set(ConfigKeys.KEEP_USAGE_SAMPLES, Duration.ofHours(6))
                .set(ConfigKeys.KEEP_HOURLY_USAGE, Duration.ofDays(3))
                .set(ConfigKeys.KEEP_DAILY_USAGE, Duration.ofDays(20)));
    // An hour begins in one second.
    long now = server.clock().wallMillis();
    server.clock().advance(HOUR - now % HOUR - 1_000);
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new FakeAgent(server, "n1", DEVICES).join();
    begin = server.clock().wallMillis();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Lets time pass, with a step of the engine in every minute. */
  private void pass(long millis) {
    for (long left = millis; left > 0; left -= MINUTE) {
      server.clock().advance(Math.min(left, MINUTE));
      server.settle();
    }
  }

  private void run(String id, String share, int gpus) {
    server.answer(server.jobs().submitJob(Policies.submit(id, share, gpus).build()));
    agent.run(attempt(id));
  }

  private static String attempt(String id) {
    return QUEUE + "/jobs/" + id + "/attempts/1";
  }

  private static GetUsageReportRequest.Builder request() {
    return GetUsageReportRequest.newBuilder().setName(QUEUE);
  }

  private GetUsageReportResponse report(GetUsageReportRequest.Builder request) {
    GetUsageReportResponse report = server.answer(server.queues().getUsageReport(request.build()));
    assertAddsUp(
        report.getStart(),
        report.getEnd(),
        report.getClasses(),
        report.getTotalDeviceSeconds(),
        request.getShare().isEmpty() ? report.getSharesList() : List.of());
    Timestamp last = report.getStart();
    double total = 0;
    for (UsageInterval interval : report.getIntervalsList()) {
      assertThat(interval.getStart()).as("no gap and no overlap").isEqualTo(last);
      assertAddsUp(
          interval.getStart(),
          interval.getEnd(),
          interval.getClasses(),
          interval.getTotalDeviceSeconds(),
          request.getShare().isEmpty() ? interval.getSharesList() : List.of());
      last = interval.getEnd();
      total += interval.getTotalDeviceSeconds();
    }
    if (request.hasStep() && report.getIntervalsCount() > 0) {
      assertThat(last).isEqualTo(report.getEnd());
      assertThat(total).isCloseTo(report.getTotalDeviceSeconds(), within(1e-6));
    }
    return report;
  }

  private static void assertAddsUp(
      Timestamp start,
      Timestamp end,
      DeviceSeconds c,
      double total,
      List<ShareDeviceSeconds> shares) {
    double seconds = (Times.millis(end) - Times.millis(start)) / 1000.0;
    double held = held(c);
    double free =
        c.getHeldForBeneficiary()
            + c.getReservedIdle()
            + c.getIdle()
            + c.getUnhealthy()
            + c.getOutside();
    assertThat(total).isCloseTo(DEVICES * seconds, within(1e-6));
    assertThat(held + free).isCloseTo(total, within(1e-6));
    for (ShareDeviceSeconds share : shares) {
      assertThat(held(share.getClasses()))
          .isCloseTo(share.getOwn() + share.getBorrowed() + share.getOver(), within(1e-6));
      double limit = share.getShare().equals("lender") ? 2 : 1;
      assertThat(share.getOwn() + share.getLent() + share.getIdle())
          .isCloseTo(limit * seconds, within(1e-6));
    }
    if (!shares.isEmpty()) {
      assertThat(shares.stream().mapToDouble(s -> held(s.getClasses())).sum())
          .isCloseTo(held, within(1e-6));
    }
  }

  private static double held(DeviceSeconds c) {
    return c.getUseful() + c.getStartup() + c.getLost() + c.getSaving() + c.getDraining();
  }

  private static Timestamp at(long millis) {
    return Times.timestamp(millis);
  }

  @Test
  void aReportIsSplitAtFullStepsAndEveryPartAddsUp() {
    run("a", "lender", 2);
    pass(42 * MINUTE);
    agent.finish(attempt("a"));
    run("b", "borrower", 1);
    pass(31 * MINUTE);

    GetUsageReportResponse report = report(request().setStep(Times.duration(10 * MINUTE)));

    assertThat(report.getStart()).isEqualTo(at(begin));
    assertThat(report.getEnd()).isEqualTo(at(server.clock().wallMillis()));
    assertThat(report.getIntervalsList())
        .extracting(i -> Times.millis(i.getStart()) - begin)
        .as("full ten minutes, an hour begins at 1000 ms")
        .startsWith(0L, 1_000L, 10 * MINUTE + 1_000)
        .hasSize(9);
    assertThat(report.getIntervalsList())
        .extracting(i -> Math.round(held(i.getClasses()) / 60))
        .containsExactly(0L, 20L, 20L, 20L, 20L, 12L, 10L, 10L, 3L);
  }

  @Test
  void startAndEndAreMovedToKeptInstantsAndSaidSo() {
    pass(HOUR);

    GetUsageReportResponse report =
        report(
            request()
                .setStart(at(begin + 12 * MINUTE))
                .setEnd(at(begin + 28 * MINUTE))
                .setStep(Times.duration(10 * MINUTE)));

    assertThat(Times.millis(report.getStart()) - begin).isEqualTo(10 * MINUTE + 1_000);
    assertThat(Times.millis(report.getEnd()) - begin).isEqualTo(30 * MINUTE + 1_000);
    assertThat(report.getIntervalsCount()).isEqualTo(2);
  }

  @Test
  void whatWasBeforeTheFirstDeviceIsNothing() {
    pass(7 * MINUTE);

    GetUsageReportResponse report =
        report(request().setStart(at(begin - DAY)).setEnd(at(begin - HOUR)));
    assertThat(report.getTotalDeviceSeconds()).isZero();
    assertThat(report.getStart()).isEqualTo(report.getEnd()).isEqualTo(at(begin));

    GetUsageReportResponse whole =
        report(request().setStart(at(begin - DAY)).setEnd(at(begin + 10 * DAY)));
    assertThat(whole.getStart()).isEqualTo(at(begin));
    assertThat(whole.getEnd()).isEqualTo(at(server.clock().wallMillis()));
  }

  /** Work that is found lost is booked when it is found; the sums stay. */
  @Test
  void workThatIsFoundLostIsBookedWhenItIsFound() {
    run("a", "lender", 2);
    pass(21 * MINUTE);
    agent.fail(attempt("a"), 3);
    pass(10 * MINUTE);

    List<UsageInterval> parts =
        report(request().setStep(Times.duration(10 * MINUTE))).getIntervalsList();

    assertThat(parts)
        .extracting(i -> Math.round(i.getClasses().getUseful() / 60))
        .containsExactly(0L, 20L, 20L, -40L, 0L);
    assertThat(parts)
        .extracting(i -> Math.round(i.getClasses().getLost() / 60))
        .containsExactly(0L, 0L, 0L, 42L, 0L);
  }

  @Test
  void oneShareAlone() {
    run("b", "borrower", 1);
    pass(30 * MINUTE);

    GetUsageReportResponse report =
        report(request().setShare("borrower").setStep(Times.duration(10 * MINUTE)));

    assertThat(report.getSharesList())
        .singleElement()
        .satisfies(s -> assertThat(s.getOwn()).isCloseTo(1800, within(1.0)));
    assertThat(report.getIntervalsList())
        .allSatisfy(
            i ->
                assertThat(i.getSharesList())
                    .extracting(ShareDeviceSeconds::getShare)
                    .containsExactly("borrower"));
    StatusRuntimeException unknown =
        server.error(server.queues().getUsageReport(request().setShare("nobody").build()));
    assertThat(unknown.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void aRestartLeavesNoGapAndCountsNothingTwice() {
    run("a", "lender", 2);
    pass(13 * MINUTE);
    server = server.restart();
    agent.on(server);
    agent.register(agent.status(attempt("a"), AttemptPhase.ATTEMPT_PHASE_RUNNING).build());
    agent.connect();
    server.advance(11_000);
    pass(20 * MINUTE);
    agent.finish(attempt("a"));
    // Down for two hours: what was kept before and after says how much it was in between.
    server.clock().advance(2 * HOUR);
    server = server.restart();
    agent.on(server).register();
    agent.connect();
    pass(30 * MINUTE);

    GetUsageReportResponse report = report(request().setStep(Times.duration(5 * MINUTE)));

    long longest =
        report.getIntervalsList().stream()
            .mapToLong(i -> Times.millis(i.getEnd()) - Times.millis(i.getStart()))
            .max()
            .orElseThrow();
    assertThat(longest).isBetween(115 * MINUTE, 125 * MINUTE);
    assertThat(Math.round(held(report.getClasses()) / 60)).isEqualTo(66);
  }

  @Test
  void condensingChangesNoSum() {
    run("a", "lender", 2);
    pass(2 * DAY + 90 * MINUTE);
    agent.finish(attempt("a"));
    // Eleven at night: what is kept of it later begins and ends at midnights.
    long night = begin + 1_000 + DAY;
    GetUsageReportResponse before =
        report(request().setStart(at(night)).setEnd(at(night + 4 * HOUR)));
    GetUsageReportResponse dayBefore = report(request().setEnd(at(night + DAY - night % DAY)));
    int samples = server.store().usageInstants("research").size();
    assertThat(samples).as("six hours of five minutes, and full hours").isBetween(72 + 40, 72 + 60);

    pass(DAY);
    assertThat(report(request().setStart(at(night)).setEnd(at(night + 4 * HOUR))))
        .isEqualTo(before);

    pass(5 * DAY);
    assertThat(server.store().usageInstants("research"))
        .as("a plateau: six hours, three days, and midnights")
        .hasSizeBetween(72 + 60, 72 + 80);
    GetUsageReportResponse wider =
        report(request().setStart(at(night)).setEnd(at(night + 4 * HOUR)));
    assertThat(Times.millis(wider.getEnd()) - Times.millis(wider.getStart())).isEqualTo(2 * DAY);
    assertThat(report(request().setEnd(at(night + DAY - night % DAY)))).isEqualTo(dayBefore);
    GetUsageReportResponse daily = report(request().setStep(Times.duration(HOUR)));
    assertThat(daily.getIntervalsCount()).as("days, then hours").isLessThan(100);

    pass(30 * DAY);
    assertThat(server.store().usageInstants("research")).hasSizeBetween(72 + 70, 72 + 100);
    assertThat(report(request()).getStart()).isEqualTo(at(begin));
    assertThat(Math.round(held(report(request()).getClasses()) / 60))
        .as("the sums stay when the last sample is gone")
        .isEqualTo(2 * (2 * 24 * 60 + 90));
  }

  @Test
  void whatCannotBeReportedIsRefused() {
    pass(2 * DAY);

    StatusRuntimeException tooMany =
        server.error(
            server.queues().getUsageReport(request().setStep(Times.duration(MINUTE)).build()));
    assertThat(tooMany.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(ErrorInfos.fields(tooMany)).containsExactly("step");
    assertThat(tooMany.getStatus().getDescription())
        .contains("60.0 s makes 2880 intervals", "(expected: at most 1000)");

    StatusRuntimeException future =
        server.error(
            server.queues().getUsageReport(request().setStart(at(begin + 3 * DAY)).build()));
    assertThat(ErrorInfos.fields(future)).containsExactly("start");
    assertThat(future.getStatus().getDescription()).contains("not in the future");

    StatusRuntimeException backwards =
        server.error(
            server
                .queues()
                .getUsageReport(
                    request().setStart(at(begin + HOUR)).setEnd(at(begin + MINUTE)).build()));
    assertThat(ErrorInfos.fields(backwards)).containsExactly("end");
    assertThat(backwards.getStatus().getDescription()).contains("not before start");
  }
}
