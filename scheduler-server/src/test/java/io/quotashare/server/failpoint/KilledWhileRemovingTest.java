package io.quotashare.server.failpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.server.FakeClock;
import io.quotashare.server.Policies;
import io.quotashare.server.SimulatedAgent;
import io.quotashare.server.TestServer;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.grpc.Times;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A scheduler dies while it removes what is kept no longer, at every step of doing so: the next one
 * finds a state that agrees with itself, removes the rest, and the usage ledger has its sums.
 */
class KilledWhileRemovingTest {
  private static final int JOBS = 180;
  private static final int DEVICES = 3;
  private static final String QUEUE = "queues/research";

  @TempDir private static Path begun;
  @TempDir private Path folder;

  /** Time at which everything has ended. */
  private static long endedMillis;

  private static ServerConfig.Builder config() {
    return ServerConfig.builder()
        .set(ConfigKeys.KEEP_ENDED_JOBS, Duration.ofDays(2))
        .set(ConfigKeys.KEEP_AUDIT, Duration.ofDays(2))
        .set(ConfigKeys.RECOVERY_GRACE, Duration.ZERO)
        .set(ConfigKeys.SUSPECT_AFTER, Duration.ofDays(1))
        .set(ConfigKeys.LOST_AFTER, Duration.ofDays(300));
  }

  /** Many jobs that have ended, more than one batch removes. */
  @BeforeAll
  static void begin() {
    FakeClock clock = new FakeClock();
    try (TestServer server =
        TestServer.onSqlite(begun.resolve("data"), clock, Failpoints.NONE, config())) {
      server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
      SimulatedAgent agent = new SimulatedAgent(server, "n1", DEVICES);
      rounds(server, agent);
      // A loan that is taken back, so that there is a record of that, too.
      server.answer(server.jobs().submitJob(Policies.submit("loan", "borrower", 3).build()));
      rounds(server, agent);
      server.answer(server.jobs().submitJob(Policies.submit("own", "lender", 2).build()));
      rounds(server, agent);
      agent.finish("loan");
      agent.finish("own");
      for (int i = 0; i < JOBS; i++) {
        var unused = server.jobs().submitJob(Policies.submit("j-" + i, "borrower", 1).build());
        agent.finish("j-" + i);
      }
      server.settle();
      for (int i = 0; server.readModel().current().live().size() > 0 || i < 5; i++) {
        clock.advance(1_000);
        rounds(server, agent);
      }
    }
    endedMillis = clock.wallMillis();
  }

  private static void rounds(TestServer server, SimulatedAgent agent) {
    for (int i = 0; i < 4; i++) {
      agent.tick();
      server.settle();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static Map<String, Long> rows(TestServer server) {
    Map<String, Long> rows = new TreeMap<>(server.statistics().rows());
    rows.keySet().retainAll(Set.of("jobs", "attempts", "preemptions", "audit"));
    return rows;
  }

  /** Lets two days and a bit pass, with as many schedulers as it takes. */
  private TestServer outlive(Path data, FakeClock clock, KillSwitch failpoints) {
    TestServer server = TestServer.onSqlite(data, clock, failpoints, config());
    failpoints.arm();
    clock.advance(Duration.ofDays(2).toMillis());
    for (int i = 0; i < 600; i++) {
      try {
        clock.advance(100);
        server.settle();
      } catch (KillSwitch.Killed died) {
        server.close();
        failpoints.revive();
        server = TestServer.onSqlite(data, clock, failpoints, config());
      }
    }
    return server;
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "DRAINED",
        "APPLIED",
        "DECIDED",
        "BEFORE_COMMIT",
        "IN_COMMIT",
        "COMMITTED",
        "LISTENER_TOLD",
        "BEFORE_ANSWER"
      })
  void nothingIsLostAndNothingIsLeft(Failpoint where) throws IOException {
    for (int nth = 1; nth <= 3; nth++) {
      Path data = folder.resolve("data" + nth);
      copy(begun.resolve("data"), data);
      FakeClock clock = new FakeClock();
      clock.advance(endedMillis - clock.wallMillis());
      KillSwitch failpoints = KillSwitch.at(where, nth);

      try (TestServer server = outlive(data, clock, failpoints)) {
        assertThat(failpoints.isUsed()).as("died at %s, time %s", where, nth).isTrue();
        assertThat(rows(server))
            .containsEntry("jobs", 0L)
            .containsEntry("attempts", 0L)
            .containsEntry("preemptions", 0L)
            .containsEntry("audit", 1L);
        GetUsageReportResponse report =
            server.answer(
                server
                    .queues()
                    .getUsageReport(GetUsageReportRequest.newBuilder().setName(QUEUE).build()));
        double seconds = (Times.millis(report.getEnd()) - Times.millis(report.getStart())) / 1000.0;
        assertThat(report.getTotalDeviceSeconds()).isCloseTo(DEVICES * seconds, within(1e-6));
        assertThat(report.getClasses().getUseful() + report.getClasses().getStartup())
            .as("what the jobs did")
            .isPositive();
      }
      try (TestServer again = TestServer.onSqlite(data, clock, Failpoints.NONE, config())) {
        assertThat(rows(again)).as("it is verified, and as it was").containsEntry("jobs", 0L);
      }
    }
  }
}
