package io.quotashare.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the command line of the server. Flags win over the file, which wins over the defaults. */
public final class CommandLine {
  private static final String CONFIG = "--config";
  private static final String HELP = "--help";

  private static final Map<String, ConfigKey<?>> FLAGS = new LinkedHashMap<>();

  static {
    for (ConfigKey<?> key : ConfigKeys.ALL) {
      if (!key.flag().isEmpty()) {
        FLAGS.put(key.flag(), key);
      }
    }
  }

  private final Map<ConfigKey<?>, String> texts = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();
  private @Nullable String file;
  private boolean help;

  private CommandLine() {}

  /**
   * The configuration that the arguments ask for; null if they ask for help.
   *
   * @throws ConfigException if a flag, the file or a value is wrong
   */
  public static @Nullable ServerConfig parse(List<String> args) {
    CommandLine line = new CommandLine();
    line.read(args);
    if (line.help) {
      return null;
    }
    if (!line.problems.isEmpty()) {
      throw new ConfigException(line.problems);
    }
    ServerConfig.Builder config = ServerConfig.builder();
    if (line.file != null) {
      ConfigFile.read(Path.of(line.file), config);
    }
    line.texts.forEach(
        (key, text) -> {
          if (!config.setText(key, text)) {
            line.problems.add(
                key.flag() + ": " + text + " (expected: " + key.type().expected() + ")");
          }
        });
    if (!line.problems.isEmpty()) {
      throw new ConfigException(line.problems);
    }
    return config.build();
  }

  private void read(List<String> args) {
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      int equals = arg.indexOf('=');
      String flag = equals < 0 ? arg : arg.substring(0, equals);
      String inline = equals < 0 ? null : arg.substring(equals + 1);
      if (flag.equals(HELP) || flag.equals("-h")) {
        help = true;
        return;
      }
      ConfigKey<?> key = FLAGS.get(flag);
      if (key == null && !flag.equals(CONFIG)) {
        problems.add(unknown(arg, flag));
      } else if (ConfigKeys.DEV.equals(key)) {
        texts.put(key, inline == null ? "true" : inline);
      } else if (inline == null && (i + 1 == args.size() || args.get(i + 1).startsWith("--"))) {
        problems.add(flag + ": no value (expected: " + expected(key) + ")");
      } else {
        String value = inline == null ? args.get(++i) : inline;
        if (key == null) {
          file = value;
        } else {
          texts.put(key, value);
        }
      }
    }
  }

  private static String unknown(String arg, String flag) {
    TreeSet<String> known = new TreeSet<>(FLAGS.keySet());
    known.add(CONFIG);
    known.add(HELP);
    return arg.startsWith("-")
        ? flag + ": unknown flag" + Suggestion.of(flag, known)
        : arg + ": unexpected argument (expected: flags only)";
  }

  private static String expected(@Nullable ConfigKey<?> key) {
    return key == null ? "a file" : key.type().expected();
  }

  /** What {@code --help} prints. */
  public static String usage() {
    StringBuilder text = new StringBuilder("usage: quotashare server --dev [flags]\n\n");
    FLAGS.forEach(
        (flag, key) -> {
          boolean isSwitch = key.equals(ConfigKeys.DEV);
          text.append(
              String.format(
                  "  %-28s %s%s%n",
                  isSwitch ? flag : flag + " VALUE",
                  key.about(),
                  isSwitch ? "" : " Default " + key.defaultText() + "."));
        });
    text.append(
        String.format("  %-28s %s%n", CONFIG + " FILE", "YAML file with these and more keys."));
    return text.toString();
  }
}
