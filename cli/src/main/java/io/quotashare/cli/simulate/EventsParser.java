package io.quotashare.cli.simulate;

import io.quotashare.cli.policy.ShareFields;
import io.quotashare.cli.policy.ShareParser;
import io.quotashare.cli.yaml.Durations;
import io.quotashare.cli.yaml.Suggestions;
import io.quotashare.cli.yaml.YamlMap;
import io.quotashare.cli.yaml.YamlValue;
import io.quotashare.client.FieldProblem;
import io.quotashare.client.PolicyQueue;
import io.quotashare.client.QuotaShare;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.replay.ScenarioEvent;
import io.quotashare.core.replay.ScenarioEvent.NodeState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads the events of a scenario, in the order in which they will happen. */
final class EventsParser {
  private static final List<String> ACTIONS =
      List.of("submit", "setPriority", "cancel", "setShare", "setQueue", "node");
  private static final Set<String> KEYS =
      Set.of("at", "submit", "setPriority", "cancel", "setShare", "setQueue", "node");
  private static final Set<String> SHARE_KEYS = shareKeys();

  private final Catalog catalog;
  private final OptionalLong untilMillis;
  private final Map<String, QuotaShare> changedShares = new HashMap<>();

  /** An entry of the list whose time and action are known. */
  private record Draft(long atMillis, String action, YamlValue value) {}

  EventsParser(Catalog catalog, OptionalLong untilMillis) {
    this.catalog = catalog;
    this.untilMillis = untilMillis;
  }

  /** The events in order of time, then as they stand; what is wrong is added to the problems. */
  List<ScenarioEvent> parse(YamlValue list) {
    List<Draft> drafts = new ArrayList<>();
    for (YamlValue entry : list.asList().orElse(List.of())) {
      entry.asMap(KEYS).flatMap(this::draft).ifPresent(drafts::add);
    }
    drafts.sort(Comparator.comparingLong(Draft::atMillis));
    // Jobs first: an event may name one that the file defines further down.
    Map<Integer, ScenarioEvent> byOrder = new HashMap<>();
    for (int order = 0; order < drafts.size(); order++) {
      if (drafts.get(order).action().equals("submit")) {
        put(byOrder, order, submit(drafts.get(order), order));
      }
    }
    for (int order = 0; order < drafts.size(); order++) {
      if (!drafts.get(order).action().equals("submit")) {
        put(byOrder, order, other(drafts.get(order), order));
      }
    }
    List<ScenarioEvent> events = new ArrayList<>();
    for (int order = 0; order < drafts.size(); order++) {
      if (byOrder.containsKey(order)) {
        events.add(byOrder.get(order));
      }
    }
    return events;
  }

  private Optional<Draft> draft(YamlMap map) {
    Optional<Long> at =
        map.require("at", "a time such as 60s")
            .flatMap(v -> v.asDuration(Duration.ZERO))
            .map(Duration::toMillis);
    List<String> actions = ACTIONS.stream().filter(map::has).toList();
    if (actions.size() != 1) {
      if (!actions.isEmpty() || isEmptyBeside(map, "at")) {
        map.value()
            .problem(
                "the event has "
                    + (actions.isEmpty() ? "no action" : Suggestions.list(actions))
                    + ", expected exactly one of "
                    + Suggestions.list(ACTIONS));
      }
      return Optional.empty();
    }
    if (at.isPresent() && at.get() > untilMillis.orElse(Long.MAX_VALUE)) {
      map.problem(
          "at",
          shown(at.get())
              + " is after until "
              + shown(untilMillis.getAsLong())
              + ": it would never happen");
      return Optional.empty();
    }
    return at.flatMap(t -> map.get(actions.get(0)).map(v -> new Draft(t, actions.get(0), v)));
  }

  /** Whether a map has no other key, known or not: an unknown one was told already. */
  static boolean isEmptyBeside(YamlMap map, String key) {
    Set<String> keys = map.value().asEntries().orElse(Map.of()).keySet();
    return keys.stream().allMatch(key::equals);
  }

  private Optional<? extends ScenarioEvent> submit(Draft draft, int order) {
    return draft
        .value()
        .asMap(JobParser.KEYS)
        .flatMap(map -> new JobParser(catalog).job(map, order))
        .map(job -> new ScenarioEvent.Submit(draft.atMillis(), job));
  }

