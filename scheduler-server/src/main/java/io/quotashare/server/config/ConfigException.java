package io.quotashare.server.config;

import java.util.List;

/** The configuration or the command line is wrong; says everything that is. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  public ConfigException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  public ConfigException(String problem) {
    this(List.of(problem));
  }

  /** One line each: where, which key, the value, and what was expected. */
  public List<String> problems() {
    return problems;
  }
}
