package io.quotashare.cli.yaml;

import static java.util.Map.entry;

import io.quotashare.cli.context.ConfigFile;
import io.quotashare.cli.policy.PolicyParser;
import io.quotashare.cli.policy.ShareParser;
import io.quotashare.cli.simulate.ScenarioParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key of every file of the command, with values of the wrong type and out of range. */
class EveryKeyTest {
  private static final List<String> NO_TEXT = List.of("[a]", "{a: b}");
  private static final List<String> NO_LIST = List.of("7", "a");
  private static final List<String> NO_BOOL = List.of("7", "maybe", "[true]");
  private static final List<String> NO_TIME = List.of("soon", "-5s", "[1s]", "{a: 1}");
  private static final List<String> NO_NAME = List.of("[a]", "{a: b}", "''");

  @TempDir private Path folder;

  private static List<String> problems(Runnable parser) {
    try {
      parser.run();
      return List.of();
    } catch (InvalidFileException e) {
      return e.problems().stream().map(YamlProblem::toString).toList();
    }
  }

  private static List<String> ofPolicy(String text) {
    return problems(() -> PolicyParser.parse("p.yaml", text));
  }

  private static List<String> ofScenario(String text) {
    return problems(() -> ScenarioParser.parse("s.yaml", text));
  }

