package io.quotashare.server.logs;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * Bounds of log streams.
 *
 * @param maxStreams streams at the same time, 1 or more
 * @param openMillis an agent must begin to send within this time, 1 or more
 */
public record LogLimits(int maxStreams, long openMillis) {
  /** The defaults. */
  public static final LogLimits DEFAULT = new LogLimits(200, 10_000);

  public LogLimits {
    checkArgument(maxStreams >= 1, "maxStreams: %s (expected: >= 1)", maxStreams);
    checkArgument(openMillis >= 1, "openMillis: %s (expected: >= 1)", openMillis);
  }
}