  private Optional<? extends ScenarioEvent> other(Draft draft, int order) {
    return switch (draft.action()) {
      case "setPriority" ->
          draft.value().asMap(Set.of("id", "priority")).flatMap(m -> setPriority(draft, m, order));
      case "cancel" -> draft.value().asMap(Set.of("id")).flatMap(m -> cancel(draft, m, order));
      case "setShare" -> draft.value().asMap(SHARE_KEYS).flatMap(m -> setShare(draft, m));
      case "setQueue" ->
          draft.value().asMap(Set.of("queue", "preemptionMode")).flatMap(m -> setQueue(draft, m));
      case "node" -> draft.value().asMap(Set.of("name", "state")).flatMap(m -> node(draft, m));
      default -> throw new IllegalStateException("unknown action " + draft.action());
    };
  }

  private Optional<ScenarioEvent> setPriority(Draft draft, YamlMap map, int order) {
    Optional<JobKey> job = job(map, order);
    Optional<Integer> priority =
        map.require("priority", "a whole number from 0 to " + JobSpec.MAX_PRIORITY)
            .flatMap(v -> v.asInt(0, JobSpec.MAX_PRIORITY));
    return job.flatMap(
        j -> priority.map(p -> new ScenarioEvent.SetPriority(draft.atMillis(), j, p)));
  }

  private Optional<ScenarioEvent> cancel(Draft draft, YamlMap map, int order) {
    return job(map, order).map(job -> new ScenarioEvent.Cancel(draft.atMillis(), job));
  }

  /** The job that the map names, which must be there by then. */
  private Optional<JobKey> job(YamlMap map, int order) {
    Optional<YamlValue> id = map.require("id", "the id of a job");
    Optional<Catalog.KnownJob> job = id.flatMap(catalog::job);
    if (job.isPresent() && job.get().order() > order) {
      map.problem(
          "id",
          "\""
              + job.get().key().id()
              + "\" is submitted later, in line "
              + job.get().line()
              + ", expected a job that was submitted before");
      return Optional.empty();
    }
    return job.map(Catalog.KnownJob::key);
  }

  private Optional<ScenarioEvent> setShare(Draft draft, YamlMap map) {
    Optional<PolicyQueue> queue = catalog.queue(map);
    Optional<QuotaShare> configured = queue.flatMap(q -> catalog.share(map, "name", q));
    ShareFields fields = ShareParser.fields(map);
    boolean drainNow = map.bool("drainNow").orElse(false);
    if (SHARE_KEYS.stream().noneMatch(key -> isChange(key) && map.has(key))) {
      map.value().problem("the event changes nothing, expected a field of the share");
      return Optional.empty();
    }
    if (configured.isEmpty()) {
      return Optional.empty();
    }
    String name = configured.get().name();
    QuotaShare changed = fields.over(changedShares.getOrDefault(name, configured.get()));
    List<FieldProblem> problems = changed.problems();
    if (!problems.isEmpty()) {
      problems.forEach(problem -> map.problem(problem.field(), problem.message()));
      return Optional.empty();
    }
    changedShares.put(name, changed);
    return Optional.of(
        new ScenarioEvent.SetShare(draft.atMillis(), CorePolicy.share(changed), drainNow));
  }

  private Optional<ScenarioEvent> setQueue(Draft draft, YamlMap map) {
    Optional<PolicyQueue> queue = catalog.queue(map);
    Optional<PreemptionMode> mode =
        map.require("preemptionMode", "ENFORCE or OBSERVE_ONLY")
            .flatMap(v -> v.asEnum(PreemptionMode.class));
    return queue.flatMap(
        q ->
            mode.map(
                m ->
                    new ScenarioEvent.SetQueue(
                        draft.atMillis(), CorePolicy.queue(q.queue()).with(m))));
  }

  private Optional<ScenarioEvent> node(Draft draft, YamlMap map) {
    Optional<String> name =
        map.require("name", "the name of a node").flatMap(catalog::node).map(n -> n.name());
    Optional<NodeState> state =
        map.require("state", "LOST, CORDONED, DRAINING or READY")
            .flatMap(v -> v.asEnum(NodeState.class));
    return name.flatMap(n -> state.map(s -> new ScenarioEvent.SetNode(draft.atMillis(), n, s)));
  }

  private static void put(
      Map<Integer, ScenarioEvent> byOrder, int order, Optional<? extends ScenarioEvent> event) {
    event.ifPresent(e -> byOrder.put(order, e));
  }

  private static boolean isChange(String key) {
    return !key.equals("queue") && !key.equals("name") && !key.equals("drainNow");
  }

  private static Set<String> shareKeys() {
    Set<String> keys = new LinkedHashSet<>(ShareParser.KEYS);
    keys.add("queue");
    keys.add("drainNow");
    return Set.copyOf(keys);
  }

  private static String shown(long millis) {
    return Durations.format(Duration.ofMillis(millis));
  }
}
