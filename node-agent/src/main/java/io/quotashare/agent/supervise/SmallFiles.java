package io.quotashare.agent.supervise;

import com.sun.jna.LastErrorException;
import com.sun.jna.NativeLong;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Small files that are read and written as a whole. Those that a job may write are read without
 * trust: a link is not followed, a pipe does not block, and what is too large is not read.
 */
public final class SmallFiles {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private SmallFiles() {}

  /**
   * Reads at most {@code limit} bytes.
   *
   * @return the content; empty if there is no such file
   * @throws IOException if it is larger, is a symbolic link, or cannot be read
   */
  public static Optional<byte[]> read(Path file, int limit) throws IOException {
    int fd;
    try {
      fd =
          Libc.INSTANCE.open(
              file.toString(), Libc.O_RDONLY | Libc.O_NOFOLLOW | Libc.O_NONBLOCK | Libc.O_CLOEXEC);
    } catch (LastErrorException e) {
      if (e.getErrorCode() == Libc.ENOENT) {
        return Optional.empty();
      }
      throw failure(file, e);
    }
    try {
      return Optional.of(readAll(file, fd, limit));
    } catch (LastErrorException e) {
      throw failure(file, e);
    } finally {
      Libc.INSTANCE.close(fd);
    }
  }

  private static byte[] readAll(Path file, int fd, int limit) throws IOException {
    byte[] content = new byte[Math.min(limit + 1, 4096)];
    int size = 0;
    while (true) {
      byte[] piece = new byte[content.length - size];
      int got = Libc.INSTANCE.read(fd, piece, new NativeLong(piece.length)).intValue();
      if (got == 0) {
        return Arrays.copyOf(content, size);
      }
      System.arraycopy(piece, 0, content, size, got);
      size += got;
      if (size > limit) {
        throw new FileSystemException(file.toString(), null, "larger than " + limit + " bytes");
      }
      if (size == content.length) {
        content = Arrays.copyOf(content, Math.min(limit + 1, size * 4));
      }
    }
  }

  /**
   * Replaces a file as a whole: a reader sees the old content or the new one.
   *
   * @param durable whether it must survive a power cut; then this returns when it does
   * @throws IOException if it cannot be written; then the old content is untouched
   */
  public static void replace(Path file, byte[] content, boolean durable) throws IOException {
    Path aside = file.resolveSibling("." + file.getFileName() + ".new");
    Files.deleteIfExists(aside);
    try (FileChannel channel =
        FileChannel.open(
            aside,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      if (durable) {
        channel.force(true);
      }
    }
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    if (durable) {
      syncFolder(file.getParent());
    }
  }

  /** Makes what was created, renamed or removed in a folder survive a power cut. */
  public static void syncFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static FileSystemException failure(Path file, LastErrorException e) {
    return new FileSystemException(file.toString(), null, Libc.INSTANCE.strerror(e.getErrorCode()));
  }
}
