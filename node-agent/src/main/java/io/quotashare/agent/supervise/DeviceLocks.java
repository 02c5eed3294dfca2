package io.quotashare.agent.supervise;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * Looks at the locks that supervisors hold. They are flock(2) locks: those of {@code
 * FileChannel.tryLock} are of another kind and do not see them.
 */
final class DeviceLocks {
  private static final int HOLDER_BYTES_MAX = 8192;

  private final Path folder;

  DeviceLocks(Path folder) {
    this.folder = folder;
  }

  DeviceLock state(String deviceUuid) {
    Path file = folder.resolve(deviceUuid + ".lock");
    int fd;
    try {
      fd = Libc.INSTANCE.open(file.toString(), Libc.O_RDONLY | Libc.O_NOFOLLOW | Libc.O_CLOEXEC);
    } catch (LastErrorException e) {
      if (e.getErrorCode() == Libc.ENOENT) {
        return DeviceLock.FREE;
      }
      throw new UncheckedIOException(
          new FileSystemException(file.toString(), null, Libc.INSTANCE.strerror(e.getErrorCode())));
    }
    try {
      // Shared, so that two agents that look at the same time do not see each other.
      Libc.INSTANCE.flock(fd, Libc.LOCK_SH | Libc.LOCK_NB);
      return DeviceLock.FREE;
    } catch (LastErrorException e) {
      if (e.getErrorCode() == Libc.EWOULDBLOCK) {
        return new DeviceLock(false, holder(file));
      }
      throw new UncheckedIOException(
          new FileSystemException(file.toString(), null, Libc.INSTANCE.strerror(e.getErrorCode())));
    } finally {
      Libc.INSTANCE.close(fd);
    }
  }

  private static String holder(Path file) {
    try {
      return SmallFiles.read(file, HOLDER_BYTES_MAX)
          .map(bytes -> new String(bytes, StandardCharsets.UTF_8).strip())
          .map(text -> text.replaceFirst("^(\\d+) ", "process $1, "))
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
