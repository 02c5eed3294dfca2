package io.quotashare.server.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotashare.proto.v1.DeviceSeconds;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.UsageInterval;
import io.quotashare.server.FakeClock;
import io.quotashare.server.Policies;
import io.quotashare.server.SimulatedAgent;
import io.quotashare.server.TestServer;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.grpc.Times;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three weeks of virtual time on a database, with restarts: what is kept reaches a plateau, and the
 * usage ledger still knows every device-second.
 */
class LongRunTest {
  private static final int DAYS = 21;
  private static final int STEPS_A_DAY = 24;
  private static final long STEP_MILLIS = 3_600_000;
  private static final int DEVICES = 6;

  /** When everything has been kept as long as it is kept; from here on nothing grows. */
  private static final int FULL = 7;

  @TempDir private Path folder;
  private final Random random = new Random(20261201);
  private final FakeClock clock = new FakeClock();
  private final List<String> unfinished = new ArrayList<>();
  private final List<Day> days = new ArrayList<>();
  private TestServer server;
  private SimulatedAgent agent;
  private int submitted;

  /** What there was at the end of a day. */
  private record Day(Map<String, Long> rows, long fileBytes) {}

  @BeforeEach
  void start() {
    // A midnight, so that days are days.
    clock.advance(86_400_000 - clock.wallMillis() % 86_400_000);
    server = open();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new SimulatedAgent(server, "n1", DEVICES);
    rounds();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private TestServer open() {
    return TestServer.onSqlite(
        folder.resolve("data"),
        clock,
        Failpoints.NONE,
        ServerConfig.builder()
            .set(ConfigKeys.KEEP_ENDED_JOBS, Duration.ofDays(3))
            .set(ConfigKeys.KEEP_AUDIT, Duration.ofDays(4))
            .set(ConfigKeys.KEEP_ANSWERS, Duration.ofHours(12))
            .set(ConfigKeys.USAGE_SAMPLE_INTERVAL, Duration.ofMinutes(30))
            .set(ConfigKeys.KEEP_USAGE_SAMPLES, Duration.ofDays(1))
            .set(ConfigKeys.KEEP_HOURLY_USAGE, Duration.ofDays(3))
            .set(ConfigKeys.RECOVERY_GRACE, Duration.ZERO)
            .set(ConfigKeys.SUSPECT_AFTER, Duration.ofDays(1))
            .set(ConfigKeys.LOST_AFTER, Duration.ofDays(300)));
  }

  private void rounds() {
    for (int i = 0; i < 4; i++) {
      agent.tick();
      server.settle();
    }
  }

  private void hour() {
    clock.advance(STEP_MILLIS);
    server.settle();
    for (int i = random.nextInt(8); i > 0; i--) {
      String id = "j-" + submitted++;
      SubmitJobRequest.Builder job =
          random.nextBoolean()
              ? Policies.submit(id, "lender", 1 + random.nextInt(2))
              : Policies.submit(id, "borrower", 1 + random.nextInt(4));
      String requestId = new UUID(random.nextLong(), random.nextLong()).toString();
      server.answer(server.jobs().submitJob(job.setRequestId(requestId).build()));
      unfinished.add(id);
    }
    while (unfinished.size() > random.nextInt(8)) {
      agent.finish(unfinished.remove(random.nextInt(unfinished.size())));
    }
    rounds();
  }

  private void day() throws IOException {
    for (int i = 0; i < STEPS_A_DAY; i++) {
      hour();
    }
    server.advance(Housekeeper.REST_MILLIS + 1_000);
    days.add(
        new Day(
            server.statistics().rows(),
            Files.size(folder.resolve("data").resolve("quotashare.db"))));
    int ended =
        server.answerOf(
            step ->
                (int)
                    step.scheduler().jobs().stream()
                        .filter(job -> job.state().isTerminal())
                        .count());
    assertThat(ended).as("ended jobs that the core holds").isZero();
  }

  private void restart() {
    server.close();
    server = open();
    agent.on(server);
    rounds();
  }

  private GetUsageReportResponse report(GetUsageReportRequest.Builder request) {
    return server.answer(
        server.queues().getUsageReport(request.setName("queues/research").build()));
  }

  private static double sum(DeviceSeconds c) {
    return c.getUseful()
        + c.getStartup()
        + c.getLost()
        + c.getSaving()
        + c.getDraining()
        + c.getHeldForBeneficiary()
        + c.getReservedIdle()
        + c.getIdle()
        + c.getUnhealthy()
        + c.getOutside();
  }

  private static double seconds(UsageInterval part) {
    return (Times.millis(part.getEnd()) - Times.millis(part.getStart())) / 1000.0;
  }

  private long most(String table, int from, int to) {
    return days.subList(from, to).stream()
        .mapToLong(day -> day.rows().getOrDefault(table, 0L))
        .max()
        .orElseThrow();
  }

  @Test
  void whatIsKeptReachesAPlateauAndTheSumsStay() throws IOException {
    for (int day = 0; day < DAYS; day++) {
      day();
      if (day % 8 == 7) {
        GetUsageReportResponse before = report(GetUsageReportRequest.newBuilder());
        restart();
        assertThat(report(GetUsageReportRequest.newBuilder())).isEqualTo(before);
      }
    }

    assertThat(submitted).isGreaterThan(1500);
    for (String table : List.of("jobs", "attempts", "preemptions", "audit", "requests")) {
      assertThat(most(table, FULL, DAYS))
          .as(table + " after three weeks, as after one: " + days)
          .isPositive()
          .isLessThanOrEqualTo(most(table, 0, FULL) * 3 / 2);
    }
    assertThat(most("usage_samples", FULL, DAYS)).isLessThanOrEqualTo(72 + DAYS + 2);
    assertThat(days.get(DAYS - 1).fileBytes())
        .as("bytes of the file: " + days)
        .isLessThanOrEqualTo(days.get(FULL).fileBytes() * 5 / 4);

    GetUsageReportResponse whole =
        report(
            GetUsageReportRequest.newBuilder()
                .setStep(Times.duration(Duration.ofDays(1).toMillis())));
    double time = (Times.millis(whole.getEnd()) - Times.millis(whole.getStart())) / 1000.0;
    assertThat(time).isGreaterThan(DAYS * 86_400.0);
    assertThat(whole.getTotalDeviceSeconds()).isCloseTo(DEVICES * time, within(1e-6));
    assertThat(sum(whole.getClasses())).isCloseTo(DEVICES * time, within(1e-6));
    assertThat(whole.getIntervalsCount()).as("days, and what has begun").isEqualTo(DAYS + 1);
    assertThat(whole.getIntervalsList())
        .allSatisfy(
            part -> {
              assertThat(part.getTotalDeviceSeconds())
                  .isCloseTo(DEVICES * seconds(part), within(1e-6));
              assertThat(sum(part.getClasses()))
                  .isCloseTo(part.getTotalDeviceSeconds(), within(1e-6));
            });
    assertThat(whole.getClasses().getUseful()).isPositive();
    restart();
  }
}
