package io.quotashare.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Processes and files of a demo, found by its folder: the processes of jobs outlive their agent,
 * and every process of a demo has the folder in its command line or its environment.
 */
final class LeftOvers {
  private LeftOvers() {}

  /** Processes of the folder; this one is not among them. */
  static List<ProcessHandle> processes(Path folder) {
    String name = folder.toString();
    long self = ProcessHandle.current().pid();
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != self && process.isAlive())
        .filter(
            process -> mentions(process.pid(), "cmdline", name) || hasInEnvironment(process, name))
        .toList();
  }

  /** Deletes the folder with all that is in it. */
  static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  private static boolean hasInEnvironment(ProcessHandle process, String name) {
    return mentions(process.pid(), "environ", name);
  }

  private static boolean mentions(long pid, String file, String name) {
    try {
      byte[] content = Files.readAllBytes(Path.of("/proc/" + pid + "/" + file));
      return new String(content, StandardCharsets.UTF_8).contains(name);
    } catch (IOException e) {
      // It has ended, or belongs to somebody else: then it is none of ours.
      return false;
    }
  }
}
