package io.quotashare.server.store;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder of an embedded database. Only its owner may enter it: it holds the environments of all
 * jobs (reliability Z20).
 */
final class DataDirectory {
  static final String PREFIX = "quotashare.";

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");

  private final Path path;

  private DataDirectory(Path path) {
    this.path = path;
  }

  /** Makes the folder, or closes an existing one to everybody but its owner. */
  static DataDirectory prepare(Path directory) {
    Path path = directory.toAbsolutePath().normalize();
    try {
      if (Files.notExists(path)) {
        Files.createDirectories(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      }
      Path real = path.toRealPath();
      if (!Files.isDirectory(real)) {
        throw new StoreFailedException("data directory " + path + " is not a directory", null);
      }
      closeToOthers(real);
      return new DataDirectory(real);
    } catch (IOException e) {
      throw new StoreFailedException("data directory " + path + " cannot be used: " + e, e);
    }
  }

  private static void closeToOthers(Path path) throws IOException {
    Set<PosixFilePermission> present = Files.getPosixFilePermissions(path);
    if (OWNER_ONLY.equals(present)) {
      return;
    }
    // A folder with other things in it, such as /tmp, must not lose its permissions by a slip.
    List<Path> foreign;
    try (Stream<Path> files = Files.list(path)) {
      foreign = files.filter(f -> !f.getFileName().toString().startsWith(PREFIX)).toList();
    }
    if (!foreign.isEmpty()) {
      throw new StoreFailedException(
          "data directory "
              + path
              + " has permissions "
              + PosixFilePermissions.toString(present)
              + " (expected: rwx------) and holds other files: "
              + foreign.stream()
                  .limit(3)
                  .map(f -> f.getFileName().toString())
                  .sorted()
                  .collect(joining(", "))
              + "; choose a folder of its own, or run chmod 700 on it",
          null);
    }
    Files.setPosixFilePermissions(path, OWNER_ONLY);
  }

  /**
   * A file in it, with permissions for the owner alone; made if there is none. What the database
   * puts beside it takes its permissions.
   */
  Path file(String suffix) {
    Path file = path.resolve(PREFIX + suffix);
    try {
      try {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_FILE));
      } catch (FileAlreadyExistsException e) {
        Files.setPosixFilePermissions(file, OWNER_FILE);
      }
      return file;
    } catch (IOException e) {
      throw new StoreFailedException("file " + file + " cannot be used: " + e, e);
    }
  }
}
