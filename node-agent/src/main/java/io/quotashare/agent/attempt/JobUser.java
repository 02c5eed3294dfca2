package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * The user that jobs run as.
 *
 * @param name user name
 * @param home home folder
 * @param path search path for programs
 * @param lang locale
 */
public record JobUser(String name, String home, String path, String lang) {
  /** Checks that all is there. */
  public JobUser {
    requireNonNull(name, "name is null");
    requireNonNull(home, "home is null");
    requireNonNull(path, "path is null");
    requireNonNull(lang, "lang is null");
  }

  /** What every job of this user gets (reliability-and-security Z14). */
  Map<String, String> environment() {
    return Map.of("USER", name, "HOME", home, "PATH", path, "LANG", lang);
  }
}
