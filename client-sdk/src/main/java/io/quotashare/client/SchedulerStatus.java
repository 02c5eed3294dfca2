package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/**
 * The scheduler itself.
 *
 * @param version version of the scheduler program
 * @param epoch epoch of the leader
 * @param leadingSeconds seconds since this scheduler leads
 * @param liveJobs jobs that have not ended
 * @param connectedAgents agents with a session
 * @param paused true while scheduling is paused
 * @param pauseReason why, in the words of who paused it; empty if it is not
 */
public record SchedulerStatus(
    String version,
    long epoch,
    long leadingSeconds,
    long liveJobs,
    int connectedAgents,
    boolean paused,
    String pauseReason) {
  /** Checks that nothing is null. */
  public SchedulerStatus {
    requireNonNull(version, "version");
    requireNonNull(pauseReason, "pauseReason");
  }
}
