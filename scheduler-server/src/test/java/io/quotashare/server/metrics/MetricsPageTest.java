package io.quotashare.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.Progress;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.PreemptionMode;
import io.quotashare.proto.v1.ShareDeviceSeconds;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.grpc.Times;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/metrics.md lists exactly what a server exposes after a run that touches everything. */
class MetricsPageTest {
  private static final String LOAN = "queues/research/jobs/loan/attempts/1";
  private static final String OWN = "queues/research/jobs/own/attempts/1";

  private TestServer server;
  private FakeAgent agent;

  @BeforeEach
  void touchEverything() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new FakeAgent(server, "n1", 3).join();
    reclaim();
    observe();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** A borrower saves for 2 s and stops for 3 s; the owner's job runs 4 s after that. */
  private void reclaim() {
    SubmitJobRequest.Builder loan = Policies.submit("loan", "borrower", 3);
    loan.getSpecBuilder().setOnDemandCheckpoint(true);
    server.answer(server.jobs().submitJob(loan.build()));
    agent.run(LOAN);
    server.advance(5_000);
    server.answer(server.jobs().submitJob(Policies.submit("own", "lender", 2).build()));
    server.advance(2_000);
    agent.report(
        agent
            .status(LOAN, AttemptPhase.ATTEMPT_PHASE_RUNNING)
            .setProgress(
                Progress.newBuilder()
                    .setOnDemand(true)
                    .setAckSeq(1)
                    .setCheckpointStateTime(agent.now())
                    .setCheckpointDurableTime(agent.now())));
    server.advance(3_000);
    agent.stopped(LOAN);
    server.advance(4_000);
    agent.run(OWN);
    agent.finish(OWN);
  }

  /** The borrower has all devices again, and the owner's next job would take them back. */
  private void observe() {
    ApplyPolicyRequest.Builder policy = Policies.lenderAndBorrower().toBuilder();
    policy
        .getQueuesBuilder(0)
        .getQueueBuilder()
        .setPreemptionMode(PreemptionMode.PREEMPTION_MODE_OBSERVE_ONLY);
    server.answer(server.shares().applyPolicy(policy.build()));
    agent.run("queues/research/jobs/loan/attempts/2");
    server.answer(server.jobs().submitJob(Policies.submit("mine", "lender", 2).build()));
    server.advance(1_000);
    agent.heartbeat();
  }

  @Test
  void namesTypesLabelsAndUnitsAreThoseOfThePage() {
    String scrape = Scrapes.of(server);
    Map<String, MetricsPage.Documented> page = MetricsPage.read();

    Map<String, String> documentedTypes = new TreeMap<>();
    page.forEach((name, row) -> documentedTypes.put(name, row.type()));
    assertThat(Scrapes.types(scrape)).isEqualTo(documentedTypes);
    page.forEach(
        (name, row) -> {
          // A counter of removed rows has no sample before something is removed.
          if (!name.equals("quotashare_store_removed_rows_total")) {
            assertThat(Scrapes.labels(scrape, name)).as(name).isEqualTo(row.labels());
          }
          assertThat(row.unit().equals("seconds")).as(name).isEqualTo(name.contains("_seconds"));
          assertThat(row.unit().equals("bytes")).as(name).isEqualTo(name.contains("_bytes"));
          assertThat(row.type().equals("counter")).as(name).isEqualTo(name.endsWith("_total"));
        });
  }

  @Test
  void everyPhaseOfAReclaimIsMeasured() {
    String scrape = Scrapes.of(server);

    assertThat(Scrapes.values(scrape, "quotashare_reclaim_seconds", "phase"))
        .containsExactlyInAnyOrder("decide", "save", "stop", "free", "start");
    assertThat(phase(scrape, "decide")).isZero();
    assertThat(phase(scrape, "save")).isEqualTo(2);
    assertThat(phase(scrape, "stop")).isEqualTo(3);
    assertThat(phase(scrape, "free")).isZero();
    assertThat(phase(scrape, "start")).isEqualTo(4);
  }

