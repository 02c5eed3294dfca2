package io.quotashare.agent.supervise;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a supervisor needs to start an attempt.
 *
 * @param runDir its run folder: absolute, exists, empty of records
 * @param command program and arguments; never a shell line
 * @param environment the whole environment of the job, nothing is added
 * @param workingDirectory absolute
 * @param deviceUuids devices whose locks are taken first; may be empty
 * @param termGraceMillis from SIGTERM to SIGKILL where the supervisor stops the job by itself, 0 or
 *     more
 * @param leaseBootMillis first end of the lease; empty: never
 */
public record LaunchSpec(
    Path runDir,
    List<String> command,
    Map<String, String> environment,
    Path workingDirectory,
    List<String> deviceUuids,
    long termGraceMillis,
    OptionalLong leaseBootMillis) {

  /** Copies the collections and checks the ranges above. */
  public LaunchSpec {
    command = List.copyOf(requireNonNull(command, "command is null"));
    environment = Map.copyOf(requireNonNull(environment, "environment is null"));
    deviceUuids = List.copyOf(requireNonNull(deviceUuids, "deviceUuids is null"));
    requireNonNull(leaseBootMillis, "leaseBootMillis is null");
    if (!requireNonNull(runDir, "runDir is null").isAbsolute()) {
      throw new IllegalArgumentException("runDir: " + runDir + " (expected: an absolute path)");
    }
    if (!requireNonNull(workingDirectory, "workingDirectory is null").isAbsolute()) {
      throw new IllegalArgumentException(
          "workingDirectory: " + workingDirectory + " (expected: an absolute path)");
    }
    if (command.isEmpty()) {
      throw new IllegalArgumentException("command is empty (expected: a program)");
    }
    if (termGraceMillis < 0) {
      throw new IllegalArgumentException(
          "termGraceMillis: " + termGraceMillis + " (expected: >= 0)");
    }
  }
}
