package io.quotashare.agent.session;

/**
 * The highest epoch of a scheduler that this agent ever obeyed; kept over restarts. A scheduler
 * with a lower one is a leader of the past (reliability-and-security V11).
 */
public interface EpochFence {
  /** The highest epoch, 0 if there was none. */
  long highest();

  /**
   * Makes this the highest epoch, durably.
   *
   * @throws java.io.UncheckedIOException if it cannot be kept; then the epoch must not be obeyed
   */
  void raise(long epoch);

  /** Where it is kept, for people. */
  String place();
}
