package io.quotashare.cli.simulate;

import io.quotashare.cli.yaml.Durations;
import io.quotashare.cli.yaml.YamlMap;
import io.quotashare.cli.yaml.YamlValue;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.WaitingReason;
import io.quotashare.core.replay.Expectation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads what a scenario expects. */
final class ExpectationsParser {
  private static final Set<String> KEYS =
      Set.of(
          "at",
          "running",
          "waiting",
          "preempting",
          "wouldPreempt",
          "spared",
          "succeeded",
          "failed",
          "cancelled",
          "preemptions");
  private static final String END = "end";

  private final Catalog catalog;
  private final OptionalLong untilMillis;

  ExpectationsParser(Catalog catalog, OptionalLong untilMillis) {
    this.catalog = catalog;
    this.untilMillis = untilMillis;
  }

  List<Expectation> parse(YamlValue list) {
    List<Expectation> expectations = new ArrayList<>();
    for (YamlValue entry : list.asList().orElse(List.of())) {
      entry.asMap(KEYS).flatMap(this::expectation).ifPresent(expectations::add);
    }
    return expectations;
  }

  private Optional<Expectation> expectation(YamlMap map) {
    Optional<OptionalLong> at =
        map.require("at", "a time such as 60s, or " + END).flatMap(v -> at(map, v));
    if (EventsParser.isEmptyBeside(map, "at")) {
      map.value().problem("nothing is expected here, expected at least one list of jobs");
    }
    Map<JobKey, String> states = new HashMap<>();
    List<JobKey> running = inState(map, "running", states);
    Map<JobKey, Optional<WaitingReason>> waiting = waiting(map, states);
    List<JobKey> succeeded = inState(map, "succeeded", states);
    List<JobKey> failed = inState(map, "failed", states);
    List<JobKey> cancelled = inState(map, "cancelled", states);
    Map<JobKey, String> choices = new HashMap<>();
    List<JobKey> preempting = inState(map, "preempting", choices);
    List<JobKey> spared = inState(map, "spared", choices);
    List<JobKey> wouldPreempt = inState(map, "wouldPreempt", new HashMap<>());
    Map<JobKey, Integer> preemptions = preemptions(map);
    return at.map(
        time ->
            new Expectation(
                time,
                running,
                waiting,
                preempting,
                wouldPreempt,
                spared,
                succeeded,
                failed,
                cancelled,
                preemptions));
  }

  private Optional<OptionalLong> at(YamlMap map, YamlValue value) {
    if (value.shown().equals("\"" + END + "\"")) {
      return Optional.of(OptionalLong.empty());
    }
    Optional<Long> at = value.asDuration(Duration.ZERO).map(Duration::toMillis);
    if (at.isPresent() && at.get() > untilMillis.orElse(Long.MAX_VALUE)) {
      map.problem(
          "at",
          value.shown()
              + " is after until "
              + Durations.format(Duration.ofMillis(untilMillis.getAsLong()))
              + ": it would never be checked");
      return Optional.empty();
    }
    return at.map(OptionalLong::of);
  }

  /** A list of jobs, none of which may stand in another list that excludes this one. */
  private List<JobKey> inState(YamlMap map, String key, Map<JobKey, String> seen) {
    List<JobKey> jobs = new ArrayList<>();
    for (YamlValue value : map.list(key).orElse(List.of())) {
      catalog.job(value).ifPresent(job -> addOnce(value, job.key(), key, jobs, seen));
    }
    return jobs;
  }

  private Map<JobKey, Optional<WaitingReason>> waiting(YamlMap map, Map<JobKey, String> seen) {
    Map<JobKey, Optional<WaitingReason>> waiting = new LinkedHashMap<>();
    Optional<YamlValue> value = map.get("waiting");
    if (value.isEmpty()) {
      return waiting;
    }
    if (!value.get().isMap()) {
      inState(map, "waiting", seen).forEach(job -> waiting.put(job, Optional.empty()));
      return waiting;
    }
    List<JobKey> jobs = new ArrayList<>();
    value
        .get()
        .asEntries()
        .orElse(Map.of())
        .forEach(
            (id, reason) -> {
              Optional<Catalog.KnownJob> job = catalog.job(reason, id);
              Optional<WaitingReason> wanted = reason.asEnum(WaitingReason.class);
              job.ifPresent(j -> addOnce(reason, j.key(), "waiting", jobs, seen));
              job.ifPresent(j -> wanted.ifPresent(w -> waiting.put(j.key(), Optional.of(w))));
            });
    return waiting;
  }

  private Map<JobKey, Integer> preemptions(YamlMap map) {
    Map<JobKey, Integer> counts = new LinkedHashMap<>();
    map.get("preemptions")
        .flatMap(YamlValue::asEntries)
        .orElse(Map.of())
        .forEach(
            (id, value) -> {
              Optional<Integer> count = value.asInt(0, Integer.MAX_VALUE);
              catalog
                  .job(value, id)
                  .ifPresent(job -> count.ifPresent(n -> counts.put(job.key(), n)));
            });
    return counts;
  }

  private static void addOnce(
      YamlValue value, JobKey job, String list, List<JobKey> jobs, Map<JobKey, String> seen) {
    String before = seen.putIfAbsent(job, list);
    if (before != null) {
      value.problem(
          "\"" + job.id() + "\" is expected to be " + before + " and " + list + " at once");
      return;
    }
    jobs.add(job);
  }
}
