package io.quotashare.agent.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes the configuration of flags and file. */
public final class ConfigLoader {
  private static final Pattern NODE = Pattern.compile("[a-z0-9](?:[-a-z0-9.]{0,61}[a-z0-9])?");
  private static final Pattern HOST_PORT = Pattern.compile("(\\[[^]]+]|[^:\\[\\]]+):([0-9]{1,5})");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1]|::1");
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.:_-]{1,253}");
  private static final Pattern LABEL =
      Pattern.compile("[A-Za-z0-9](?:[-A-Za-z0-9._/]{0,61}[A-Za-z0-9])?");
  private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})(B|KiB|MiB|GiB|TiB)");
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int LABELS_MAX = 64;

  private final Surroundings surroundings;
  private final RawConfig raw;
  private final List<String> problems;

  private ConfigLoader(Surroundings surroundings, RawConfig raw) {
    this.surroundings = surroundings;
    this.raw = raw;
    this.problems = new ArrayList<>(raw.problems());
  }

  /** What came of a command line. */
  public sealed interface Outcome {}

  /** Help was asked for. */
  public record Help(String text) implements Outcome {}

  /** The agent is to run. */
  public record Run(AgentConfig config) implements Outcome {}

  /**
   * Reads the command line and the file that it names.
   *
   * @throws ConfigException with all that is wrong
   */
  public static Outcome load(Surroundings surroundings, String... args) throws ConfigException {
    Flags flags = Flags.parse(args);
    if (flags.help()) {
      return new Help(Flags.usage());
    }
    RawConfig raw =
        flags.file().map(YamlConfig::read).map(flags.values()::orElse).orElse(flags.values());
    return new Run(new ConfigLoader(surroundings, raw).config());
  }

  private AgentConfig config() throws ConfigException {
    String node = text(Setting.NODE, NODE, "a name of a-z, 0-9, - and .").orElse("");
    if (node.isEmpty() && !raw.values().containsKey(Setting.NODE)) {
      problems.add("node: is not set (expected: --node NAME, or node: NAME in the file)");
    }
    boolean dev = bool(Setting.DEV);
    if (!dev) {
      problems.add(
          "dev: is not set. This version has no TLS: it supports only --dev, which is plaintext without authentication on loopback addresses");
    }
    Matcher scheduler = scheduler();
    Path state = path(Setting.STATE).orElseGet(() -> defaultState(node));
    Duration sweep = time(Setting.SWEEP_INTERVAL, SHORTEST, LONGEST);
    AgentConfig config =
        new AgentConfig(
            node,
            scheduler.group(1).replaceAll("[\\[\\]]", ""),
            Integer.parseInt(scheduler.group(2)),
            labels(),
            state,
            path(Setting.CHECKPOINT_ROOT).orElse(state.resolve("checkpoints")),
            text(Setting.ADVERTISE_ADDRESS, HOST, "a host name or address")
                .orElse(Setting.ADVERTISE_ADDRESS.fallback()),
            path(Setting.NVML_LIBRARY),
            map(Setting.UNITS),
            sweep,
            time(Setting.NVML_DEADLINE, SHORTEST, LONGEST),
            time(Setting.NVML_INIT_DEADLINE, SHORTEST, LONGEST),
            time(Setting.NVML_RETRY_MAX, sweep, LONGEST),
            time(Setting.RECONNECT_MAX, Duration.ofSeconds(1), LONGEST),
            time(Setting.POLL_INTERVAL, Duration.ofMillis(10), Duration.ofSeconds(5)),
            time(Setting.START_TIMEOUT, Duration.ofSeconds(1), LONGEST),
            time(Setting.RELEASE_TIMEOUT, Duration.ZERO, LONGEST),
            size(Setting.LOG_FILE_SIZE, 1 << 10),
            number(Setting.LOG_FILES, 2, 64),
            number(Setting.KEEP_ATTEMPTS, 1, 100_000),
            time(Setting.KEEP_FOR, Duration.ofMinutes(1), Duration.ofDays(3650)),
            size(Setting.KEEP_OUTPUT, 0),
            path(Setting.LOCK_DIR).orElseGet(this::defaultLockDir),
            path(Setting.CGROUP_ROOT),
            path(Setting.SHIM).orElseGet(this::defaultShim),
            text(Setting.JOB_PATH, Pattern.compile("[^\\x00]+"), "a search path")
                .orElse(surroundings.path()));
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return config;
  }

  private Matcher scheduler() {
    Matcher fallback = HOST_PORT.matcher(Setting.SCHEDULER.fallback());
    if (!fallback.matches()) {
      throw new AssertionError("the default is not valid");
    }
    return value(
            Setting.SCHEDULER,
            "HOST:PORT with a port of 1 to 65535",
            text -> {
              Matcher matcher = HOST_PORT.matcher(text);
              boolean good = matcher.matches() && inRange(Integer.parseInt(matcher.group(2)));
              return good ? Optional.of(matcher) : Optional.empty();
            })
        .filter(
            matcher -> {
              boolean loopback = LOOPBACK.matcher(matcher.group(1)).matches();
              if (!loopback) {
                problem(
                    Setting.SCHEDULER,
                    "a loopback address, such as 127.0.0.1:7071: --dev is plaintext without authentication");
              }
              return loopback;
            })
        .orElse(fallback);
  }

  private static boolean inRange(int port) {
    return port >= 1 && port <= 65_535;
  }

  private Map<String, String> labels() {
    Map<String, String> labels = map(Setting.LABELS);
    boolean good = labels.size() <= LABELS_MAX;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      good =
          good
              && LABEL.matcher(label.getKey()).matches()
              && (label.getValue().isEmpty() || LABEL.matcher(label.getValue()).matches());
    }
    if (!good) {
      problem(
          Setting.LABELS,
          "at most "
              + LABELS_MAX
              + " labels whose keys and values have up to 63 letters, digits, - . _ /");
    }
    return labels;
  }

  private Map<String, String> map(Setting setting) {
    RawConfig.Value value = raw.values().get(setting);
    if (value == null || value.text().isEmpty()) {
      return value == null ? Map.of() : value.map();
    }
    Map<String, String> entries = new LinkedHashMap<>();
    for (String entry : value.text().split(",", -1)) {
      int equals = entry.indexOf('=');
      if (equals <= 0
          || entries.put(entry.substring(0, equals), entry.substring(equals + 1)) != null) {
        problem(setting, setting.value() + ", each key once");
        return Map.of();
      }
    }
    return entries;
  }

  private boolean bool(Setting setting) {
    return value(
            setting,
            "true or false",
            text ->
                text.matches("true|false") ? Optional.of(text.equals("true")) : Optional.empty())
        .orElse(false);
  }

  private Optional<String> text(Setting setting, Pattern pattern, String expected) {
    return value(
        setting,
        expected,
        text -> pattern.matcher(text).matches() ? Optional.of(text) : Optional.empty());
  }

  private Optional<Path> path(Setting setting) {
    return value(
        setting,
        "a path",
        text -> {
          try {
            return text.isEmpty()
                ? Optional.empty()
                : Optional.of(Path.of(text).toAbsolutePath().normalize());
          } catch (InvalidPathException e) {
            return Optional.empty();
          }
        });
  }

  private Duration time(Setting setting, Duration min, Duration max) {
    return value(
            setting,
            "a time from " + show(min) + " to " + show(max) + ", such as 30s or 500ms",
            text ->
                Optional.ofNullable(parseTime(text))
                    .filter(t -> t.compareTo(min) >= 0 && t.compareTo(max) <= 0))
        .orElseGet(() -> parseTime(setting.fallback()));
  }

  private static String show(Duration time) {
    return time.toMillis() % 1_000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
  }

  private static Duration parseTime(String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      return Duration.ofSeconds(-1);
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  private long size(Setting setting, long min) {
    return value(
            setting,
            "a size of at least " + min + " bytes, such as 100MiB",
            text -> Optional.of(parseSize(text)).filter(bytes -> bytes >= min))
        .orElseGet(() -> parseSize(setting.fallback()));
  }

  private static long parseSize(String text) {
    Matcher matcher = SIZE.matcher(text);
    if (!matcher.matches()) {
      return -1;
    }
    int shift = 10 * List.of("B", "KiB", "MiB", "GiB", "TiB").indexOf(matcher.group(2));
    long number = Long.parseLong(matcher.group(1));
    return number > Long.MAX_VALUE >> shift ? -1 : number << shift;
  }

  private int number(Setting setting, int min, int max) {
    return value(
            setting,
            "a whole number from " + min + " to " + max,
            text ->
                text.matches("[0-9]{1,9}")
                    ? Optional.of(Integer.parseInt(text)).filter(n -> n >= min && n <= max)
                    : Optional.<Integer>empty())
        .orElseGet(() -> Integer.parseInt(setting.fallback()));
  }

  /** The value that was set, understood; empty if none was, or if it is a problem. */
  private <T> Optional<T> value(
      Setting setting, String expected, Function<String, Optional<T>> parse) {
    RawConfig.Value value = raw.values().get(setting);
    if (value == null) {
      return Optional.empty();
    }
    Optional<T> parsed = parse.apply(value.text());
    if (parsed.isEmpty()) {
      problem(setting, expected);
    }
    return parsed;
  }

  private void problem(Setting setting, String expected) {
    RawConfig.Value value = raw.values().get(setting);
    String text = value.map().isEmpty() ? value.text() : value.map().toString();
    problems.add(value.place() + ": '" + text + "' (expected: " + expected + ")");
  }

  private Path defaultState(String node) {
    Path base =
        surroundings.isRoot()
            ? Path.of("/var/lib/quotashare/agent")
            : surroundings.home().resolve(".local/state/quotashare/agent");
    return base.resolve(node).toAbsolutePath();
  }

  private Path defaultLockDir() {
    if (surroundings.isRoot()) {
      return Path.of("/run/lock/quotashare");
    }
    return surroundings
        .runtimeDir()
        .map(dir -> dir.resolve("quotashare"))
        .orElse(surroundings.home().resolve(".local/state/quotashare/locks"))
        .toAbsolutePath();
  }

  private Path defaultShim() {
    return surroundings.nativeDir().orElse(Path.of(".")).resolve("qs-shim").toAbsolutePath();
  }
}