  private static double phase(String scrape, String phase) {
    Map<String, String> labels = Map.of("phase", phase);
    assertThat(Scrapes.sum(scrape, "quotashare_reclaim_seconds_count", labels)).isEqualTo(1);
    return Scrapes.sum(scrape, "quotashare_reclaim_seconds_sum", labels);
  }

  @Test
  void whatIsOnlyObservedIsCountedApart() {
    String scrape = Scrapes.of(server);

    assertThat(
            Scrapes.sum(
                scrape,
                "quotashare_observed_preemptions_total",
                Map.of("queue", "research", "share", "borrower", "cause", "RECLAIM")))
        .isEqualTo(1);
    assertThat(Scrapes.sum(scrape, "quotashare_preemptions_total", Map.of())).isEqualTo(1);
  }

  @Test
  void aPauseIsSeen() {
    assertThat(Scrapes.sum(Scrapes.of(server), "quotashare_scheduling_paused", Map.of())).isZero();
    server.answer(
        server
            .admin()
            .pauseScheduling(
                io.quotashare.proto.admin.v1.PauseSchedulingRequest.getDefaultInstance()));
    assertThat(Scrapes.sum(Scrapes.of(server), "quotashare_scheduling_paused", Map.of())).isOne();
  }

  @Test
  void sumsGoOnAfterARestart() {
    String before = Scrapes.of(server);
    server = server.restart();
    new FakeAgent(server, "n1", 3)
        .register(
            agent
                .status("queues/research/jobs/loan/attempts/2", AttemptPhase.ATTEMPT_PHASE_RUNNING)
                .build());
    server.settle();

    String after = Scrapes.of(server);
    for (String kind : new String[] {"useful", "startup", "lost", "saving", "draining", "idle"}) {
      assertThat(Scrapes.sum(after, "quotashare_device_seconds_total", Map.of("kind", kind)))
          .as(kind)
          .isEqualTo(Scrapes.sum(before, "quotashare_device_seconds_total", Map.of("kind", kind)));
    }
  }

  @Test
  void theReportAddsUpAfterARestart() {
    assertAddsUp();
    server.clock().advance(7_000);
    server = server.restart();
    assertAddsUp();
    agent = new FakeAgent(server, "n1", 3).join();
    server.advance(5_000);
    assertAddsUp();
  }

  /** Every device-second is in one class, and there are as many as devices times wall time. */
  private void assertAddsUp() {
    var report =
        server.answer(
            server
                .queues()
                .getUsageReport(
                    GetUsageReportRequest.newBuilder().setName("queues/research").build()));
    var classes = report.getClasses();
    double held =
        classes.getUseful()
            + classes.getStartup()
            + classes.getLost()
            + classes.getSaving()
            + classes.getDraining();
    double notHeld =
        classes.getHeldForBeneficiary()
            + classes.getReservedIdle()
            + classes.getIdle()
            + classes.getUnhealthy()
            + classes.getOutside();
    double wall = Times.millis(report.getEnd()) / 1000.0 - Times.millis(report.getStart()) / 1000.0;
    assertThat(held + notHeld).isCloseTo(report.getTotalDeviceSeconds(), within(0.01));
    assertThat(report.getTotalDeviceSeconds()).isCloseTo(3 * wall, within(0.01));
    double byShare = report.getSharesList().stream().mapToDouble(MetricsPageTest::heldBy).sum();
    assertThat(byShare).isCloseTo(held, within(0.01));
  }

  private static double heldBy(ShareDeviceSeconds share) {
    return share.getOwn() + share.getBorrowed() + share.getOver();
  }

  @Test
  void aWaitThatSpansARestartIsMeasuredFromItsBeginning() {
    // The owner's job waits 1 s already.
    server.clock().advance(9_000);
    server = server.restart();
    // Its agent does not know the loan any more, so the owner's job starts.
    agent = new FakeAgent(server, "n1", 3).join();
    server.settle();
    String scrape = Scrapes.of(server);

    assertThat(Scrapes.sum(scrape, "quotashare_waiting_seconds_sum", Map.of("share", "lender")))
        .isEqualTo(10);
  }
}
