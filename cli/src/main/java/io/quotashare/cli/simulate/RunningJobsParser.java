package io.quotashare.cli.simulate;

import io.quotashare.cli.yaml.Durations;
import io.quotashare.cli.yaml.YamlMap;
import io.quotashare.cli.yaml.YamlValue;
import io.quotashare.core.replay.RunningJob;
import io.quotashare.core.replay.VirtualJob;
import io.quotashare.core.replay.VirtualNode;
import io.quotashare.core.replay.VirtualPools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads the jobs that already run when a scenario begins. */
final class RunningJobsParser {
  private static final Set<String> KEYS =
      JobParser.keysAnd("running", "startedAt", "lastCheckpointAt", "placedOn");

  private final Catalog catalog;
  private final Map<String, Integer> usedByNode = new HashMap<>();

  RunningJobsParser(Catalog catalog) {
    this.catalog = catalog;
  }

  List<RunningJob> parse(YamlValue list) {
    List<RunningJob> jobs = new ArrayList<>();
    for (YamlValue entry : list.asList().orElse(List.of())) {
      entry.asMap(KEYS).flatMap(this::job).ifPresent(jobs::add);
    }
    return jobs;
  }

  private Optional<RunningJob> job(YamlMap map) {
    Optional<VirtualJob> job = new JobParser(catalog).job(map, -1);
    if (map.bool("running").equals(Optional.of(false))) {
      map.problem(
          "running", "false is not valid here, expected true: what does not run yet is an event");
    }
    Optional<Long> startedAt = startedAt(map, job);
    Optional<List<VirtualNode>> placedOn = placedOn(map);
    OptionalLong checkpointAt = checkpointAt(map, startedAt);
    if (job.isEmpty() || startedAt.isEmpty() || placedOn.isEmpty()) {
      return Optional.empty();
    }
    return fits(map, job.get(), placedOn.get())
        ? Optional.of(
            new RunningJob(
                job.get(),
                placedOn.get().stream().map(VirtualNode::name).toList(),
                startedAt.get(),
                checkpointAt))
        : Optional.empty();
  }

  private static Optional<Long> startedAt(YamlMap map, Optional<VirtualJob> job) {
    if (!map.has("startedAt")) {
      return Optional.of(0L);
    }
    Optional<Long> at = map.duration("startedAt").map(Duration::toMillis);
    if (at.isPresent() && at.get() > 0) {
      map.problem("startedAt", shown(at.get()) + " is not valid here, expected 0s or earlier");
      return Optional.empty();
    }
    long duration =
        job.map(VirtualJob::durationMillis).orElse(OptionalLong.empty()).orElse(Long.MAX_VALUE);
    if (at.isPresent() && -at.get() > duration) {
      map.problem(
          "startedAt",
          shown(at.get())
              + " contradicts duration "
              + shown(duration)
              + ": the job would have ended before the scenario begins");
      return Optional.empty();
    }
    return at;
  }

  private static OptionalLong checkpointAt(YamlMap map, Optional<Long> startedAt) {
    Optional<Long> at = map.duration("lastCheckpointAt").map(Duration::toMillis);
    if (at.isEmpty() || startedAt.isEmpty()) {
      return OptionalLong.empty();
    }
    if (at.get() > 0 || at.get() < startedAt.get()) {
      map.problem(
          "lastCheckpointAt",
          shown(at.get())
              + " is not valid here, expected from startedAt "
              + shown(startedAt.get())
              + " to 0s");
      return OptionalLong.empty();
    }
    return OptionalLong.of(at.get());
  }

  private Optional<List<VirtualNode>> placedOn(YamlMap map) {
    Optional<List<YamlValue>> names =
        map.require("placedOn", "a list of node names such as [n1]").flatMap(YamlValue::asList);
    if (names.isEmpty()) {
      return Optional.empty();
    }
    Set<VirtualNode> nodes = new LinkedHashSet<>();
    for (YamlValue name : names.get()) {
      Optional<VirtualNode> node = catalog.node(name);
      if (node.isPresent() && !nodes.add(node.get())) {
        name.problem(name.shown() + " stands twice in this list, expected distinct nodes");
      }
    }
    return nodes.size() == names.get().size() ? Optional.of(List.copyOf(nodes)) : Optional.empty();
  }

  /** Whether the job can sit where the scenario says beside those that were read before. */
  private boolean fits(YamlMap map, VirtualJob job, List<VirtualNode> nodes) {
    int wanted = job.spec().shape().nodes();
    if (nodes.size() != wanted) {
      map.problem("placedOn", nodes.size() + " nodes are named, expected " + wanted);
      return false;
    }
    boolean fits = true;
    for (VirtualNode node : nodes) {
      fits &= fits(map, job, node);
    }
    return fits;
  }

  private boolean fits(YamlMap map, VirtualJob job, VirtualNode node) {
    VirtualPools pools = catalog.pools();
    String queue = job.key().queue();
    if (pools != null && !pools.queueOf(node.name()).equals(Optional.of(queue))) {
      map.problem("placedOn", node.name() + " does not belong to queue " + queue);
      return false;
    }
    if (!node.unit().equals(job.spec().unit())) {
      map.problem(
          "placedOn",
          node.name() + " has devices of unit " + node.unit() + ", expected " + job.spec().unit());
      return false;
    }
    int gpus = job.spec().shape().gpusPerNode();
    int used = usedByNode.merge(node.name(), gpus, Integer::sum);
    if (used > node.gpus()) {
      map.problem(
          "placedOn",
          "with this job "
              + used
              + " devices of "
              + node.name()
              + " are in use, expected at most "
              + node.gpus());
      return false;
    }
    return true;
  }

  private static String shown(long millis) {
    return Durations.format(Duration.ofMillis(millis));
  }
}
