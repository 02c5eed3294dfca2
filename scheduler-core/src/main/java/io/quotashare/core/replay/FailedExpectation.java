package io.quotashare.core.replay;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.JobKey;

/**
 * An expectation that did not hold.
 *
 * @param atMillis the instant
 * @param job the job that it is about
 * @param expected what should be, such as {@code RUNNING}
 * @param actual what is, with the reason and the sentence of a job that waits
 */
public record FailedExpectation(long atMillis, JobKey job, String expected, String actual) {
  public FailedExpectation {
    requireNonNull(job, "job is null");
    requireNonNull(expected, "expected is null");
    requireNonNull(actual, "actual is null");
  }
}
