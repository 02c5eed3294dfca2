package io.quotashare.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Names the machine and the virtual machine that figures were measured on. */
final class Machine {
  private Machine() {}

  /** Two lines for people. */
  static String describe() {
    Runtime runtime = Runtime.getRuntime();
    return String.format(
        Locale.ROOT,
        "machine: %s, %d processors for this JVM, Linux load %s%njava: %s %s, heap limit %.0f MiB",
        processor(),
        runtime.availableProcessors(),
        firstLine("/proc/loadavg"),
        System.getProperty("java.vm.name"),
        System.getProperty("java.vm.version"),
        runtime.maxMemory() / 1048576.0);
  }

  private static String processor() {
    for (String line : lines("/proc/cpuinfo")) {
      if (line.startsWith("model name")) {
        return line.substring(line.indexOf(':') + 1).strip();
      }
    }
    return System.getProperty("os.arch") + " (model unknown)";
  }

  private static String firstLine(String file) {
    List<String> lines = lines(file);
    return lines.isEmpty() ? "unknown" : lines.get(0);
  }

  /** None where there is no such file: not every machine has these. */
  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return List.of();
    }
  }
}
