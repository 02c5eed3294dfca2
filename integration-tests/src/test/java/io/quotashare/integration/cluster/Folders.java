package io.quotashare.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders as a whole. */
final class Folders {
  private Folders() {}

  /** Deletes a folder with everything in it. Links in it are deleted, not followed. */
  static void delete(Path folder) {
    try (Stream<Path> content = Files.walk(folder)) {
      List<Path> deepestFirst = content.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies a folder with everything in it. */
  static void copy(Path from, Path to) {
    try (Stream<Path> content = Files.walk(from)) {
      Files.createDirectories(to.getParent());
      for (Path path : content.toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
