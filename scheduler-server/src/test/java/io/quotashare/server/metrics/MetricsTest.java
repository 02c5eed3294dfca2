package io.quotashare.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private TestServer server;
  private FakeAgent agent;

  @BeforeEach
  void start() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new FakeAgent(server, "n1", 3).join();
    server.answer(server.jobs().submitJob(Policies.submit("loan", "borrower", 3).build()));
    String loan = "queues/research/jobs/loan/attempts/1";
    agent.run(loan);
    server.advance(5_000);
    agent.heartbeat();
    server.answer(server.jobs().submitJob(Policies.submit("own", "lender", 2).build()));
    agent.stopped(loan);
    server.advance(2_000);
    agent.heartbeat();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void figuresAreThoseOfTheState() {
    String text = Scrapes.of(server);

    assertThat(text)
        .contains(
            "quotashare_share_devices{kind=\"own\",queue=\"research\",share=\"lender\",unit=\"H100\"}"
                + " 2.0")
        .contains(
            "quotashare_share_devices{kind=\"limit\",queue=\"research\",share=\"borrower\",unit=\"H100\"}"
                + " 1.0")
        .contains("quotashare_jobs{queue=\"research\",share=\"lender\",state=\"SCHEDULED\"} 1.0")
        .contains(
            "quotashare_preemptions_total{cause=\"RECLAIM\",queue=\"research\",share=\"borrower\"}"
                + " 1.0")
        .contains("quotashare_futile_preemptions_total 0.0")
        .contains("quotashare_agents{state=\"connected\"} 1.0")
        .contains("quotashare_leader 1.0")
        .contains("quotashare_waiting_seconds_count{queue=\"research\",share=\"lender\"} 1");
    assertThat(text)
        .containsPattern(
            "quotashare_device_seconds_total\\{kind=\"lost\",queue=\"research\","
                + "share=\"borrower\",unit=\"H100\"\\} 15");
  }

  @Test
  void rowsAreCountedAndThoseThatWereRemoved() {
    assertThat(Scrapes.of(server))
        .contains("quotashare_store_rows{kind=\"jobs\"} 2.0")
        .contains("quotashare_store_removed_rows_total{kind=\"jobs\"} 0.0")
        .contains("quotashare_store_bytes 0.0");
    agent.run("queues/research/jobs/own/attempts/1");
    agent.finish("queues/research/jobs/own/attempts/1");

    server.clock().advance(Duration.ofDays(30).toMillis());
    server.settle();
    server.advance(11_000);

    assertThat(Scrapes.of(server))
        .contains("quotashare_store_rows{kind=\"jobs\"} 1.0")
        .contains("quotashare_store_removed_rows_total{kind=\"jobs\"} 1.0")
        .contains("quotashare_store_removed_rows_total{kind=\"attempts\"} 1.0");
  }
}
