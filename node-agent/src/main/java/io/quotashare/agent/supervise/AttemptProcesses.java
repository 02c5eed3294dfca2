package io.quotashare.agent.supervise;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells the processes of attempts from others, by the cookie that the shim gives to all of them.
 */
final class AttemptProcesses {
  private static final String COOKIE = "QS_RUN_DIR=";
  private static final int ANCESTORS_MAX = 64;

  /**
   * Whether a process, or one that it descends from, was started with a run folder in {@code
   * attemptsDir}. False if the process is gone.
   */
  boolean owns(Path attemptsDir, int pid) {
    int current = pid;
    for (int i = 0; i < ANCESTORS_MAX && current > 1; i++) {
      if (hasCookie(attemptsDir, current)) {
        return true;
      }
      current = ProcessIdentity.parentOf(current).orElse(0);
    }
    return false;
  }

  private static boolean hasCookie(Path attemptsDir, int pid) {
    String wanted = COOKIE + attemptsDir + "/";
    String environment;
    try {
      environment =
          Files.readString(Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException goneOrForeign) {
      return false;
    }
    String bytes = new String(wanted.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    return environment.startsWith(bytes) || environment.contains("\0" + bytes);
  }
}
