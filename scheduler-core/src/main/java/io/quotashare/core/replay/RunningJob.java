package io.quotashare.core.replay;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A job that already runs at time 0.
 *
 * @param job the job
 * @param placedOn its nodes by rank, as many as its shape has
 * @param startedAtMillis since when it holds its devices and works, at most 0
 * @param lastCheckpointAtMillis when its newest durable checkpoint was captured, between its start
 *     and 0; if empty, what its interval between checkpoints implies
 */
public record RunningJob(
    VirtualJob job,
    List<String> placedOn,
    long startedAtMillis,
    OptionalLong lastCheckpointAtMillis) {
  public RunningJob {
    requireNonNull(job, "job is null");
    placedOn = List.copyOf(placedOn);
    int nodes = job.spec().shape().nodes();
    checkArgument(placedOn.size() == nodes, "placedOn: %s (expected: %s nodes)", placedOn, nodes);
    checkArgument(
        placedOn.stream().distinct().count() == nodes,
        "placedOn: %s (expected: distinct nodes)",
        placedOn);
    checkArgument(
        startedAtMillis <= 0, "startedAtMillis: %s (expected: at most 0)", startedAtMillis);
    requireNonNull(lastCheckpointAtMillis, "lastCheckpointAtMillis is null");
    long checkpointAt = lastCheckpointAtMillis.orElse(0);
    checkArgument(
        checkpointAt >= startedAtMillis && checkpointAt <= 0,
        "lastCheckpointAtMillis: %s (expected: %s to 0)",
        checkpointAt,
        startedAtMillis);
    checkArgument(
        job.durationMillis().orElse(Long.MAX_VALUE) >= -startedAtMillis,
        "startedAtMillis: %s (expected: at most the duration of %s ms ago)",
        startedAtMillis,
        job.durationMillis().orElse(0));
  }

  /** When its newest durable checkpoint was captured; empty if it has none. */
  OptionalLong checkpointMillis() {
    if (lastCheckpointAtMillis.isPresent() || job.spec().checkpointEveryMillis().isEmpty()) {
      return lastCheckpointAtMillis;
    }
    long every = job.spec().checkpointEveryMillis().getAsLong();
    long worked = -startedAtMillis / every * every;
    return worked == 0 ? OptionalLong.empty() : OptionalLong.of(startedAtMillis + worked);
  }

  /** Devices by node. */
  Map<String, Integer> devicesByNode() {
    Map<String, Integer> devices = new LinkedHashMap<>();
    for (String node : placedOn) {
      devices.put(node, job.spec().shape().gpusPerNode());
    }
    return devices;
  }
}
