package io.quotashare.cli;

import static java.util.Objects.requireNonNull;

import io.quotashare.cli.context.ClientConfig;
import io.quotashare.cli.context.ConfigFile;
import io.quotashare.cli.context.Context;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.yaml.Suggestions;
import io.quotashare.client.internal.HostPort;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the scheduler is and what is taken where nothing is named: the flag, else the environment
 * variable, else the context, else the default. The configuration file is read with the first
 * question that flag and variable leave open, so that a file that is not valid stops no command
 * that does not need it.
 */
public final class Settings {
  static final String DEFAULT_SCHEDULER = "127.0.0.1:7070";
  static final int DEFAULT_ADMIN_PORT = 7072;

  /**
   * The flags of every command; empty where they were not given.
   *
   * @param scheduler value of {@code --scheduler}
   * @param admin value of {@code --admin}
   * @param context value of {@code --context}
   */
  record Flags(String scheduler, String admin, String context) {}

  private final Map<String, String> variables;
  private final Flags flags;
  private @Nullable ClientConfig config;

  Settings(Map<String, String> variables, Flags flags) {
    this.variables = requireNonNull(variables, "variables");
    this.flags = requireNonNull(flags, "flags");
  }

  /** Where the scheduler is looked for, at least one HOST:PORT. */
  public List<String> schedulers() {
    Optional<String> said = said(flags.scheduler(), "QUOTASHARE_SCHEDULER");
    if (said.isPresent()) {
      return Arrays.stream(said.get().split(",", -1)).map(String::strip).toList();
    }
    return context()
        .map(Context::schedulers)
        .filter(addresses -> !addresses.isEmpty())
        .orElse(List.of(DEFAULT_SCHEDULER));
  }

  /** Its admin listener; by default at port 7072 of the first scheduler. */
  public String admin() {
    return said(flags.admin(), "QUOTASHARE_ADMIN")
        .or(() -> ofContext(Context::admin))
        .orElseGet(
            () ->
                new HostPort(HostPort.parse(schedulers().get(0)).host(), DEFAULT_ADMIN_PORT)
                    .toString());
  }

  /** Queue where none is named. */
  public Optional<String> queue() {
    return said("", "QUOTASHARE_QUEUE").or(() -> ofContext(Context::queue));
  }

  /** Share of {@code submit} where none is named. */
  public Optional<String> share() {
    return said("", "QUOTASHARE_SHARE").or(() -> ofContext(Context::share));
  }

  /** Format of what is shown where none is named. */
  public Optional<Format> output() {
    return said("", "QUOTASHARE_OUTPUT")
        .map(Settings::format)
        .or(() -> context().map(Context::output));
  }

  /** The configuration file. */
  public ClientConfig config() {
    ClientConfig read = config;
    if (read == null) {
      read = ConfigFile.read(ConfigFile.place(variables));
      config = read;
    }
    return read;
  }

  /** The context in use: that of the flag, else of the variable, else the file's current one. */
  public Optional<Context> context() {
    Optional<String> named = said(flags.context(), "QUOTASHARE_CONTEXT");
    return named.isPresent() ? named.map(config()::require) : config().currentContext();
  }

  /** The value of {@code --scheduler} alone, for those who store it. */
  public String schedulerFlag() {
    return flags.scheduler();
  }

  /** The value of {@code --admin} alone, for those who store it. */
  public String adminFlag() {
    return flags.admin();
  }

  private Optional<String> ofContext(Function<Context, @Nullable String> value) {
    return context().map(value);
  }

  /** An empty variable says nothing, as one that is not set. */
  private Optional<String> said(String flag, String variable) {
    String value = flag.isEmpty() ? variables.getOrDefault(variable, "") : flag;
    return value.isEmpty() ? Optional.empty() : Optional.of(value);
  }

  private static Format format(String text) {
    for (Format format : Format.values()) {
      if (format.name().equals(text)) {
        return format;
      }
    }
    List<String> names = Arrays.stream(Format.values()).map(Enum::name).toList();
    throw new UsageException(
        "QUOTASHARE_OUTPUT: \"" + text + "\" is not a format" + Suggestions.hint(text, names));
  }
}
