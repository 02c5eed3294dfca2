package io.quotashare.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A shell at the root of the source tree, as a person has it: variables and background jobs live
 * from one command to the next.
 */
public final class Terminal implements AutoCloseable {
  private static final Duration AT_MOST = Duration.ofSeconds(90);

  private final Path folder;
  private final Process shell;
  private final Writer input;
  private int commands;

  /**
   * Opens one.
   *
   * @param parent where it makes a folder for its output; all its processes name it in their
   *     environment
   * @param environment on top of what the launcher needs
   */
  public Terminal(Path parent, Map<String, String> environment) {
    try {
      this.folder = Files.createTempDirectory(parent, "terminal-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ProcessBuilder builder = new ProcessBuilder("bash", "--norc");
    builder.environment().putAll(Installation.environment());
    builder.environment().putAll(environment);
    builder.environment().put("QUOTASHARE_TEST_FOLDER", folder.toString());
    builder.directory(Installation.root().toFile());
    builder.redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("shell.log").toFile());
    try {
      shell = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    input = shell.outputWriter(StandardCharsets.UTF_8);
  }

  /** Runs a command to its end. What it leaves in the background goes on. */
  public CommandResult run(String command) {
    int number = ++commands;
    type("{ " + command + "\n}" + redirected(number));
    type("echo $? > " + file(number, "status.new"));
    type("mv " + file(number, "status.new") + " " + file(number, "status"));
    await(command, number, "status", "");
    return new CommandResult(
        Integer.parseInt(read(number, "status").strip()), read(number, "out"), read(number, "err"));
  }

  /** Runs a command until this text is in its output, then ends it. */
  public String runUntil(String command, String text) {
    int number = ++commands;
    type("{ exec " + command + "\n}" + redirected(number) + " &");
    type("echo $! > " + file(number, "pid"));
    await(command, number, "out", text);
    Signals.send("TERM", Long.parseLong(read(number, "pid").strip()));
    return read(number, "out");
  }

  private String redirected(int number) {
    return " > " + file(number, "out") + " 2> " + file(number, "err") + " < /dev/null";
  }

  private void type(String line) {
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the shell has ended", e);
    }
  }

  private void await(String command, int number, String file, String text) {
    try {
      Awaitility.await(command)
          .atMost(AT_MOST)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> Files.exists(file(number, file)) && read(number, file).contains(text));
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          command + " goes on: " + read(number, "out") + read(number, "err"), e);
    }
  }

  /** Ends the shell. What it left in the background goes on. */
  @Override
  public void close() {
    shell.destroyForcibly();
  }

  private Path file(int number, String what) {
    return folder.resolve("command-" + number + "." + what);
  }

  private String read(int number, String what) {
    try {
      Path file = file(number, what);
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
