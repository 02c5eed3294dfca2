package io.quotashare.agent.config;

import java.util.List;

/** What is wrong with the configuration: every problem at once, each with its place. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1;

  private final List<String> problems;

  ConfigException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** The problems, at least one. */
  public List<String> problems() {
    return problems;
  }
}
