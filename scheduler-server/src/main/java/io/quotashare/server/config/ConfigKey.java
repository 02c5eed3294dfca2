package io.quotashare.server.config;

import static java.util.Objects.requireNonNull;

/**
 * One key of the configuration.
 *
 * @param path where it stands in the file, such as {@code agents.suspectAfter}
 * @param flag flag of the command line that wins over the file; empty for none
 * @param type how it is written
 * @param defaultValue value where it is not set
 * @param about one sentence for the documentation
 */
public record ConfigKey<T>(
    String path, String flag, ValueType<T> type, T defaultValue, String about) {
  public ConfigKey {
    requireNonNull(path, "path is null");
    requireNonNull(flag, "flag is null");
    requireNonNull(type, "type is null");
    requireNonNull(defaultValue, "defaultValue is null");
    requireNonNull(about, "about is null");
  }

  static <T> ConfigKey<T> of(String path, ValueType<T> type, T defaultValue, String about) {
    return new ConfigKey<>(path, "", type, defaultValue, about);
  }

  static <T> ConfigKey<T> flag(
      String path, String flag, ValueType<T> type, T defaultValue, String about) {
    return new ConfigKey<>(path, flag, type, defaultValue, about);
  }

  /** The default as it is written in the file. */
  public String defaultText() {
    return type.write(defaultValue);
  }
}
