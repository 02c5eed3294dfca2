package io.quotashare.server.store;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;

/**
 * Place of a job in a list, in every {@link JobOrder}. It never changes, so a list that goes on
 * after it neither skips nor repeats a job, whatever comes and goes meanwhile.
 *
 * @param key the job
 * @param sequence order of submission among all jobs
 */
public record JobPlace(JobKey key, long sequence) {
  public JobPlace {
    requireNonNull(key, "key is null");
  }

  public static JobPlace of(Job job) {
    return new JobPlace(job.key(), job.sequence());
  }
}
