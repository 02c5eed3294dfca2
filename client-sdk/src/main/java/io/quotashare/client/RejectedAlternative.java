package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A job that was looked at as a victim and not chosen.
 *
 * @param job job id
 * @param why why it was not chosen, in words
 * @param costDeviceSeconds expected cost in device-seconds; null if it was no candidate
 */
public record RejectedAlternative(String job, String why, @Nullable Double costDeviceSeconds) {
  /** Checks that nothing required is null. */
  public RejectedAlternative {
    requireNonNull(job, "job");
    requireNonNull(why, "why");
  }
}
