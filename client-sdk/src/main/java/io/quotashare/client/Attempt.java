package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One placement of a job.
 *
 * @param name {@code queues/{queue}/jobs/{job}/attempts/{number}}, numbered from 1
 * @param state its state in the words of the job states; one that ended and was queued again shows
 *     RUNNABLE
 * @param placement devices, by node rank
 * @param scheduledAt when the placement was decided
 * @param runningAt when every node ran; null before
 * @param stopRequestedAt when it was asked to stop; null if it was not
 * @param stopDeadline instant of SIGKILL once it was asked to stop
 * @param endedAt when its devices were known to be free; null before
 * @param preemptionCause cause of the preemption, NONE if it was not preempted
 * @param beneficiaryJob id of the job that the preemption was for; empty if none
 * @param exitCode exit code of the rank-0 process; null while it runs, or if it is unknown
 * @param endReason why it ended, in words; empty before
 * @param step newest step that the job reported; null if it reports none
 * @param checkpointStep step of the newest durable checkpoint; null if there is none
 * @param checkpointStateTime when the state in the newest durable checkpoint was captured
 * @param checkpointConfirmed true if it confirmed a checkpoint after it was asked to stop
 * @param lostDeviceSeconds device-seconds of work after the last durable state, known once it ended
 * @param checkpointRequestSeq newest request to save that was sent to it, from 1; 0: none
 * @param checkpointAckSeq newest request to save that it confirmed; 0: none
 */
public record Attempt(
    String name,
    JobState state,
    List<NodeDevices> placement,
    @Nullable Instant scheduledAt,
    @Nullable Instant runningAt,
    @Nullable Instant stopRequestedAt,
    @Nullable Instant stopDeadline,
    @Nullable Instant endedAt,
    PreemptionCause preemptionCause,
    String beneficiaryJob,
    @Nullable Integer exitCode,
    String endReason,
    @Nullable Long step,
    @Nullable Long checkpointStep,
    @Nullable Instant checkpointStateTime,
    boolean checkpointConfirmed,
    double lostDeviceSeconds,
    long checkpointRequestSeq,
    long checkpointAckSeq) {
  /** Checks that nothing required is null and copies the list. */
  public Attempt {
    requireNonNull(name, "name");
    requireNonNull(state, "state");
    placement = List.copyOf(placement);
    requireNonNull(preemptionCause, "preemptionCause");
    requireNonNull(beneficiaryJob, "beneficiaryJob");
    requireNonNull(endReason, "endReason");
  }

  /** Number of the attempt, from 1; 0 if the name has none. */
  public int number() {
    String number = ResourceNames.lastId(name);
    return number.matches("[0-9]{1,9}") ? Integer.parseInt(number) : 0;
  }
}
