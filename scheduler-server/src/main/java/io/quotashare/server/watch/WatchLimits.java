package io.quotashare.server.watch;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * Bounds of watches.
 *
 * @param keptEvents newest events that a broken watch can resume from, 1 or more
 * @param maxLagEvents events that a reader may be behind before it is cut, 1 to keptEvents
 * @param maxWatches watches at the same time, 1 or more
 * @param bookmarkMillis a watch without events is told the revision this often, 1 or more
 */
public record WatchLimits(int keptEvents, int maxLagEvents, int maxWatches, long bookmarkMillis) {
  /** The defaults. */
  public static final WatchLimits DEFAULT = new WatchLimits(20_000, 10_000, 2_000, 30_000);

  public WatchLimits {
    checkArgument(keptEvents >= 1, "keptEvents: %s (expected: >= 1)", keptEvents);
    checkArgument(
        maxLagEvents >= 1 && maxLagEvents <= keptEvents,
        "maxLagEvents: %s (expected: 1 to keptEvents, %s)",
        maxLagEvents,
        keptEvents);
    checkArgument(maxWatches >= 1, "maxWatches: %s (expected: >= 1)", maxWatches);
    checkArgument(bookmarkMillis >= 1, "bookmarkMillis: %s (expected: >= 1)", bookmarkMillis);
  }
}
