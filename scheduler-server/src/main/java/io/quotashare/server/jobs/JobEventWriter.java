package io.quotashare.server.jobs;

import io.quotashare.proto.v1.JobEvent;
import io.quotashare.proto.v1.JobEventType;
import io.quotashare.server.grpc.Enums;
import io.quotashare.server.grpc.Times;
import io.quotashare.server.view.JobView;
import java.util.Map;

/** Events of the core in the words of the contract. */
public final class JobEventWriter {
  private static final Map<io.quotashare.core.JobEvent.Type, JobEventType> TYPES =
      Enums.toProto(io.quotashare.core.JobEvent.Type.class, JobEventType.class, "JOB_EVENT_TYPE_");

  private JobEventWriter() {}

  /** An event. */
  public static JobEvent event(io.quotashare.core.JobEvent event) {
    return JobEvent.newBuilder()
        .setType(Enums.of(TYPES, event.type()))
        .setTime(Times.timestamp(event.atMillis()))
        .setJob(JobWriter.job(new JobView(event.job(), event.attempt())))
        .setOwnDevices(event.ownDevices())
        .setBorrowedDevices(event.borrowedDevices())
        .setDetail(event.detail())
        .build();
  }

  /** The present state of a job, as the beginning of a watch sends it. */
  public static JobEvent snapshot(JobView view, long nowMillis) {
    return JobEvent.newBuilder()
        .setType(JobEventType.JOB_EVENT_TYPE_SNAPSHOT)
        .setTime(Times.timestamp(nowMillis))
        .setJob(JobWriter.job(view))
        .build();
  }
}
