package io.quotashare.integration.cluster;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One process that a test starts, kills and starts again. All its output goes into one file. */
public final class Daemon {
  private static final long END_SECONDS = 20;

  private final String name;
  private final List<String> command;
  private final Map<String, String> environment;
  private final Path output;
  private @Nullable Process process;

  Daemon(String name, List<String> command, Map<String, String> environment, Path output) {
    this.name = requireNonNull(name, "name is null");
    this.command = List.copyOf(command);
    this.environment = Map.copyOf(environment);
    this.output = requireNonNull(output, "output is null");
  }

  /** Starts it. Its output is added to that of the process before. */
  void start() {
    start("");
  }

  /**
   * Starts it.
   *
   * @param failpoint where it halts, such as {@code COMMITTED:3}; empty: nowhere
   */
  synchronized void start(String failpoint) {
    if (isRunning()) {
      throw new IllegalStateException(name + " runs already");
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    if (!failpoint.isEmpty()) {
      builder
          .environment()
          .merge(
              "QUOTASHARE_JAVA_OPTS", "-Dquotashare.failpoint=" + failpoint, (a, b) -> a + " " + b);
    }
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    builder.redirectInput(Path.of("/dev/null").toFile());
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be started", e);
    }
  }

  /** Its exit status, once it has ended. */
  CompletableFuture<Integer> exit() {
    return started().onExit().thenApply(Process::exitValue);
  }

  /** True from its start until it has ended. */
  public boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Its process id. */
  public long pid() {
    return started().pid();
  }

  /** SIGKILL, and waits until the process is gone. */
  public void kill() {
    started().destroyForcibly();
    awaitEnd();
  }

  /** SIGTERM, and waits until the process is gone. */
  public void terminate() {
    started().destroy();
    awaitEnd();
  }

  /** SIGSTOP: the process stands still until {@link #resume}. */
  public void freeze() {
    Signals.send("STOP", pid());
  }

  /** SIGCONT. */
  public void resume() {
    Signals.send("CONT", pid());
  }

  /** Everything that it wrote, in all its lives. */
  public String output() {
    try {
      return Files.exists(output) ? Files.readString(output) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Throws with its output if it has ended. */
  void checkAlive() {
    if (!isRunning()) {
      throw new AssertionError(
          name + " ended with status " + started().exitValue() + ":\n" + output());
    }
  }

  /** Its name for people. */
  public String name() {
    return name;
  }

  private Process started() {
    return requireNonNull(process, name + " was not started");
  }

  private void awaitEnd() {
    try {
      if (!started().waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(name + " does not end:\n" + output());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
