package io.quotashare.agent.session;

import io.quotashare.agent.supervise.SmallFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** The epoch in a file of its own. */
public final class FileEpochFence implements EpochFence {
  private final Path file;
  private long highest;

  /**
   * Reads the file; if there is none, no scheduler was ever obeyed.
   *
   * @throws IllegalStateException if it is damaged
   */
  public FileEpochFence(Path file) {
    this.file = file;
    try {
      Optional<byte[]> bytes = SmallFiles.read(file, 64);
      highest =
          bytes.isEmpty()
              ? 0
              : Long.parseLong(new String(bytes.get(), StandardCharsets.US_ASCII).strip());
    } catch (IOException | NumberFormatException e) {
      throw new IllegalStateException(
          "the file " + file + " does not hold the epoch of a scheduler: " + e.getMessage(), e);
    }
  }

  @Override
  public long highest() {
    return highest;
  }

  @Override
  public void raise(long epoch) {
    if (epoch < highest) {
      throw new IllegalArgumentException("epoch: " + epoch + " (expected: >= " + highest + ")");
    }
    if (epoch > highest) {
      try {
        SmallFiles.replace(file, (epoch + "\n").getBytes(StandardCharsets.US_ASCII), true);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
      }
      highest = epoch;
    }
  }

  @Override
  public String place() {
    return file.toString();
  }
}
