package io.quotashare.cli.simulate;

import io.quotashare.cli.yaml.Suggestions;
import io.quotashare.cli.yaml.YamlMap;
import io.quotashare.cli.yaml.YamlValue;
import io.quotashare.client.PolicyQueue;
import io.quotashare.client.QuotaShare;
import io.quotashare.core.RejectedException;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.core.replay.VirtualJob;
import io.quotashare.core.replay.VirtualPools;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads the fields that every job of a scenario has. */
final class JobParser {
  /** Keys of a job that is submitted. */
  static final Set<String> KEYS =
      Set.of(
          "id",
          "queue",
          "share",
          "gpus",
          "nodes",
          "gpusPerNode",
          "unit",
          "priority",
          "duration",
          "checkpointEvery",
          "onDemandCheckpoint",
          "grace",
          "timeLimit",
          "borrow",
          "preemptionRetriesBeforeTermination",
          "allowInfeasible");

  private static final Pattern ID =
      Pattern.compile("[A-Za-z0-9]([-_.A-Za-z0-9]{0,126}[A-Za-z0-9])?");
  private static final Duration MILLI = Duration.ofMillis(1);

  private final Catalog catalog;

  JobParser(Catalog catalog) {
    this.catalog = catalog;
  }

  /** Keys of a job with some more. */
  static Set<String> keysAnd(String... more) {
    Set<String> keys = new LinkedHashSet<>(KEYS);
    keys.addAll(Set.of(more));
    return keys;
  }

  /**
   * The job that a map describes; its id is defined in the catalog. Empty if something is wrong,
   * which is then among the problems.
   *
   * @param order place among the events; -1 for a job that runs at time 0
   */
  Optional<VirtualJob> job(YamlMap map, int order) {
    Optional<String> id = id(map);
    Optional<PolicyQueue> queue = catalog.queue(map);
    Optional<QuotaShare> share = queue.flatMap(q -> catalog.share(map, "share", q));
    Optional<String> unit = queue.flatMap(q -> unit(map, q));
    Optional<Shape> shape = shape(map, queue, unit);
    Optional<Integer> priority =
        orDefault(map, "priority", 0, v -> v.asInt(0, JobSpec.MAX_PRIORITY));
    Optional<Duration> duration = map.duration("duration", Duration.ZERO);
    Optional<JobSpec> spec =
        share.flatMap(s -> shape.flatMap(sh -> unit.map(u -> spec(map, s.id(), sh, u))));
    if (id.isEmpty()) {
      return Optional.empty();
    }
    JobKey key = new JobKey(queue.map(q -> q.queue().id()).orElse(""), id.get());
    map.get("id").ifPresent(value -> catalog.define(value, key, order));
    return spec.flatMap(s -> priority.map(p -> new VirtualJob(key, s, p, millis(duration))));
  }

  private static JobSpec spec(YamlMap map, String share, Shape shape, String unit) {
    long grace =
        map.duration("grace", Duration.ZERO)
            .map(Duration::toMillis)
            .orElse(JobSpec.DEFAULT_GRACE_MILLIS);
    Optional<Integer> budget =
        map.integer("preemptionRetriesBeforeTermination", 0, Integer.MAX_VALUE);
    return new JobSpec(
        share,
        "",
        shape,
        unit,
        Launch.NOTHING,
        new TreeMap<>(),
        millis(map.duration("timeLimit", MILLI)),
        grace,
        new JobSpec.LostAfter.Default(),
        millis(map.duration("checkpointEvery", MILLI)),
        map.bool("onDemandCheckpoint").orElse(false),
        0,
        new RetryOn.Any(),
        budget.map(OptionalInt::of).orElse(OptionalInt.empty()),
        map.choice("borrow", BorrowMode.class).orElse(BorrowMode.ALLOWED),
        map.bool("allowInfeasible").orElse(false));
  }

  private static Optional<String> id(YamlMap map) {
    Optional<String> id = map.requireString("id");
    if (id.isPresent() && !ID.matcher(id.get()).matches()) {
      map.problem(
          "id",
          "\"" + id.get() + "\" is not valid here, expected letters, digits, - _ . (at most 128)");
      return Optional.empty();
    }
    return id;
  }

  private Optional<String> unit(YamlMap map, PolicyQueue queue) {
    Set<String> units = catalog.units(queue);
    if (map.has("unit")) {
      Optional<String> unit = map.string("unit");
      if (unit.isPresent() && !units.contains(unit.get()) && catalog.pools() != null) {
        map.problem(
            "unit",
            "\""
                + unit.get()
                + "\" is no capacity unit of this scenario"
                + Suggestions.hint(unit.get(), units));
        return Optional.empty();
      }
      return unit;
    }
    return refused(map.value(), pools -> pools.resolveUnit(queue.queue().id(), ""));
  }

  private Optional<Shape> shape(YamlMap map, Optional<PolicyQueue> queue, Optional<String> unit) {
    Optional<Integer> gpus = map.integer("gpus", 1, Shape.MAX_NODES * Shape.MAX_GPUS_PER_NODE);
    Optional<Integer> nodes = map.integer("nodes", 1, Shape.MAX_NODES);
    Optional<Integer> gpusPerNode = map.integer("gpusPerNode", 1, Shape.MAX_GPUS_PER_NODE);
    boolean stated = map.has("nodes") || map.has("gpusPerNode");
    if (map.has("gpus") == stated) {
      String also = stated ? "contradict each other" : "are both missing";
      map.value()
          .problem("gpus and nodes with gpusPerNode " + also + ", expected one of the two forms");
      return Optional.empty();
    }
    if (stated) {
      map.require("nodes", "a whole number of nodes beside gpusPerNode");
      map.require("gpusPerNode", "a whole number of devices beside nodes");
      return nodes.flatMap(n -> gpusPerNode.map(g -> new Shape(n, g)));
    }
    YamlValue value = map.get("gpus").orElse(map.value());
    return gpus.flatMap(
        n ->
            queue.flatMap(
                q ->
                    unit.flatMap(
                        u -> refused(value, pools -> pools.resolveShape(q.queue().id(), u, n)))));
  }

  /** What the pools answer; a refusal is a problem of the value. */
  private <T> Optional<T> refused(YamlValue value, Function<VirtualPools, T> question) {
    VirtualPools pools = catalog.pools();
    if (pools == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(question.apply(pools));
    } catch (RejectedException e) {
      value.problem(e.getMessage());
      return Optional.empty();
    }
  }

  private static <T> Optional<T> orDefault(
      YamlMap map, String key, T otherwise, Function<YamlValue, Optional<T>> read) {
    return map.has(key) ? map.get(key).flatMap(read) : Optional.of(otherwise);
  }

  private static OptionalLong millis(Optional<Duration> duration) {
    return duration.isPresent() ? OptionalLong.of(duration.get().toMillis()) : OptionalLong.empty();
  }
}
