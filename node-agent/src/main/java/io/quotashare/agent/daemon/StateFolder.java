package io.quotashare.agent.daemon;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** The folder in which an agent keeps what must outlive it. One agent uses it at a time. */
public final class StateFolder implements AutoCloseable {
  private final Path folder;
  private final FileChannel channel;

  private StateFolder(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /**
   * Makes the folder, for the owner alone, and takes it.
   *
   * @throws StartException if another agent uses it or it cannot be made
   */
  public static StateFolder take(Path path) throws StartException {
    Path folder = path.toAbsolutePath().normalize();
    try {
      if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectories(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      FileChannel channel =
          FileChannel.open(
              folder.resolve("agent.lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      if (lock(channel) == null) {
        String holder = holder(channel);
        channel.close();
        throw new StartException(
            "state folder "
                + folder
                + " is in use by another agent"
                + holder
                + "; give this one a folder of its own with --state");
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
      return new StateFolder(folder, channel);
    } catch (IOException e) {
      throw new StartException(
          "state folder "
              + folder
              + " cannot be used: "
              + e.getClass().getSimpleName()
              + ": "
              + e.getMessage());
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException inThisProcess) {
      return null;
    }
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(32);
    channel.read(text, 0);
    String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip();
    return pid.isEmpty() ? "" : " (process " + pid + ")";
  }

  /** Its absolute path. */
  public Path path() {
    return folder;
  }

  /** Gives it back. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
