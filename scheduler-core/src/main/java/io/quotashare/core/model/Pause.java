package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

/**
 * An operator has paused scheduling: nothing is started or stopped by decision until it is resumed.
 *
 * @param reason shown to those who wait; may be empty
 * @param sinceMillis since when
 */
public record Pause(String reason, long sinceMillis) {
  public Pause {
    requireNonNull(reason, "reason is null");
  }
}
