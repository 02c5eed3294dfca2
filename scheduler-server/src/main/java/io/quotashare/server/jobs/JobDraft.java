package io.quotashare.server.jobs;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Scheduler;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * A submission whose fields are valid by themselves; what depends on the queue is still open.
 *
 * @param share share id
 * @param displayName name for people; empty for the job id
 * @param devices the shape, or the number of devices that stands for one
 * @param unit capacity unit; empty for the only one of the queue
 * @param launch what the agents run
 * @param priority 0 to 9999
 */
record JobDraft(
    String share,
    String displayName,
    Devices devices,
    String unit,
    Launch launch,
    SortedMap<String, String> labels,
    Times times,
    boolean onDemandCheckpoint,
    int retries,
    RetryOn retryOn,
    OptionalInt preemptionRetries,
    BorrowMode borrow,
    boolean allowInfeasible,
    int priority) {

  /** What a job asks for. */
  sealed interface Devices {
    /** Nodes and devices on each. */
    record Shaped(Shape shape) implements Devices {}

    /** Devices; the queue's nodes decide the shape. */
    record Count(int gpus) implements Devices {}
  }

  /** The time spans of a job. */
  record Times(
      OptionalLong timeLimitMillis,
      long graceMillis,
      JobSpec.LostAfter lostAfter,
      OptionalLong checkpointEveryMillis) {}

  JobDraft {
    requireNonNull(devices, "devices is null");
    requireNonNull(launch, "launch is null");
  }

  /** The job as the queue understands it now. */
  JobSpec resolve(Scheduler scheduler, JobKey key) {
    String resolvedUnit = scheduler.resolveUnit(key.queue(), unit);
    Shape shape =
        devices instanceof Devices.Count count
            ? scheduler.resolveShape(key.queue(), resolvedUnit, count.gpus())
            : ((Devices.Shaped) devices).shape();
    return new JobSpec(
        share,
        displayName.isEmpty() ? key.id() : displayName,
        shape,
        resolvedUnit,
        launch,
        labels,
        times.timeLimitMillis(),
        times.graceMillis(),
        times.lostAfter(),
        times.checkpointEveryMillis(),
        onDemandCheckpoint,
        retries,
        retryOn,
        preemptionRetries,
        borrow,
        allowInfeasible);
  }
}
