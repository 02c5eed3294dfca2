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
    boolean help = false;
    Optional<Path> file = Optional.empty();
    RawConfig values = new RawConfig();
    for (int i = 0; i < args.length; i++) {
      String flag = args[i];
      if (flag.equals("--help") || flag.equals("-h")) {
        help = true;
        continue;
      }
      Optional<String> value = Optional.empty();
      int equals = flag.indexOf('=');
      if (flag.startsWith("--") && equals > 0) {
        value = Optional.of(flag.substring(equals + 1));
        flag = flag.substring(0, equals);
      }
      Optional<Setting> setting =
          flag.startsWith("--") ? Setting.of(flag.substring(2)) : Optional.empty();
      boolean isFile = flag.equals("--config");
      if (setting.isEmpty() && !isFile) {
        values.problem(unknown(flag));
        // Its value is not one more unknown flag.
        if (value.isEmpty()
            && flag.startsWith("--")
            && i + 1 < args.length
            && !args[i + 1].startsWith("--")) {
          i++;
        }
        continue;
      }
      boolean isSwitch = setting.filter(s -> s == Setting.DEV).isPresent();
      if (value.isEmpty() && isSwitch) {
        value = Optional.of("true");
      } else if (value.isEmpty() && i + 1 < args.length && !args[i + 1].startsWith("--")) {
        value = Optional.of(args[++i]);
      }
      if (value.isEmpty()) {
        values.problem(
            flag
                + ": has no value (expected: "
                + flag
                + " "
                + setting.map(Setting::value).orElse("FILE")
                + ")");
      } else if (isFile) {
        file = Optional.of(Path.of(value.get()));
      } else {
        values.put(setting.orElseThrow(), new RawConfig.Value(value.get(), Map.of(), flag));
      }
    }
    return new Flags(help, file, values);
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
