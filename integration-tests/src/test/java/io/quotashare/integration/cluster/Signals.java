package io.quotashare.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals that Java cannot send. */
public final class Signals {
  private Signals() {}

  /**
   * Sends a signal with the {@code kill} of the shell.
   *
   * @param signal its name, such as STOP
   * @param pid a process, or a process group as a negative number
   */
  public static void send(String signal, long pid) {
    try {
      Process kill =
          new ProcessBuilder("bash", "-c", "kill -s \"$1\" -- \"$2\"", "kill", signal, "" + pid)
              .inheritIO()
              .start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("no signal " + signal + " for " + pid);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
