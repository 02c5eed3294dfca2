package io.quotashare.client.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.quotashare.proto.admin.v1.AuditEvent;
import io.quotashare.proto.admin.v1.GetSchedulerStatusResponse;
import io.quotashare.proto.admin.v1.VerifyStateResponse;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.Attempt;
import io.quotashare.proto.v1.CancelJobsResponse;
import io.quotashare.proto.v1.DeleteQuotaShareResponse;
import io.quotashare.proto.v1.ExplainJobResponse;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.Loan;
import io.quotashare.proto.v1.Node;
import io.quotashare.proto.v1.PlanJobResponse;
import io.quotashare.proto.v1.PlanPolicyResponse;
import io.quotashare.proto.v1.Preemption;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.SubmitJobError;
import io.quotashare.proto.v1.SubmitJobOutcome;
import io.quotashare.proto.v1.WatchJobsResponse;
import io.quotashare.proto.v1.WatchQuotaSharesResponse;
import java.util.function.UnaryOperator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A field that the client's types forget would vanish from what the command line prints: every
 * message with every field set must survive the way through the client's types.
 */
class ProtosRoundTripTest {
  private static <M extends Message> void survives(long seed, M prototype, UnaryOperator<M> way) {
    M message = RandomMessages.fill(prototype, seed);
    assertThat(way.apply(message)).isEqualTo(message);
  }

  @Property(tries = 200, seed = "20260301")
  void jobs(@ForAll long seed) {
    survives(seed, Job.getDefaultInstance(), m -> JobProtos.toProto(JobProtos.fromProto(m)));
  }

  @Property(tries = 200, seed = "20260301")
  void attempts(@ForAll long seed) {
    survives(seed, Attempt.getDefaultInstance(), m -> JobProtos.toProto(JobProtos.fromProto(m)));
  }

  @Property(tries = 100, seed = "20260301")
  void explanations(@ForAll long seed) {
    survives(
        seed,
        ExplainJobResponse.getDefaultInstance(),
        m -> JobProtos.toProto(JobProtos.fromProto(m)));
  }

  @Property(tries = 100, seed = "20260301")
  void events(@ForAll long seed) {
    survives(
        seed,
        WatchJobsResponse.getDefaultInstance(),
        m -> JobProtos.toProto(JobProtos.fromProto(m)));
  }

  @Property(tries = 100, seed = "20260301")
  void queues(@ForAll long seed) {
    survives(seed, Queue.getDefaultInstance(), m -> ShareProtos.toProto(ShareProtos.fromProto(m)));
  }

  @Property(tries = 100, seed = "20260301")
  void shares(@ForAll long seed) {
    survives(
        seed,
        QuotaShareStatus.getDefaultInstance(),
        m -> ShareProtos.toProto(ShareProtos.fromProto(m)));
  }

  @Property(tries = 50, seed = "20260301")
  void policyResults(@ForAll long seed) {
    survives(
        seed,
        ApplyPolicyResponse.getDefaultInstance(),
        m -> PlanProtos.toProto(PlanProtos.fromProto(m)));
  }

  @Property(tries = 50, seed = "20260301")
  void loans(@ForAll long seed) {
    survives(seed, Loan.getDefaultInstance(), m -> ShareProtos.toProto(ShareProtos.fromProto(m)));
  }

  @Property(tries = 100, seed = "20260301")
  void snapshots(@ForAll long seed) {
    survives(
        seed,
        GetQueueSnapshotResponse.getDefaultInstance(),
        m -> QueueProtos.toProto(QueueProtos.fromProto(m)));
  }

  @Property(tries = 100, seed = "20260301")
  void nodes(@ForAll long seed) {
    survives(seed, Node.getDefaultInstance(), m -> QueueProtos.toProto(QueueProtos.fromProto(m)));
  }

  @Property(tries = 100, seed = "20260301")
  void reports(@ForAll long seed) {
    survives(
        seed,
        GetUsageReportResponse.getDefaultInstance(),
        m -> QueueProtos.toProto(QueueProtos.fromProto(m)));
  }

  @Property(tries = 100, seed = "20260301")
  void preemptions(@ForAll long seed) {
    survives(
        seed, Preemption.getDefaultInstance(), m -> QueueProtos.toProto(QueueProtos.fromProto(m)));
  }

  @Property(tries = 50, seed = "20260301")
  void jobPlans(@ForAll long seed) {
    survives(
        seed,
        PlanJobResponse.getDefaultInstance(),
        m -> PlanProtos.toProto(PlanProtos.fromProto(m)));
  }

  @Property(tries = 50, seed = "20260301")
  void policyPlans(@ForAll long seed) {
    survives(
        seed,
        PlanPolicyResponse.getDefaultInstance(),
        m -> PlanProtos.toProto(PlanProtos.fromProto(m)));
  }

  @Property(tries = 50, seed = "20260301")
  void refusalsOfABatch(@ForAll long seed) {
    SubmitJobError error = RandomMessages.fill(SubmitJobError.getDefaultInstance(), seed);
    SubmitJobOutcome message = SubmitJobOutcome.newBuilder().setError(error).build();

    assertThat(
            PlanProtos.toProto(
                PlanProtos.fromProto(
                    message,
                    job -> {
                      throw new AssertionError("accepted");
                    })))
        .isEqualTo(message);
  }

  @Property(tries = 20, seed = "20260301")
  void cancellations(@ForAll long seed) {
    survives(
        seed,
        CancelJobsResponse.getDefaultInstance(),
        m -> PlanProtos.toProto(PlanProtos.fromProto(m)));
  }

  @Property(tries = 20, seed = "20260301")
  void deletions(@ForAll long seed) {
    survives(
        seed,
        DeleteQuotaShareResponse.getDefaultInstance(),
        m -> ShareProtos.toProto(ShareProtos.fromProto(m)));
  }

  @Property(tries = 50, seed = "20260301")
  void auditEvents(@ForAll long seed) {
    survives(
        seed, AuditEvent.getDefaultInstance(), m -> AdminProtos.toProto(AdminProtos.fromProto(m)));
  }

  @Property(tries = 20, seed = "20260301")
  void verifications(@ForAll long seed) {
    survives(
        seed,
        VerifyStateResponse.getDefaultInstance(),
        m -> AdminProtos.toProto(AdminProtos.fromProto(m)));
  }

  @Property(tries = 20, seed = "20260301")
  void schedulerStatus(@ForAll long seed) {
    survives(
        seed,
        GetSchedulerStatusResponse.getDefaultInstance(),
        m -> AdminProtos.toProto(AdminProtos.fromProto(m)));
  }

  @Property(tries = 50, seed = "20260301")
  void shareEvents(@ForAll long seed) {
    WatchQuotaSharesResponse filled =
        RandomMessages.fill(WatchQuotaSharesResponse.getDefaultInstance(), seed);
    WatchQuotaSharesResponse message =
        filled.hasShare() || filled.hasRemoved()
            ? filled
            : filled.toBuilder().setRemoved("queues/q/shares/s").build();

    assertThat(ShareProtos.toProto(requireNonNull(ShareProtos.fromProto(message))))
        .isEqualTo(message);
  }

  @Example
  void anEnumValueOfANewerSchedulerIsReadAsUnrecognized() {
    Job job = Job.newBuilder().setName("queues/q/jobs/j").setStateValue(999).build();

    assertThat(JobProtos.fromProto(job).state())
        .isEqualTo(io.quotashare.client.JobState.UNRECOGNIZED);
  }
}
