package io.quotashare.server.failpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotashare.proto.v1.Attempt;
import io.quotashare.proto.v1.DeviceSeconds;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.ListAttemptsRequest;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.Preemption;
import io.quotashare.server.SimulatedAgent;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.AuditEvent;
import io.quotashare.server.store.AuditQuery;
import io.quotashare.server.store.AuditRecord;
import io.quotashare.server.store.StateStore;
import java.util.ArrayList;
import java.util.List;

/**
 * How a story came out, but for times: what two runs of it must have in common.
 *
 * @param jobs each job with its attempts
 * @param preemptions newest first
 * @param audit oldest first
 * @param launched every process that an agent started, sorted
 */
record StoryOutcome(
    List<String> jobs, List<String> preemptions, List<String> audit, List<String> launched) {

  static StoryOutcome of(TestServer server, List<SimulatedAgent> agents, List<String> jobs) {
    checkLedger(server);
    return new StoryOutcome(
        jobs.stream().map(job -> job(server, "queues/research/jobs/" + job)).toList(),
        preemptions(server),
        audit(server),
        agents.stream().flatMap(agent -> agent.launched().stream()).sorted().toList());
  }

  private static String job(TestServer server, String name) {
    Job job =
        server
            .answer(server.jobs().getJob(GetJobRequest.newBuilder().setName(name).build()))
            .getJob();
    StringBuilder text = new StringBuilder(job.getName());
    text.append(' ')
        .append(job.getState())
        .append(" priority ")
        .append(job.getSpec().getPriority());
    text.append(" preempted ").append(job.getPreemptionCount());
    for (Attempt attempt :
        server
            .answer(
                server
                    .jobs()
                    .listAttempts(ListAttemptsRequest.newBuilder().setParent(name).build()))
            .getAttemptsList()) {
      text.append("; ").append(attempt.getName().substring(name.length()));
      text.append(' ').append(attempt.getState());
      text.append(' ').append(attempt.getPreemptionCause());
      text.append(" for ").append(attempt.getBeneficiaryJob());
      text.append(" exit ").append(attempt.getExitCode());
      text.append(" confirmed ").append(attempt.getCheckpointConfirmed());
      text.append(" ended ")
          .append(attempt.hasEndedAt())
          .append(' ')
          .append(attempt.getEndReason());
    }
    return text.toString();
  }

  private static List<String> preemptions(TestServer server) {
    List<String> all = new ArrayList<>();
    for (Preemption p :
        server
            .answer(
                server
                    .queues()
                    .listPreemptions(
                        ListPreemptionsRequest.newBuilder().setParent("queues/research").build()))
            .getPreemptionsList()) {
      all.add(
          p.getJob()
              + "/"
              + p.getAttempt()
              + " for "
              + p.getBeneficiaryJob()
              + " "
              + p.getCause()
              + " "
              + p.getGpus()
              + " saved "
              + p.hasSavedAt()
              + " freed "
              + p.hasFreedAt());
    }
    return all;
  }

  private static List<String> audit(TestServer server) {
    List<String> all = new ArrayList<>();
    for (AuditRecord entry :
        server.instance(StateStore.class).audit(AuditQuery.newest(1000)).items()) {
      AuditEvent event = entry.event();
      all.add(
          0,
          String.join(
              " | ",
              event.principal(),
              event.action(),
              event.resource(),
              event.requestId(),
              event.before(),
              event.after(),
              event.detail()));
    }
    return all;
  }

  /** Every device-second is accounted for once, whenever somebody died. */
  private static void checkLedger(TestServer server) {
    GetUsageReportResponse report =
        server.answer(
            server
                .queues()
                .getUsageReport(
                    GetUsageReportRequest.newBuilder().setName("queues/research").build()));
    DeviceSeconds c = report.getClasses();
    double held = c.getUseful() + c.getStartup() + c.getLost() + c.getSaving() + c.getDraining();
    double rest =
        c.getHeldForBeneficiary()
            + c.getReservedIdle()
            + c.getIdle()
            + c.getUnhealthy()
            + c.getOutside();
    assertThat(held + rest).isCloseTo(report.getTotalDeviceSeconds(), within(0.01));
    double shares =
        report.getSharesList().stream()
            .mapToDouble(share -> share.getOwn() + share.getBorrowed() + share.getOver())
            .sum();
    assertThat(shares).isCloseTo(held, within(0.01));
    assertThat(report.getFutilePreemptions()).isZero();
  }
}
