package io.quotashare.cli.demo;

import io.quotashare.client.Attempt;
import io.quotashare.client.Job;
import io.quotashare.client.PreemptionCause;
import io.quotashare.client.ShareDeviceSeconds;
import io.quotashare.client.UsageReport;
import io.quotashare.client.Waiting;
import io.quotashare.client.internal.JobProtos;
import java.util.List;
import java.util.function.UnaryOperator;

/** Changes to recorded facts. */
final class Edits {
  private Edits() {}

  static Job attempt(Job job, UnaryOperator<Attempt> how) {
    Attempt latest = job.latestAttempt();
    if (latest == null) {
      return job;
    }
    return JobProtos.fromProto(
        JobProtos.toProto(job).toBuilder()
            .setLatestAttempt(JobProtos.toProto(how.apply(latest)))
            .build());
  }

  static Attempt stop(Attempt attempt, PreemptionCause cause, String beneficiary) {
    return JobProtos.fromProto(
        JobProtos.toProto(attempt).toBuilder()
            .setPreemptionCause(
                io.quotashare.proto.v1.PreemptionCause.valueOf("PREEMPTION_CAUSE_" + cause))
            .setBeneficiaryJob(beneficiary)
            .build());
  }

  static Attempt step(Attempt attempt, long step) {
    return JobProtos.fromProto(JobProtos.toProto(attempt).toBuilder().setStep(step).build());
  }

  static Job renamed(Job job, String id) {
    return JobProtos.fromProto(
        JobProtos.toProto(job).toBuilder().setName("queues/research/jobs/" + id).build());
  }

  static Job waiting(Job job, Waiting waiting) {
    return new Job(
        job.name(),
        job.spec(),
        job.state(),
        waiting,
        job.attemptCount(),
        job.latestAttempt(),
        job.preemptionCount(),
        job.submittedAt(),
        job.endedAt(),
        job.endReason(),
        job.etag(),
        job.totalGpus(),
        job.held());
  }

  static ShareDeviceSeconds lent(ShareDeviceSeconds s, double lent) {
    return new ShareDeviceSeconds(
        s.share(), s.unit(), s.own(), s.borrowed(), s.over(), lent, s.idle(), s.classes());
  }

  static UsageReport report(
      UsageReport r, double total, List<ShareDeviceSeconds> shares, long futile) {
    return new UsageReport(r.start(), r.end(), r.classes(), total, shares, futile, r.intervals());
  }
}
