package io.quotashare.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One process of the demo with its log. */
final class Daemon {
  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final int LAST_LINES = 15;

  private final String name;
  private final Path log;
  private final Process process;

  private Daemon(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts it in a session of its own: Ctrl-C in the terminal must reach the demo alone, which then
   * ends the others in the right order.
   */
  static Daemon start(
      String name, Path folder, Map<String, String> environment, List<String> command) {
    List<String> line = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      line.add(SETSID.toString());
    }
    line.addAll(command);
    Path log = folder.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().keySet().removeIf(key -> key.startsWith("QUOTASHARE_"));
    builder.environment().putAll(environment);
    try {
      return new Daemon(name, log, builder.start());
    } catch (IOException e) {
      throw new DemoException(name + " cannot be started: " + e.getMessage(), e);
    }
  }

  long pid() {
    return process.pid();
  }

  /** Throws with the end of its log if it has ended. */
  void requireAlive() {
    if (!process.isAlive()) {
      throw new DemoException(
          name
              + " has ended with exit code "
              + process.exitValue()
              + ". The end of its log:\n"
              + tail());
    }
  }

  /** The last lines of its log. */
  String tail() {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
      int from = Math.max(0, lines.size() - LAST_LINES);
      return "  " + String.join("\n  ", lines.subList(from, lines.size()));
    } catch (IOException e) {
      return "  (no log: " + e.getMessage() + ")";
    }
  }

  /** Asks it to end. */
  void terminate() {
    process.destroy();
  }

  /** Waits for its end; kills it if that takes longer. */
  void end(long millis) throws InterruptedException {
    if (!process.waitFor(millis, TimeUnit.MILLISECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
