package io.quotashare.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

  /** Copies the files of a folder, without its folders. */
  static void copyFiles(Path from, Path to) {
    try (Stream<Path> files = Files.list(from)) {
      Files.createDirectories(to);
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(
            file, to.resolve(file.getFileName().toString()), StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
