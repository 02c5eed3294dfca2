package io.quotashare.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * The processes of a cluster, found by its folder: daemons name it on their command line,
 * supervisors and jobs in their environment. Whatever a test did, none of them escapes.
 */
public final class Leftovers {
  private static final Path PROC = Path.of("/proc");
  private static final Duration AT_MOST = Duration.ofSeconds(20);

  private Leftovers() {}

  /** A process that belongs to a folder. */
  public record Found(long pid, String commandLine) {}

  /** All processes whose command line or environment names the folder, but this one. */
  public static List<Found> of(Path folder) {
    List<Found> found = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        long pid = Long.parseLong(process.getFileName().toString());
        String commandLine = read(process.resolve("cmdline"));
        boolean ours =
            commandLine.contains(folder.toString())
                || read(process.resolve("environ")).contains(folder.toString());
        if (ours && pid != ProcessHandle.current().pid()) {
          found.add(new Found(pid, commandLine.replace('\0', ' ').strip()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** Kills them until there are none, also those that another one starts meanwhile. */
  static void kill(Path folder) {
    Awaitility.await("all processes of " + folder + " to end")
        .atMost(AT_MOST)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              List<Found> left = of(folder);
              left.forEach(
                  process ->
                      ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly));
              return left.isEmpty();
            });
  }

  /** Empty for a process that has ended: its files in /proc are gone or tell nothing. */
  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException ended) {
      return "";
    }
  }
}
