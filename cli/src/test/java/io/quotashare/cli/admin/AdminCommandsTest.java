package io.quotashare.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.proto.admin.v1.AuditEvent;
import io.quotashare.proto.admin.v1.ListAuditEventsRequest;
import io.quotashare.proto.admin.v1.PauseSchedulingRequest;
import io.quotashare.proto.admin.v1.ResumeSchedulingRequest;
import io.quotashare.proto.admin.v1.VerifyStateResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdminCommandsTest {
  private final CliRunner cli = new CliRunner();

  @AfterEach
  void close() {
    cli.close();
  }

  @Test
  void pausingIsShownWithItsReasonUntilItEnds() {
    String id = "8d2bd6f0-0000-4000-8000-000000000001";

    assertThat(cli.run("admin", "pause", "--reason", "network", "--request-id", id).err())
        .isEqualTo("scheduling is paused; quotashare admin resume ends that\n");
    assertThat(cli.run("admin", "status").out())
        .contains("scheduling        paused: network (quotashare admin resume ends that)\n");
    assertThat(cli.run("admin", "resume").err()).isEqualTo("scheduling goes on\n");
    assertThat(cli.run("admin", "status").out()).contains("scheduling        goes on\n");

    PauseSchedulingRequest sent = cli.scheduler.requests(PauseSchedulingRequest.class).get(0);
    assertThat(sent.getReason()).isEqualTo("network");
    assertThat(sent.getRequestId()).isEqualTo(id);
    assertThat(cli.scheduler.requests(ResumeSchedulingRequest.class)).hasSize(1);
  }

  @Test
  void statusHasEveryFormat() {
    assertThat(cli.run("admin", "status", "-o", "json").out())
        .contains("\"epoch\": \"3\"")
        .contains("\"paused\": false");
    assertThat(cli.run("admin", "status", "-o", "yaml").out()).contains("paused: false");
  }

  @Test
  void aSoundStateIsGood() {
    cli.scheduler.queues.verification =
        VerifyStateResponse.newBuilder().setRows(12).setRevision(34).build();

    assertThat(cli.run("admin", "verify"))
        .isEqualTo(new CliRunner.Result(0, "12 rows of revision 34: all is well\n", ""));
  }

  @Test
  void problemsOfTheStateAreToldAndAreNotSo() {
    cli.scheduler.queues.verification =
        VerifyStateResponse.newBuilder()
            .setRows(1)
            .setRevision(34)
            .addProblems("job queues/q/jobs/j-1 has no share")
            .build();

    CliRunner.Result result = cli.run("admin", "verify");

    assertThat(result.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(result.out())
        .isEqualTo(
            "job queues/q/jobs/j-1 has no share\n1 row of revision 34: 1 problem, please report this"
                + " as a fault of the scheduler\n");
  }

  @Test
  void theAuditSaysWhoChangedWhat() {
    for (int i = 0; i < 5; i++) {
      cli.scheduler.queues.auditEvents.add(
          AuditEvent.newBuilder()
              .setTime(Timestamp.newBuilder().setSeconds(FakeJobs.EPOCH_SECOND + i))
              .setPrincipal("anna")
              .setAction("CANCEL_JOB")
              .setResource("queues/q/jobs/j-" + i)
              .setBefore("RUNNING")
              .setDetail("wrong data")
              .build());
    }

    assertThat(cli.run("admin", "audit", "--limit", "3").lines())
        .hasSize(4)
        .contains("2026-03-01 12:00:00  anna  CANCEL_JOB  queues/q/jobs/j-0  wrong data");
    assertThat(cli.run("admin", "audit", "-o", "wide").out())
        .contains("BEFORE")
        .contains("RUNNING");
    cli.run("admin", "audit", "--resource", "queues/q", "--since", "1h");
    ListAuditEventsRequest sent =
        cli.scheduler.requests(ListAuditEventsRequest.class).stream()
            .filter(request -> request.getResource().equals("queues/q"))
            .findFirst()
            .orElseThrow();
    assertThat(sent.getSince().getSeconds()).isEqualTo(FakeJobs.EPOCH_SECOND + 42 * 60 - 3600);
    assertThat(cli.run("admin", "audit", "--limit", "0").err())
        .isEqualTo("quotashare: --limit: 0 is not valid here, expected 1 or more\n");
    assertThat(cli.run("admin", "audit", "--since", "soon").code()).isEqualTo(ExitCode.USAGE);
  }
}
