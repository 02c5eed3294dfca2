package io.quotashare.agent.inventory;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What this host shows of its GPUs without the device library: tells "no GPU here" from "a GPU, and
 * something is wrong".
 *
 * @param root the file system to look at
 */
record HostEvidence(Path root) {
  private static final Pattern VERSION = Pattern.compile("[0-9]+\\.[0-9]+(\\.[0-9]+)?");
  private static final String NVIDIA = "0x10de";
  private static final String DISPLAY_CLASS = "0x03";

  HostEvidence {
    requireNonNull(root, "root is null");
  }

  /** Number of NVIDIA GPUs on the PCI bus. */
  long pciGpus() {
    Path devices = root.resolve("sys/bus/pci/devices");
    if (!Files.isDirectory(devices)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(devices)) {
      return all.filter(
              device ->
                  line(device.resolve("vendor")).equals(NVIDIA)
                      && line(device.resolve("class")).startsWith(DISPLAY_CLASS))
          .count();
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  /** Version of the kernel driver that is loaded; empty if none is. */
  Optional<String> kernelDriver() {
    Matcher version = VERSION.matcher(line(root.resolve("proc/driver/nvidia/version")));
    return version.find() ? Optional.of(version.group()) : Optional.empty();
  }

  /** All of it in words. */
  String text() {
    return "this host has "
        + pciGpus()
        + " NVIDIA GPU(s) on its PCI bus, "
        + kernelDriver()
            .map(version -> "kernel driver " + version)
            .orElse("no kernel driver loaded")
        + ", and "
        + (Files.exists(root.resolve("dev/nvidiactl")) ? "/dev/nvidiactl" : "no /dev/nvidiactl");
  }

  private static String line(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.findFirst().orElse("").strip();
    } catch (IOException | UncheckedIOException e) {
      return "";
    }
  }
}
