package io.quotashare.agent.supervise;

import java.time.Instant;
import java.util.Optional;

/**
 * Signals that were sent to the job by its supervisor.
 *
 * @param termSentAt when SIGTERM was sent; empty if it was not
 * @param killSentAt when SIGKILL was sent; empty if it was not
 */
public record Ladder(Optional<Instant> termSentAt, Optional<Instant> killSentAt) {
  /** Nothing was sent. */
  public static final Ladder NONE = new Ladder(Optional.empty(), Optional.empty());
}
