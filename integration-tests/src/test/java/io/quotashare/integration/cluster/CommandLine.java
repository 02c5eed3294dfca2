package io.quotashare.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs commands as a person does, through the launcher. */
final class CommandLine {
  private static final long AT_MOST_SECONDS = 120;

  private CommandLine() {}

  /** Runs one command to its end. */
  static CommandResult run(Path folder, String scheduler, String... arguments) {
    try {
      Path out = Files.createTempFile(folder, "out", ".txt");
      Path err = Files.createTempFile(folder, "err", ".txt");
      ProcessBuilder builder = new ProcessBuilder(Installation.launcher(arguments));
      builder.environment().putAll(Installation.environment());
      builder.environment().putAll(Map.of("QUOTASHARE_SCHEDULER", scheduler));
      // For whoever clears the folder's processes away.
      builder.environment().put("QUOTASHARE_TEST_FOLDER", folder.toString());
      Process process =
          builder
              .directory(folder.toFile())
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      if (!process.waitFor(AT_MOST_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError(
            String.join(" ", arguments)
                + " does not end\n"
                + new CommandResult(-1, Files.readString(out), Files.readString(err)));
      }
      return new CommandResult(process.exitValue(), Files.readString(out), Files.readString(err));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
