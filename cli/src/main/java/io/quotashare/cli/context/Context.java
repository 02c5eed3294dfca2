package io.quotashare.cli.context;

import static java.util.Objects.requireNonNull;

import io.quotashare.cli.output.Format;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Addresses and defaults under one name. What it does not say is left to the program's own
 * defaults.
 *
 * @param name 1 to 63 of a-z, 0-9 and - inside
 * @param schedulers HOST:PORT each; empty: not said
 * @param admin HOST:PORT of the admin listener
 * @param queue default queue
 * @param share default share of {@code submit}
 * @param output default format of what is shown
 */
public record Context(
    String name,
    List<String> schedulers,
    @Nullable String admin,
    @Nullable String queue,
    @Nullable String share,
    @Nullable Format output) {
  /** Checks the name and copies the list. */
  public Context {
    requireNonNull(name, "name");
    schedulers = List.copyOf(schedulers);
  }

  /** One that says nothing. */
  public static Context empty(String name) {
    return new Context(name, List.of(), null, null, null, null);
  }

  /** Its admin address, if it says one. */
  Optional<String> adminAddress() {
    return Optional.ofNullable(admin);
  }
}
