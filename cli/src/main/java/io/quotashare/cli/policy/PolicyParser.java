package io.quotashare.cli.policy;

import io.quotashare.cli.yaml.InvalidFileException;
import io.quotashare.cli.yaml.StrictYaml;
import io.quotashare.cli.yaml.YamlMap;
import io.quotashare.cli.yaml.YamlProblems;
import io.quotashare.cli.yaml.YamlValue;
import io.quotashare.client.FieldProblem;
import io.quotashare.client.IdleAssignment;
import io.quotashare.client.PolicyQueue;
import io.quotashare.client.PreemptionMode;
import io.quotashare.client.Queue;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.StateTimeLimit;
import io.quotashare.client.UnassignedCapacity;
import io.quotashare.client.WaitingReason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads policies: strict, every mistake with its place, all of them at once. */
public final class PolicyParser {
  /** Keys of a queue. */
  public static final Set<String> QUEUE_KEYS =
      Set.of(
          "name",
          "state",
          "nodeSelector",
          "idleAssignment",
          "unassigned",
          "maxGrace",
          "lostWorkCap",
          "restartCost",
          "stateTimeLimits",
          "preemptionMode",
          "shares");

  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([-_.A-Za-z0-9]{0,126}[A-Za-z0-9])?");
  private static final Duration MILLI = Duration.ofMillis(1);

  private PolicyParser() {}

  /**
   * Reads a policy file.
   *
   * @throws InvalidFileException with all problems if it is not valid
   */
  public static PolicyFile parse(Path file) {
    YamlProblems problems = new YamlProblems(file.toString());
    return parse(StrictYaml.readFile(file, problems), problems);
  }

  /**
   * Reads a policy from a text.
   *
   * @param file name that messages show
   * @throws InvalidFileException with all problems if it is not valid
   */
  public static PolicyFile parse(String file, String text) {
    YamlProblems problems = new YamlProblems(file);
    return parse(StrictYaml.read(text, problems), problems);
  }

  private static PolicyFile parse(YamlValue root, YamlProblems problems) {
    List<PolicyQueue> queues =
        root.asMap(Set.of("queues"))
            .flatMap(map -> map.require("queues", "a list of queues"))
            .map(PolicyParser::queues)
            .orElse(List.of());
    problems.throwIfAny();
    return new PolicyFile(problems.file(), queues);
  }

  /**
   * Reads the list of queues of a policy or scenario. What is wrong is added to the problems of the
   * document, and then the result is not complete: the caller calls {@link YamlProblems#throwIfAny}
   * before it uses it.
   */
  public static List<PolicyQueue> queues(YamlValue value) {
    List<PolicyQueue> queues = new ArrayList<>();
    Set<String> names = new HashSet<>();
    List<YamlValue> entries = value.asList().orElse(List.of());
    if (value.isList() && entries.isEmpty()) {
      value.problem("the list is empty, expected at least one queue");
    }
    for (YamlValue entry : entries) {
      entry.asMap(QUEUE_KEYS).flatMap(map -> queue(map, names)).ifPresent(queues::add);
    }
    return List.copyOf(queues);
  }

  private static Optional<PolicyQueue> queue(YamlMap map, Set<String> names) {
    Optional<String> name = name(map, "queue", names);
    Optional<Map<String, String>> selector =
        map.get("nodeSelector").flatMap(YamlValue::asStringMap);
    Queue defaults = Queue.of(name.orElse("?"));
    Queue queue =
        new Queue(
            defaults.id(),
            ShareParser.state(map),
            selector.orElse(defaults.nodeSelector()),
            known(map, "idleAssignment", IdleAssignment.class).orElse(defaults.idleAssignment()),
            known(map, "unassigned", UnassignedCapacity.class).orElse(defaults.unassigned()),
            map.duration("maxGrace", Duration.ZERO).orElse(defaults.maxGrace()),
            map.duration("lostWorkCap", Duration.ZERO).orElse(defaults.lostWorkCap()),
            map.duration("restartCost", Duration.ZERO).orElse(defaults.restartCost()),
            stateTimeLimits(map),
            known(map, "preemptionMode", PreemptionMode.class).orElse(defaults.preemptionMode()),
            "");
    List<QuotaShare> shares = shares(map, queue.id());
    return name.map(n -> new PolicyQueue(queue, shares));
  }

  private static List<QuotaShare> shares(YamlMap map, String queue) {
    Optional<YamlValue> value = map.require("shares", "a list of shares");
    List<QuotaShare> shares = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlValue entry : value.flatMap(YamlValue::asList).orElse(List.of())) {
      entry
          .asMap(ShareParser.KEYS)
          .flatMap(share -> share(share, queue, names))
          .ifPresent(shares::add);
    }
    return shares;
  }

  private static Optional<QuotaShare> share(YamlMap map, String queue, Set<String> names) {
    name(map, "share", names);
    ShareFields fields = ShareParser.fields(map);
    ShareParser.requireDecisions(map);
    Optional<QuotaShare> share = fields.toShare(queue);
    for (FieldProblem problem : share.map(QuotaShare::problems).orElse(List.of())) {
      map.problem(problem.field(), problem.message());
    }
    return share;
  }

  private static List<StateTimeLimit> stateTimeLimits(YamlMap map) {
    List<StateTimeLimit> limits = new ArrayList<>();
    Set<String> reasons = new HashSet<>();
    for (YamlValue entry : map.list("stateTimeLimits").orElse(List.of())) {
      Optional<YamlMap> limit = entry.asMap(Set.of("reason", "max"));
      Optional<WaitingReason> reason =
          limit
              .flatMap(l -> l.require("reason", "the code of a waiting reason"))
              .flatMap(v -> v.asEnum(WaitingReason.class, Known.of(WaitingReason.class)));
      Optional<Duration> max =
          limit
              .flatMap(l -> l.require("max", "a duration such as 10m"))
              .flatMap(v -> v.asDuration(MILLI));
      if (reason.isPresent() && !reasons.add(reason.get().name())) {
        entry.problem("the reason " + reason.get() + " has a limit already");
      } else if (reason.isPresent() && max.isPresent()) {
        limits.add(new StateTimeLimit(reason.get().name(), max.get()));
      }
    }
    return limits;
  }

  private static <E extends Enum<E>> Optional<E> known(YamlMap map, String key, Class<E> type) {
    return map.get(key).flatMap(value -> value.asEnum(type, Known.of(type)));
  }

  /** The name of a queue or share, once inside its list. */
  private static Optional<String> name(YamlMap map, String what, Set<String> names) {
    Optional<String> name = map.requireString("name");
    if (name.isEmpty()) {
      return name;
    }
    if (!NAME.matcher(name.get()).matches()) {
      map.problem(
          "name",
          "\""
              + name.get()
              + "\" is not valid here, expected letters, digits, - _ . (at most 128)");
      return Optional.empty();
    }
    if (!names.add(name.get())) {
      map.problem("name", "a " + what + " named \"" + name.get() + "\" stands above already");
    }
    return name;
  }
}
