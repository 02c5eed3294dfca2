package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;

/**
 * A job that was looked at as a victim and not chosen.
 *
 * @param job the job
 * @param why in words
 * @param costDeviceMillis expected cost, where it was a candidate
 */
public record RejectedAlternative(JobKey job, String why, OptionalLong costDeviceMillis) {
  public RejectedAlternative {
    requireNonNull(job, "job is null");
    requireNonNull(why, "why is null");
    requireNonNull(costDeviceMillis, "costDeviceMillis is null");
  }
}
