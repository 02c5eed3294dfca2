package io.quotashare.agent.config;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The command line.
 *
 * @param help whether help was asked for
 * @param file the configuration file, if one is named
 * @param values what was set
 */
record Flags(boolean help, Optional<Path> file, RawConfig values) {

  static Flags parse(String... args) {
    return new Parser(args).parse();
  }

  /** One pass over the arguments. */
  private static final class Parser {
    private final String[] args;
    private final RawConfig values = new RawConfig();
    private boolean help;
    private Optional<Path> file = Optional.empty();
    private int next;

    Parser(String... args) {
      this.args = args;
    }

    Flags parse() {
      while (next < args.length) {
        String arg = args[next++];
        int equals = arg.indexOf('=');
        if (arg.equals("--help") || arg.equals("-h")) {
          help = true;
        } else if (arg.startsWith("--") && equals > 0) {
          flag(arg.substring(0, equals), Optional.of(arg.substring(equals + 1)));
        } else {
          flag(arg, Optional.empty());
        }
      }
      return new Flags(help, file, values);
    }

    private void flag(String flag, Optional<String> joined) {
      Optional<Setting> setting =
          flag.startsWith("--") ? Setting.of(flag.substring(2)) : Optional.empty();
      boolean isFile = flag.equals("--config");
      Optional<String> value = joined.or(() -> valueAfter(flag, setting));
      if (setting.isEmpty() && !isFile) {
        values.problem(unknown(flag));
      } else if (value.isEmpty()) {
        String kind = setting.map(Setting::value).orElse("FILE");
        values.problem(flag + ": has no value (expected: " + flag + " " + kind + ")");
      } else if (isFile) {
        file = value.map(Path::of);
      } else {
        values.put(setting.orElseThrow(), new RawConfig.Value(value.get(), Map.of(), flag));
      }
    }

    /** Also taken for a flag that is not known, so that its value is not one more of them. */
    private Optional<String> valueAfter(String flag, Optional<Setting> setting) {
      boolean isSwitch = setting.filter(s -> s == Setting.DEV).isPresent();
      boolean follows =
          next < args.length
              && flag.startsWith("--")
              && (isSwitch ? args[next].matches("true|false") : !args[next].startsWith("--"));
      if (follows) {
        return Optional.of(args[next++]);
      }
      return isSwitch ? Optional.of("true") : Optional.empty();
    }
  }

  private static String unknown(String flag) {
    String expected =
        Arrays.stream(Setting.values())
            .map(setting -> "--" + setting.key())
            .collect(Collectors.joining(", "));
    return flag + ": is not known (expected: --config, --help, " + expected + ")";
  }

  /** The help text. */
  static String usage() {
    StringBuilder text =
        new StringBuilder(
            "usage: quotashare agent --dev --node NAME [--KEY VALUE]... [--config FILE]\n\n");
    text.append("Every key can be a flag or stand in the YAML file; flags win.\n\n");
    for (Setting setting : Setting.values()) {
      text.append(
          String.format(
              "  --%s %s%n      %s (default: %s)%n",
              setting.key(),
              setting == Setting.DEV ? "" : setting.value(),
              setting.meaning(),
              setting.fallback()));
    }
    return text.toString();
  }
}
