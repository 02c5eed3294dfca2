package io.quotashare.client.internal;

import io.quotashare.client.AuditEvent;
import io.quotashare.client.SchedulerStatus;
import io.quotashare.client.StateVerification;
import io.quotashare.proto.admin.v1.GetSchedulerStatusResponse;
import io.quotashare.proto.admin.v1.VerifyStateResponse;

/** What an operator is shown, between the wire and the client. */
public final class AdminProtos {
  private AdminProtos() {}

  static SchedulerStatus fromProto(GetSchedulerStatusResponse status) {
    return new SchedulerStatus(
        status.getVersion(),
        status.getEpoch(),
        status.getLeadingSeconds(),
        status.getLiveJobs(),
        status.getConnectedAgents(),
        status.getPaused(),
        status.getPauseReason());
  }

  /** The message of a status. */
  public static GetSchedulerStatusResponse toProto(SchedulerStatus status) {
    return GetSchedulerStatusResponse.newBuilder()
        .setVersion(status.version())
        .setEpoch(status.epoch())
        .setLeadingSeconds(status.leadingSeconds())
        .setLiveJobs(status.liveJobs())
        .setConnectedAgents(status.connectedAgents())
        .setPaused(status.paused())
        .setPauseReason(status.pauseReason())
        .build();
  }

  static StateVerification fromProto(VerifyStateResponse response) {
    return new StateVerification(
        response.getRows(), response.getRevision(), response.getProblemsList());
  }

  /** The message of a verification. */
  public static VerifyStateResponse toProto(StateVerification verification) {
    return VerifyStateResponse.newBuilder()
        .setRows(verification.rows())
        .setRevision(verification.revision())
        .addAllProblems(verification.problems())
        .build();
  }

  static AuditEvent fromProto(io.quotashare.proto.admin.v1.AuditEvent event) {
    return new AuditEvent(
        event.hasTime() ? Times.instant(event.getTime()) : null,
        event.getPrincipal(),
        event.getAction(),
        event.getResource(),
        event.getRequestId(),
        event.getBefore(),
        event.getAfter(),
        event.getDetail());
  }

  /** The message of an event. */
  public static io.quotashare.proto.admin.v1.AuditEvent toProto(AuditEvent event) {
    io.quotashare.proto.admin.v1.AuditEvent.Builder to =
        io.quotashare.proto.admin.v1.AuditEvent.newBuilder()
            .setPrincipal(event.principal())
            .setAction(event.action())
            .setResource(event.resource())
            .setRequestId(event.requestId())
            .setBefore(event.before())
            .setAfter(event.after())
            .setDetail(event.detail());
    Opt.set(event.time(), Times::timestamp, to::setTime);
    return to.build();
  }
}
