package io.quotashare.agent.supervise;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which boot of the host this is. */
public final class HostBoot {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private HostBoot() {}

  /**
   * Another value after every boot.
   *
   * @throws UncheckedIOException on a host that has none
   */
  public static String id() {
    try {
      return Files.readString(BOOT_ID).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "this host has no boot id (Linux is needed): " + e.getMessage(), e);
    }
  }
}
