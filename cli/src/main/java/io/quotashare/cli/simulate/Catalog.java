package io.quotashare.cli.simulate;

import io.quotashare.cli.yaml.Suggestions;
import io.quotashare.cli.yaml.YamlMap;
import io.quotashare.cli.yaml.YamlValue;
import io.quotashare.client.PolicyQueue;
import io.quotashare.client.QuotaShare;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.replay.VirtualNode;
import io.quotashare.core.replay.VirtualPools;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The names that a scenario has defined so far, and what stands behind them. */
final class Catalog {
  /**
   * A job of the scenario.
   *
   * @param line where its id stands
   * @param order its place among the events; -1 for a job that runs at time 0
   */
  record KnownJob(JobKey key, int line, int order) {}

  private final List<PolicyQueue> queues;
  private final @Nullable VirtualPools pools;
  private final Map<String, VirtualNode> nodes = new LinkedHashMap<>();
  private final Map<String, KnownJob> jobs = new LinkedHashMap<>();

  /**
   * @param pools null if queues or nodes are not valid, so that what depends on them is not checked
   */
  Catalog(List<PolicyQueue> queues, List<VirtualNode> nodes, @Nullable VirtualPools pools) {
    this.queues = queues;
    this.pools = pools;
    nodes.forEach(node -> this.nodes.put(node.name(), node));
  }

  /** Null if queues or nodes are not valid. */
  @Nullable VirtualPools pools() {
    return pools;
  }

  /** The queue that a map names under {@code queue}, or the only one. */
  Optional<PolicyQueue> queue(YamlMap map) {
    Map<String, PolicyQueue> byName = new LinkedHashMap<>();
    queues.forEach(queue -> byName.put(queue.queue().id(), queue));
    if (!map.has("queue")) {
      if (queues.size() > 1 && pools != null) {
        map.value()
            .problem(
                "the key queue is missing, expected one of " + Suggestions.list(byName.keySet()));
      }
      return queues.size() == 1 ? Optional.of(queues.get(0)) : Optional.empty();
    }
    return lookUp(map, "queue", byName, "queue");
  }

  /** The share of a queue that a map names. */
  Optional<QuotaShare> share(YamlMap map, String key, PolicyQueue queue) {
    Map<String, QuotaShare> byName = new LinkedHashMap<>();
    queue.shares().forEach(share -> byName.put(share.id(), share));
    if (!map.has(key)) {
      map.value()
          .problem(
              "the key "
                  + key
                  + " is missing, expected the name of a share: "
                  + Suggestions.list(byName.keySet()));
      return Optional.empty();
    }
    return lookUp(map, key, byName, "share");
  }

  /** Units that shares of the queue own or that nodes have. */
  Set<String> units(PolicyQueue queue) {
    Set<String> units = new TreeSet<>();
    queue.shares().forEach(share -> units.addAll(share.capacity().keySet()));
    nodes.values().forEach(node -> units.add(node.unit()));
    return units;
  }

  /** The node that a value names. */
  Optional<VirtualNode> node(YamlValue value) {
    return value.asNonEmptyString().flatMap(name -> lookUp(value, name, nodes, "node"));
  }

  /** Defines a job; its id must be new in the whole scenario. */
  void define(YamlValue id, JobKey key, int order) {
    KnownJob before = jobs.putIfAbsent(key.id(), new KnownJob(key, id.line(), order));
    if (before != null) {
      id.problem(id.shown() + " is the id of another job already, in line " + before.line());
    }
  }

  /** The job that a value names. */
  Optional<KnownJob> job(YamlValue value) {
    return value.asNonEmptyString().flatMap(id -> job(value, id));
  }

  /** The job with an id; a problem is recorded at the place of a value. */
  Optional<KnownJob> job(YamlValue place, String id) {
    return found(place, id, jobs, "job");
  }

  private <T> Optional<T> lookUp(YamlMap map, String key, Map<String, T> known, String what) {
    return map.string(key)
        .flatMap(name -> map.get(key).flatMap(value -> lookUp(value, name, known, what)));
  }

  /** Not found is no news where the definitions themselves are not valid. */
  private <T> Optional<T> lookUp(YamlValue value, String name, Map<String, T> known, String what) {
    return pools == null ? Optional.ofNullable(known.get(name)) : found(value, name, known, what);
  }

  private static <T> Optional<T> found(
      YamlValue value, String name, Map<String, T> known, String what) {
    T found = known.get(name);
    if (found == null) {
      value.problem("\"" + name + "\" is no " + what + " of this scenario" + hint(name, known));
    }
    return Optional.ofNullable(found);
  }

  private static String hint(String name, Map<String, ?> known) {
    Collection<String> names = new TreeMap<String, Object>(known).keySet();
    return names.isEmpty() ? ", it defines none" : Suggestions.hint(name, names);
  }
}
