package io.quotashare.integration.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the project, as a clone has them. */
final class SourceTree {
  /** Modules whose sources run at users. */
  static final List<String> PROGRAMS =
      List.of("scheduler-core", "scheduler-server", "node-agent", "client-sdk", "cli");

  /** Modules with tests. */
  static final List<String> MODULES =
      List.of(
          "scheduler-core",
          "scheduler-server",
          "node-agent",
          "client-sdk",
          "cli",
          "integration-tests");

  private static final Path ROOT = Path.of("..");

  private SourceTree() {}

  static String read(String file) {
    return read(ROOT.resolve(file));
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Files below a folder whose names end so, in the order of their paths. */
  static List<Path> files(String folder, String ending) {
    try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
      return files
          .filter(file -> file.toString().endsWith(ending) && Files.isRegularFile(file))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The Java sources of the programs, with texts that are split over lines put together. */
  static List<String> javaSources() {
    return PROGRAMS.stream()
        .flatMap(module -> files(module + "/src/main/java", ".java").stream())
        .map(file -> read(file).replaceAll("\"\\s*\\+\\s*\"", ""))
        .toList();
  }
}
