package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Identity of an attempt.
 *
 * @param job its job
 * @param number from 1, dense
 */
public record AttemptKey(JobKey job, int number) implements Comparable<AttemptKey> {
  public AttemptKey {
    requireNonNull(job, "job is null");
    checkArgument(number >= 1, "number: %s (expected: >= 1)", number);
  }

  @Override
  public int compareTo(AttemptKey other) {
    int byJob = job.compareTo(other.job);
    return byJob != 0 ? byJob : Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return job + "/attempts/" + number;
  }
}
