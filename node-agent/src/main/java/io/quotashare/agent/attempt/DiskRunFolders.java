package io.quotashare.agent.attempt;

import io.quotashare.agent.supervise.SmallFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Run folders on the disk of the host, one per attempt, for the owner alone. */
public final class DiskRunFolders implements RunFolders {
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final int SPEC_BYTES_MAX = 4 << 20;
  private static final Logger log = LoggerFactory.getLogger(DiskRunFolders.class);

  private final Path root;
  private final Path checkpointRoot;

  /**
   * Run folders in {@code root} and checkpoints in {@code checkpointRoot}; both are made if they
   * are not there.
   */
  public DiskRunFolders(Path root, Path checkpointRoot) {
    this.root = root.toAbsolutePath().normalize();
    this.checkpointRoot = checkpointRoot.toAbsolutePath().normalize();
    try {
      Files.createDirectories(this.root, OWNER_ONLY);
      Files.createDirectories(this.checkpointRoot);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make the folder " + e.getMessage(), e);
    }
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public Path of(AttemptName attempt) {
    return root.resolve(attempt.folder());
  }

  @Override
  public Path checkpointDir(AttemptName attempt) {
    return checkpointRoot.resolve(attempt.queue()).resolve(attempt.job());
  }

  @Override
  public Path workDir(AttemptName attempt) {
    return of(attempt).resolve("work");
  }

  @Override
  public boolean exists(AttemptName attempt) {
    return Files.isDirectory(of(attempt), LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public void create(AttemptSpec spec) {
    Path runDir = of(spec.name());
    try {
      Files.createDirectory(runDir, OWNER_ONLY);
      Files.createDirectory(workDir(spec.name()), OWNER_ONLY);
      Files.createDirectories(checkpointDir(spec.name()));
      SmallFiles.replace(
          runDir.resolve("spec.json"),
          (JournalCodec.spec(spec).toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8),
          true);
      SmallFiles.syncFolder(root);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make the run folder: " + describe(e), e);
    }
  }

  @Override
  public Optional<AttemptSpec> readSpec(AttemptName attempt) {
    try {
      return SmallFiles.read(of(attempt).resolve("spec.json"), SPEC_BYTES_MAX)
          .map(bytes -> JournalCodec.readSpec(new String(bytes, StandardCharsets.UTF_8)));
    } catch (IOException | IllegalArgumentException e) {
      log.warn("{}: spec.json cannot be read: {}", of(attempt), e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  public void writeControl(AttemptName attempt, ControlRequest request) {
    try {
      SmallFiles.replace(
          of(attempt).resolve("ctl"), request.json().getBytes(StandardCharsets.UTF_8), false);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the request to the job: " + describe(e), e);
    }
  }

  @Override
  public Optional<byte[]> readProgress(AttemptName attempt) throws ProgressRefusedException {
    try {
      return SmallFiles.read(of(attempt).resolve("progress"), ProgressParser.BYTES_MAX);
    } catch (IOException e) {
      throw new ProgressRefusedException("it cannot be read: " + describe(e));
    }
  }

  @Override
  public Optional<Instant> checkpointModifiedAt(AttemptName attempt, Path checkpoint) {
    try {
      Path real = checkpoint.toRealPath();
      if (!real.startsWith(checkpointDir(attempt).toRealPath())) {
        return Optional.empty();
      }
      return Optional.of(Files.getLastModifiedTime(real).toInstant());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public List<AttemptName> list() {
    record Found(AttemptName name, long modifiedMillis) {}

    List<Found> found = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root)) {
      for (Path folder : folders) {
        Optional<AttemptName> name = name(folder.getFileName().toString());
        if (name.isPresent()) {
          long modified = Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS).toMillis();
          found.add(new Found(name.get(), modified));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the run folders: " + describe(e), e);
    }
    found.sort(Comparator.comparingLong(Found::modifiedMillis));
    return found.stream().map(Found::name).toList();
  }

  private static Optional<AttemptName> name(String folder) {
    String[] parts = folder.split("\\.");
    try {
      return parts.length == 3
          ? Optional.of(
              AttemptName.parse(
                  "queues/" + parts[0] + "/jobs/" + parts[1] + "/attempts/" + parts[2]))
          : Optional.empty();
    } catch (IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }

  @Override
  public long outputBytes(AttemptName attempt) {
    long bytes = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(of(attempt), "out.log*")) {
      for (Path file : files) {
        bytes +=
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).size();
      }
    } catch (NoSuchFileException rotatedAway) {
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look at the output: " + describe(e), e);
    }
    return bytes;
  }

  @Override
  public void remove(AttemptName attempt) {
    Path runDir = of(attempt);
    if (Files.notExists(runDir, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      Files.walkFileTree(
          runDir,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure)
                throws IOException {
              if (failure != null) {
                throw failure;
              }
              Files.delete(folder);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove the run folder: " + describe(e), e);
    }
  }

  private static String describe(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
