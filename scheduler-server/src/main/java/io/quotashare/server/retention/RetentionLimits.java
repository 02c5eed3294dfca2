package io.quotashare.server.retention;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * How long things are kept.
 *
 * @param endedJobsMillis ended jobs with their attempts and preemptions, 1 or more
 * @param maxEndedJobs most ended jobs, 1 or more; beyond it the ones that ended first go early
 * @param sampleIntervalMillis distance of the samples of the usage ledger; a part of an hour
 * @param samplesMillis how long all samples are kept
 * @param hourlySamplesMillis how long those at full hours (UTC) are kept, at least as long
 * @param dailySamplesMillis how long those at midnight (UTC) are kept, at least as long
 */
public record RetentionLimits(
    long endedJobsMillis,
    int maxEndedJobs,
    long sampleIntervalMillis,
    long samplesMillis,
    long hourlySamplesMillis,
    long dailySamplesMillis) {
  static final long HOUR_MILLIS = 3_600_000L;
  static final long DAY_MILLIS = 24 * HOUR_MILLIS;

  public RetentionLimits {
    checkArgument(endedJobsMillis >= 1, "endedJobsMillis: %s (expected: >= 1)", endedJobsMillis);
    checkArgument(maxEndedJobs >= 1, "maxEndedJobs: %s (expected: >= 1)", maxEndedJobs);
    checkArgument(
        sampleIntervalMillis >= 1 && HOUR_MILLIS % sampleIntervalMillis == 0,
        "sampleIntervalMillis: %s (expected: a part of an hour)",
        sampleIntervalMillis);
    checkArgument(
        samplesMillis >= 1
            && hourlySamplesMillis >= samplesMillis
            && dailySamplesMillis >= hourlySamplesMillis,
        "samplesMillis, hourlySamplesMillis, dailySamplesMillis: %s, %s, %s (expected: none shorter"
            + " than the one before)",
        samplesMillis,
        hourlySamplesMillis,
        dailySamplesMillis);
  }

  /** Until when a sample is kept. */
  long sampleUntilMillis(long atMillis) {
    if (atMillis % DAY_MILLIS == 0) {
      return atMillis + dailySamplesMillis;
    }
    return atMillis + (atMillis % HOUR_MILLIS == 0 ? hourlySamplesMillis : samplesMillis);
  }
}
