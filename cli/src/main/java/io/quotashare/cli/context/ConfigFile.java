package io.quotashare.cli.context;

import io.quotashare.cli.UsageException;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.yaml.InvalidFileException;
import io.quotashare.cli.yaml.StrictYaml;
import io.quotashare.cli.yaml.YamlMap;
import io.quotashare.cli.yaml.YamlProblems;
import io.quotashare.cli.yaml.YamlValue;
import io.quotashare.client.internal.HostPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the configuration file strictly: an unknown key is an error with its place.
 *
 * <pre>{@code
 * current: research
 * contexts:
 *   research:
 *     schedulers: [gpu1:7070, gpu2:7070]
 *     admin: gpu1:7072
 *     queue: research
 *     share: vision
 *     output: wide
 * }</pre>
 */
public final class ConfigFile {
  /** Keys of a context. */
  public static final Set<String> KEYS = Set.of("schedulers", "admin", "queue", "share", "output");

  /** Keys of the file. */
  static final Set<String> TOP_KEYS = Set.of("current", "contexts");

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final String NAME_EXPECTED = "1 to 63 of a-z, 0-9 and - inside";

  private ConfigFile() {}

  /** Where the file is looked for: QUOTASHARE_CONFIG, else the folder for configuration. */
  public static Path place(Map<String, String> variables) {
    String named = variables.getOrDefault("QUOTASHARE_CONFIG", "");
    if (!named.isEmpty()) {
      return Path.of(named);
    }
    String folder = variables.getOrDefault("XDG_CONFIG_HOME", "");
    // The XDG specification: a path that is not absolute is to be ignored.
    Path base =
        folder.isEmpty() || !Path.of(folder).isAbsolute()
            ? Path.of(variables.getOrDefault("HOME", ""), ".config")
            : Path.of(folder);
    return base.resolve("quotashare").resolve("config.yaml");
  }

  /**
   * Reads the file; one that is not there has no context.
   *
   * @throws InvalidFileException with every problem of the file
   */
  public static ClientConfig read(Path file) {
    if (!Files.exists(file)) {
      return ClientConfig.empty(file);
    }
    YamlProblems problems = new YamlProblems(file.toString());
    ClientConfig config =
        StrictYaml.readFile(file, problems)
            .asMap(TOP_KEYS)
            .map(map -> config(file, map))
            .orElse(ClientConfig.empty(file));
    problems.throwIfAny();
    return config;
  }

  /**
   * Refuses a name that the file could not hold.
   *
   * @throws UsageException if it is not valid
   */
  static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new UsageException(
          "NAME: \"" + name + "\" is not valid here, expected " + NAME_EXPECTED);
    }
  }

  private static ClientConfig config(Path file, YamlMap map) {
    TreeMap<String, Context> contexts = new TreeMap<>();
    Map<String, YamlValue> entries =
        map.get("contexts").flatMap(YamlValue::asEntries).orElse(new LinkedHashMap<>());
    entries.forEach(
        (name, value) -> {
          if (!NAME.matcher(name).matches()) {
            value.problem("the name \"" + name + "\" is not valid here, expected " + NAME_EXPECTED);
          }
          value.asMap(KEYS).ifPresent(keys -> contexts.put(name, context(name, keys)));
        });
    Optional<String> current = map.string("current");
    if (current.isPresent() && !entries.containsKey(current.get())) {
      map.problem(
          "current", "there is no context \"" + current.get() + "\" among those of the file");
    }
    return new ClientConfig(file, current.orElse(null), contexts);
  }

  private static Context context(String name, YamlMap keys) {
    List<String> schedulers = new ArrayList<>();
    for (YamlValue value : keys.list("schedulers").orElse(List.of())) {
      address(value).ifPresent(schedulers::add);
    }
    if (keys.has("schedulers") && schedulers.isEmpty()) {
      keys.problem("schedulers", "no address, expected a list such as [gpu1:7070]");
    }
    return new Context(
        name,
        schedulers,
        keys.get("admin").flatMap(ConfigFile::address).orElse(null),
        keys.string("queue").orElse(null),
        keys.string("share").orElse(null),
        keys.choice("output", Format.class).orElse(null));
  }

  private static Optional<String> address(YamlValue value) {
    Optional<String> text = value.asNonEmptyString();
    if (text.isPresent()) {
      try {
        HostPort.parse(text.get());
      } catch (IllegalArgumentException e) {
        value.problem(String.valueOf(e.getMessage()));
        return Optional.empty();
      }
    }
    return text;
  }
}
