package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the agents run. The scheduler carries it and does not look inside.
 *
 * @param command program and arguments; empty only in replays
 * @param env environment of the processes
 * @param workingDirectory absolute, or empty for a folder of the attempt's own
 */
public record Launch(List<String> command, SortedMap<String, String> env, String workingDirectory) {
  /** Nothing to run, for replays. */
  public static final Launch NOTHING = new Launch(List.of(), new TreeMap<>(), "");

  public Launch {
    command = List.copyOf(command);
    env = new TreeMap<>(env);
    requireNonNull(workingDirectory, "workingDirectory is null");
  }
}
