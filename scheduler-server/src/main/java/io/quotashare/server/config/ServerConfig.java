package io.quotashare.server.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The configuration of a server: a value for every key of {@link ConfigKeys}. */
public final class ServerConfig {
  private final Map<ConfigKey<?>, Object> values;

  private ServerConfig(Map<ConfigKey<?>, Object> values) {
    this.values = Map.copyOf(values);
  }

  /** Value of a key. */
  @SuppressWarnings("unchecked") // The builder puts under a key what the key's type has read.
  public <T> T get(ConfigKey<T> key) {
    Object value = values.get(key);
    return value == null ? key.defaultValue() : (T) value;
  }

  /** Value of a key as it is written in the file. */
  public <T> String text(ConfigKey<T> key) {
    return key.type().write(get(key));
  }

  /** Value of a key in milliseconds. */
  public long millis(ConfigKey<Duration> key) {
    return get(key).toMillis();
  }

  /** All defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects values. */
  public static final class Builder {
    private final Map<ConfigKey<?>, Object> values = new HashMap<>();

    private Builder() {}

    /** Sets a key. */
    public <T> Builder set(ConfigKey<T> key, T value) {
      values.put(requireNonNull(key, "key is null"), requireNonNull(value, "value is null"));
      return this;
    }

    /** Sets a key from its text; false if the text is no value of it. */
    boolean setText(ConfigKey<?> key, String text) {
      return key.type()
          .parse(text)
          .map(
              value -> {
                values.put(key, value);
                return true;
              })
          .orElse(false);
    }

    /**
     * The configuration, where the values fit together.
     *
     * @throws ConfigException if they do not
     */
    public ServerConfig build() {
      ServerConfig config = new ServerConfig(values);
      List<String> problems = new ArrayList<>();
      if (!config.get(ConfigKeys.DEV)) {
        problems.add(
            "dev: false (expected: true, or the flag --dev): this version runs only in development"
                + " mode, in plaintext on loopback addresses");
      }
      for (ConfigKey<ListenAddress> key :
          List.of(
              ConfigKeys.LISTEN,
              ConfigKeys.AGENT_LISTEN,
              ConfigKeys.ADMIN_LISTEN,
              ConfigKeys.HTTP_LISTEN)) {
        if (!config.get(key).isLoopback()) {
          problems.add(
              key.flag()
                  + " (key "
                  + key.path()
                  + "): "
                  + config.get(key)
                  + " (expected: a loopback address such as 127.0.0.1): development mode asks"
                  + " nobody who they are");
        }
      }
      if (config.get(ConfigKeys.MAX_LAG_EVENTS) > config.get(ConfigKeys.KEPT_EVENTS)) {
        problems.add(
            ConfigKeys.MAX_LAG_EVENTS.path()
                + ": "
                + config.get(ConfigKeys.MAX_LAG_EVENTS)
                + " (expected: at most watch.keptEvents, "
                + config.get(ConfigKeys.KEPT_EVENTS)
                + ")");
      }
      checkOrder(config, ConfigKeys.KEEP_USAGE_SAMPLES, ConfigKeys.KEEP_HOURLY_USAGE, problems);
      checkOrder(config, ConfigKeys.KEEP_HOURLY_USAGE, ConfigKeys.KEEP_DAILY_USAGE, problems);
      if (!problems.isEmpty()) {
        throw new ConfigException(problems);
      }
      return config;
    }

    private static void checkOrder(
        ServerConfig config,
        ConfigKey<Duration> shorter,
        ConfigKey<Duration> longer,
        List<String> problems) {
      if (config.get(shorter).compareTo(config.get(longer)) > 0) {
        problems.add(
            shorter.path()
                + ": "
                + config.text(shorter)
                + " (expected: at most "
                + longer.path()
                + ", "
                + config.text(longer)
                + ")");
      }
    }
  }
}
