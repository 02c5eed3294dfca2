package io.quotashare.agent.supervise;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How the shim is run.
 *
 * @param program the shim
 * @param lockDir host-wide folder of the device locks; exists
 * @param logBytes size at which the output goes on in a new file, above 0
 * @param logFiles files of output that are kept per attempt, 2 to 64
 * @param cgroupRoot a delegated cgroup v2 folder, under which each attempt gets one of its own;
 *     empty: no cgroups
 */
public record ShimSettings(
    Path program, Path lockDir, long logBytes, int logFiles, Optional<Path> cgroupRoot) {
  /** Checks the ranges above. */
  public ShimSettings {
    requireNonNull(program, "program is null");
    requireNonNull(lockDir, "lockDir is null");
    requireNonNull(cgroupRoot, "cgroupRoot is null");
    if (logBytes <= 0) {
      throw new IllegalArgumentException("logBytes: " + logBytes + " (expected: > 0)");
    }
    if (logFiles < 2 || logFiles > 64) {
      throw new IllegalArgumentException("logFiles: " + logFiles + " (expected: 2 to 64)");
    }
  }
}
