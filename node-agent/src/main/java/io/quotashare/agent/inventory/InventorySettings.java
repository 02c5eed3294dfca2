package io.quotashare.agent.inventory;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How the devices of this host are found and looked at.
 *
 * @param nvmlLibrary the library to load instead of looking for {@code libnvidia-ml.so.1}
 * @param sweepInterval time between two looks at all devices, 100 ms to 10 min
 * @param callDeadline how long one call to the library may take, 100 ms to 10 min
 * @param initDeadline how long its initialisation may take, 100 ms to 10 min
 * @param retryMax longest time between two tries to reach a library that cannot be used, at least
 *     the sweep interval; it begins with the sweep interval and doubles
 * @param units capacity units by PCI device id or product name, before the built-in table ({@link
 *     UnitTable})
 */
public record InventorySettings(
    Optional<Path> nvmlLibrary,
    Duration sweepInterval,
    Duration callDeadline,
    Duration initDeadline,
    Duration retryMax,
    Map<String, String> units) {
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /**
   * Looks for the library, every 5 s, with deadlines of 10 s and 30 s and tries 60 s apart at most.
   */
  public static final InventorySettings DEFAULTS =
      new InventorySettings(
          Optional.empty(),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Map.of());

  /** Checks the ranges above. */
  public InventorySettings {
    requireNonNull(nvmlLibrary, "nvmlLibrary is null");
    inRange("sweepInterval", sweepInterval, SHORTEST);
    inRange("callDeadline", callDeadline, SHORTEST);
    inRange("initDeadline", initDeadline, SHORTEST);
    inRange("retryMax", retryMax, sweepInterval);
    units = Map.copyOf(requireNonNull(units, "units is null"));
  }

  private static void inRange(String name, Duration value, Duration shortest) {
    requireNonNull(value, name + " is null");
    if (value.compareTo(shortest) < 0 || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          name + ": " + value + " (expected: " + shortest + " to " + LONGEST + ")");
    }
  }
}
