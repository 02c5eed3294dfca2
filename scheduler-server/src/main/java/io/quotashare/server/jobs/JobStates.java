package io.quotashare.server.jobs;

import io.quotashare.core.RejectedException;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.server.engine.EngineException;
import io.quotashare.server.view.JobView;
import org.jspecify.annotations.Nullable;

/** Reads jobs from the scheduler, on the engine's thread. */
final class JobStates {
  private JobStates() {}

  /** A job that must exist. */
  static Job require(Scheduler scheduler, JobKey key) {
    return scheduler
        .job(key)
        .orElseThrow(
            () ->
                new RejectedException(
                    RejectedException.Kind.NOT_FOUND,
                    "NOT_FOUND",
                    "name",
                    "job " + scheduler.archive().missing(key)));
  }

  /** A job with its newest attempt. */
  static JobView view(Scheduler scheduler, JobKey key) {
    Job job = require(scheduler, key);
    @Nullable Attempt attempt =
        job.attempts() == 0 ? null : scheduler.attempt(job.newestAttempt()).orElse(null);
    return new JobView(job, attempt);
  }

  /** Refuses the call if the caller has read another state of the job. */
  static void checkEtag(Job job, String etag) {
    if (!etag.isEmpty() && !etag.equals(JobWriter.etag(job))) {
      throw new EngineException(
          EngineException.Kind.ETAG_MISMATCH,
          "etag: "
              + etag
              + " (expected: "
              + JobWriter.etag(job)
              + "): "
              + job.key()
              + " has changed since it was read",
          0,
          null);
    }
  }
}
