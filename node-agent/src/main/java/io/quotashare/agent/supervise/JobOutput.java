package io.quotashare.agent.supervise;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the output of a job as one stream, while the supervisor writes and rotates it. Offsets
 * count from the first byte that the job ever wrote; the oldest bytes may be gone.
 */
public final class JobOutput {
  private static final String CURRENT = "out.log";
  private static final int TRIES = 20;

  /** As the supervisor names it, and far from the largest number. */
  private static final Pattern START = Pattern.compile("00[0-9]{18}");

  private final Path runDir;

  /** The output in a run folder. */
  public JobOutput(Path runDir) {
    this.runDir = requireNonNull(runDir, "runDir is null");
  }

  /**
   * A piece of output.
   *
   * @param offset offset of its first byte; larger than asked for if older output is gone
   * @param data empty if there is nothing yet
   */
  public record Piece(long offset, ByteString data) {}

  /** Whether there is any output, be it empty. */
  public boolean exists() {
    return Files.isRegularFile(runDir.resolve(CURRENT), NOFOLLOW_LINKS);
  }

  /**
   * Reads from an offset on.
   *
   * @param bytesMax largest piece
   * @throws IOException if it cannot be read
   */
  public Piece read(long offset, int bytesMax) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      Map<Long, Path> rotated = rotated();
      try {
        Piece piece = read(rotated, offset, bytesMax);
        // A rotation in between would have given the name to another part of the output.
        if (rotated.equals(rotated())) {
          return piece;
        }
      } catch (NoSuchFileException rotatedAway) {
        if (rotated.equals(rotated())) {
          return new Piece(offset, ByteString.EMPTY);
        }
      }
    }
    throw new IOException(
        "the output of " + runDir.getFileName() + " is rotated faster than it can be read");
  }

  private Piece read(Map<Long, Path> rotated, long offset, int bytesMax) throws IOException {
    long end = 0;
    for (Map.Entry<Long, Path> file : rotated.entrySet()) {
      end = file.getKey() + Files.size(file.getValue());
      if (offset < end) {
        return read(file.getValue(), file.getKey(), Math.max(offset, file.getKey()), bytesMax);
      }
    }
    return read(runDir.resolve(CURRENT), end, Math.max(offset, end), bytesMax);
  }

  private static Piece read(Path file, long start, long offset, int bytesMax) throws IOException {
    // Opening a pipe would wait for a writer for ever.
    if (Files.exists(file, NOFOLLOW_LINKS) && !Files.isRegularFile(file, NOFOLLOW_LINKS)) {
      throw new FileSystemException(file.toString(), null, "not a regular file");
    }
    try (SeekableByteChannel channel =
        Files.newByteChannel(file, Set.of(StandardOpenOption.READ, NOFOLLOW_LINKS))) {
      long left = channel.size() - (offset - start);
      ByteBuffer data = ByteBuffer.allocate((int) Math.max(0, Math.min(bytesMax, left)));
      channel.position(offset - start);
      int got;
      do {
        got = channel.read(data);
      } while (got >= 0 && data.hasRemaining());
      return new Piece(offset, ByteString.copyFrom(data.flip()));
    }
  }

  /** Older files by the offset of their first byte, which is in their names. */
  private Map<Long, Path> rotated() throws IOException {
    Map<Long, Path> files = new TreeMap<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(runDir, CURRENT + ".[0-9]*")) {
      for (Path file : found) {
        String start = file.getFileName().toString().substring(CURRENT.length() + 1);
        // The job may put anything here; sums of what it counts as must not overflow.
        if (START.matcher(start).matches() && Files.isRegularFile(file, NOFOLLOW_LINKS)) {
          files.put(Long.parseLong(start), file);
        }
      }
    }
    return files;
  }
}
