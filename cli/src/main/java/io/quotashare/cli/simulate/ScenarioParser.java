package io.quotashare.cli.simulate;

import io.quotashare.cli.policy.PolicyParser;
import io.quotashare.cli.yaml.InvalidFileException;
import io.quotashare.cli.yaml.StrictYaml;
import io.quotashare.cli.yaml.YamlMap;
import io.quotashare.cli.yaml.YamlProblems;
import io.quotashare.cli.yaml.YamlValue;
import io.quotashare.client.PolicyQueue;
import io.quotashare.core.Policy;
import io.quotashare.core.RejectedException;
import io.quotashare.core.replay.Expectation;
import io.quotashare.core.replay.RunningJob;
import io.quotashare.core.replay.Scenario;
import io.quotashare.core.replay.ScenarioEvent;
import io.quotashare.core.replay.VirtualNode;
import io.quotashare.core.replay.VirtualPools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads scenarios: strict, every mistake with its place, all of them at once. */
public final class ScenarioParser {
  private static final Set<String> KEYS =
      Set.of("name", "queues", "nodes", "timing", "jobs", "events", "until", "expect");
  private static final Set<String> TIMING_KEYS = Set.of("start", "checkpoint", "stop");

  private final YamlProblems problems;

  private ScenarioParser(YamlProblems problems) {
    this.problems = problems;
  }

  /**
   * Reads a scenario file.
   *
   * @throws InvalidFileException with all problems if it is not valid
   */
  public static Scenario parse(Path file) {
    YamlProblems problems = new YamlProblems(file.toString());
    YamlValue root = StrictYaml.readFile(file, problems);
    return new ScenarioParser(problems).scenario(root, fileName(file));
  }

  /**
   * Reads a scenario from a text.
   *
   * @param file name that messages show, and the name of a scenario without one
   * @throws InvalidFileException with all problems if it is not valid
   */
  public static Scenario parse(String file, String text) {
    YamlProblems problems = new YamlProblems(file);
    return new ScenarioParser(problems).scenario(StrictYaml.read(text, problems), file);
  }

  private Scenario scenario(YamlValue root, String defaultName) {
    Scenario scenario = root.asMap(KEYS).map(map -> scenario(map, defaultName)).orElse(null);
    problems.throwIfAny();
    if (scenario == null) {
      throw new IllegalStateException("no scenario although nothing is wrong with the file");
    }
    return scenario;
  }

  private @Nullable Scenario scenario(YamlMap map, String defaultName) {
    String name = map.string("name").orElse(defaultName);
    OptionalLong until = until(map);
    Scenario.Timing timing =
        map.get("timing")
            .flatMap(v -> v.asMap(TIMING_KEYS))
            .map(ScenarioParser::timing)
            .orElse(Scenario.Timing.INSTANT);
    List<PolicyQueue> queues =
        map.require("queues", "a list of queues").map(PolicyParser::queues).orElse(List.of());
    List<VirtualNode> nodes =
        map.require("nodes", "a list of nodes such as {name: n1, gpus: 8, unit: H100}")
            .map(NodesParser::parse)
            .orElse(List.of());
    Policy policy = problems.isEmpty() ? CorePolicy.of(queues) : new Policy(List.of());
    Catalog catalog = new Catalog(queues, nodes, pools(map, policy, nodes));
    List<RunningJob> running =
        map.get("jobs").map(v -> new RunningJobsParser(catalog).parse(v)).orElse(List.of());
    List<ScenarioEvent> events =
        map.get("events").map(v -> new EventsParser(catalog, until).parse(v)).orElse(List.of());
    List<Expectation> expectations =
        map.get("expect")
            .map(v -> new ExpectationsParser(catalog, until).parse(v))
            .orElse(List.of());
    return problems.isEmpty()
        ? new Scenario(name, policy, nodes, timing, running, events, until, expectations)
        : null;
  }

  /** The pools, or null if queues or nodes are not valid: what depends on them is not checked. */
  private @Nullable VirtualPools pools(YamlMap map, Policy policy, List<VirtualNode> nodes) {
    if (!problems.isEmpty()) {
      return null;
    }
    try {
      return new VirtualPools(policy, nodes);
    } catch (RejectedException e) {
      map.problem("queues", e.getMessage());
      return null;
    }
  }

  private static OptionalLong until(YamlMap map) {
    Optional<Duration> until = map.duration("until", Duration.ZERO);
    return until.isPresent() ? OptionalLong.of(until.get().toMillis()) : OptionalLong.empty();
  }

  private static Scenario.Timing timing(YamlMap map) {
    return new Scenario.Timing(
        millisOrZero(map, "start"), millisOrZero(map, "checkpoint"), millisOrZero(map, "stop"));
  }

  private static long millisOrZero(YamlMap map, String key) {
    return map.duration(key, Duration.ZERO).map(Duration::toMillis).orElse(0L);
  }

  static String fileName(Path file) {
    Path name = file.getFileName();
    return name == null ? file.toString() : name.toString();
  }
}
