package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * Preemptions that a share suffered in some time.
 *
 * @param count number of them, 0 or more
 * @param lostDeviceMillis work lost by them, in device-milliseconds
 */
public record PreemptionTotals(long count, long lostDeviceMillis) {
  public PreemptionTotals {
    checkArgument(count >= 0, "count: %s (expected: >= 0)", count);
  }
}
