package io.quotashare.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The demo as a process group of its own, as a terminal starts it. */
public final class Demo {
  private final Path folder;
  private final Path logs;
  private final Process process;

  private Demo(Path parent, List<String> options) {
    this.folder = parent.resolve("demo");
    this.logs = parent.resolve("logs");
    // A build may run where SIGINT is ignored, which a process inherits.
    List<String> command = new ArrayList<>(List.of("setsid", "env", "--default-signal=INT"));
    command.addAll(Installation.launcher("demo"));
    command.addAll(options);
    try {
      Files.createDirectories(folder);
      Files.createDirectories(logs);
      process =
          builder(command)
              .redirectOutput(logs.resolve("demo.out").toFile())
              .redirectError(logs.resolve("demo.err").toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it. All that it makes lies in a folder below this one. */
  public static Demo start(Path parent, String... options) {
    return new Demo(parent, List.of(options));
  }

  private ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    Map<String, String> environment = builder.environment();
    environment.putAll(Installation.environment());
    environment.merge(
        "QUOTASHARE_JAVA_OPTS", "-Djava.io.tmpdir=" + folder, (old, more) -> old + " " + more);
    return builder
        .directory(Installation.root().toFile())
        .redirectInput(Path.of("/dev/null").toFile());
  }

  /** Where the folders of the demo are made; its processes name it. */
  public Path folder() {
    return folder;
  }

  /** What it printed so far. */
  public String output() {
    return read("demo.out");
  }

  /** Ctrl-C. */
  public void interrupt() {
    Signals.send("INT", -process.pid());
  }

  /** Waits for its end. */
  public CommandResult await(Duration atMost) {
    try {
      if (!process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the demo does not end:\n" + read("demo.out") + read("demo.err"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    return new CommandResult(process.exitValue(), read("demo.out"), read("demo.err"));
  }

  /** Types a command that it printed. */
  public CommandResult type(String command) {
    try (Terminal terminal = new Terminal(logs, Map.of())) {
      return terminal.run(command);
    }
  }

  private String read(String file) {
    try {
      return Files.readString(logs.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