  /** The entries of a map, with one of them replaced or added, in the flow style of YAML. */
  private static String map(Map<String, String> good, String key, String value) {
    Map<String, String> all = new LinkedHashMap<>(good);
    all.put(key, value);
    return all.entrySet().stream()
        .map(e -> e.getKey() + ": " + e.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static final Map<String, String> SHARE =
      Map.of(
          "name", "a",
          "capacity", "{H100: 4}",
          "strategy", "LEND_AND_BORROW",
          "inSharePreemption", "true");

  @Test
  void share() {
    KeyMatrix.check(
        ShareParser.KEYS,
        Map.ofEntries(
            entry("name", NO_NAME),
            entry("capacity", List.of("8", "[H100]", "{H100: x}", "{H100: -1}", "{H100: 1e9}")),
            entry("strategy", List.of("BORROW", "7", "[LEND]")),
            entry("borrowLimitPercent", List.of("-2", "1000001", "much", "[1]")),
            entry("borrowLimit", List.of("8", "{H100: -1}", "{H100: 10000001}")),
            entry("lendLimitPercent", List.of("-1", "101", "much")),
            entry("lendLimit", List.of("8", "{H100: -1}")),
            entry("inSharePreemption", NO_BOOL),
            entry("ordering", List.of("FIRST", "7")),
            entry("weight", List.of("0", "1000001", "heavy")),
            entry("minRuntime", NO_TIME),
            entry("parent", List.of("vision")),
            entry("state", List.of("ON", "7"))),
        (key, value) -> "queues: [{name: q, shares: [" + map(SHARE, key, value) + "]}]",
        EveryKeyTest::ofPolicy);
  }

  @Test
  void queue() {
    KeyMatrix.check(
        PolicyParser.QUEUE_KEYS,
        Map.ofEntries(
            entry("name", NO_NAME),
            entry("state", List.of("ON", "7")),
            entry("nodeSelector", List.of("7", "[a]", "{a: [b]}")),
            entry("idleAssignment", List.of("LIFO", "7")),
            entry("unassigned", List.of("LENT", "7")),
            entry("maxGrace", NO_TIME),
            entry("lostWorkCap", NO_TIME),
            entry("restartCost", NO_TIME),
            entry("stateTimeLimits", List.of("7", "[a]")),
            entry("preemptionMode", List.of("NEVER", "7")),
            entry("shares", NO_LIST)),
        (key, value) -> "queues: [" + map(Map.of("name", "q", "shares", "[]"), key, value) + "]",
        EveryKeyTest::ofPolicy);
  }

  private static final Map<String, String> SCENARIO =
      Map.of(
          "queues",
          "[{name: q, shares: [{name: a, capacity: {H100: 4}, strategy: LEND, inSharePreemption:"
              + " true}]}]",
          "nodes",
          "[{name: n1, gpus: 8, unit: H100}]");

  @Test
  void scenario() {
    KeyMatrix.check(
        KeyMatrix.keys(ScenarioParser.class, "KEYS"),
        Map.ofEntries(
            entry("name", NO_TEXT),
            entry("queues", NO_LIST),
            entry("nodes", NO_LIST),
            entry("timing", List.of("7", "[a]")),
            entry("jobs", NO_LIST),
            entry("events", NO_LIST),
            entry("until", NO_TIME),
            entry("expect", NO_LIST)),
        (key, value) -> map(SCENARIO, key, value),
        EveryKeyTest::ofScenario);
  }

  @Test
  void timingOfAScenario() {
    KeyMatrix.check(
        KeyMatrix.keys(ScenarioParser.class, "TIMING_KEYS"),
        Map.of("start", NO_TIME, "checkpoint", NO_TIME, "stop", NO_TIME),
        (key, value) -> map(SCENARIO, "timing", map(Map.of(), key, value)),
        EveryKeyTest::ofScenario);
  }

  @Test
  void nodeOfAScenario() {
    KeyMatrix.check(
        keysOf("NodesParser"),
        Map.of(
            "name", NO_NAME,
            "gpus", List.of("-1", "x", "[1]"),
            "unit", NO_TEXT,
            "labels", List.of("7", "[a]", "{a: [b]}"),
            "count", List.of("0", "x", "-1")),
        (key, value) ->
            map(
                SCENARIO,
                "nodes",
                "[" + map(Map.of("name", "n1", "gpus", "8", "unit", "H100"), key, value) + "]"),
        EveryKeyTest::ofScenario);
  }

  @Test
  void submitOfAScenario() {
    KeyMatrix.check(
        keysOf("JobParser"),
        Map.ofEntries(
            entry("id", NO_NAME),
            entry("queue", List.of("[a]", "nowhere")),
            entry("share", List.of("[a]", "nobody")),
            entry("gpus", List.of("0", "x", "[1]")),
            entry("nodes", List.of("0", "x")),
            entry("gpusPerNode", List.of("0", "x")),
            entry("unit", NO_TEXT),
            entry("priority", List.of("-1", "10000", "high")),
            entry("duration", NO_TIME),
            entry("checkpointEvery", NO_TIME),
            entry("onDemandCheckpoint", NO_BOOL),
            entry("grace", NO_TIME),
            entry("timeLimit", NO_TIME),
            entry("borrow", List.of("SOMETIMES", "7")),
            entry("preemptionRetriesBeforeTermination", List.of("-1", "x")),
            entry("allowInfeasible", NO_BOOL)),
        (key, value) ->
            map(
                SCENARIO,
                "events",
                "[{at: 0s, submit: "
                    + map(Map.of("id", "j", "queue", "q", "share", "a", "gpus", "1"), key, value)
                    + "}]"),
        EveryKeyTest::ofScenario);
  }

  @Test
  void eventOfAScenario() {
    KeyMatrix.check(
        keysOf("EventsParser"),
        Map.of(
            "at", NO_TIME,
            "submit", List.of("7", "[a]"),
            "setPriority", List.of("7", "[a]"),
            "cancel", List.of("[a]", "{a: b}"),
            "setShare", List.of("7", "[a]"),
            "setQueue", List.of("7", "[a]"),
            "node", List.of("7", "[a]")),
        (key, value) -> map(SCENARIO, "events", "[" + map(Map.of("at", "0s"), key, value) + "]"),
        EveryKeyTest::ofScenario);
  }

  @Test
  void expectationOfAScenario() {
    KeyMatrix.check(
        keysOf("ExpectationsParser"),
        Map.ofEntries(
            entry("at", NO_TIME),
            entry("running", List.of("7", "{a: b}")),
            entry("waiting", List.of("7")),
            entry("preempting", List.of("7", "{a: b}")),
            entry("wouldPreempt", List.of("7", "{a: b}")),
            entry("spared", List.of("7", "{a: b}")),
            entry("succeeded", List.of("7", "{a: b}")),
            entry("failed", List.of("7", "{a: b}")),
            entry("cancelled", List.of("7", "{a: b}")),
            entry("preemptions", List.of("-1", "many", "[1]"))),
        (key, value) -> map(SCENARIO, "expect", "[" + map(Map.of("at", "0s"), key, value) + "]"),
        EveryKeyTest::ofScenario);
  }

  private static Set<String> keysOf(String parser) {
    try {
      return KeyMatrix.keys(Class.forName("io.quotashare.cli.simulate." + parser), "KEYS");
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void contextOfTheClient() {
    KeyMatrix.check(
        ConfigFile.KEYS,
        Map.of(
            "schedulers", NO_TEXT,
            "admin", NO_TEXT,
            "queue", NO_TEXT,
            "share", NO_TEXT,
            "output", List.of("[a]", "xml")),
        (key, value) ->
            "contexts: {c: " + map(Map.of("schedulers", "'127.0.0.1:7070'"), key, value) + "}",
        this::ofConfig);
  }

  private List<String> ofConfig(String text) {
    try {
      Path file = Files.writeString(folder.resolve("config.yaml"), text);
      return problems(() -> ConfigFile.read(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
