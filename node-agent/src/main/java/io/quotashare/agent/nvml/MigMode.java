package io.quotashare.agent.nvml;

/**
 * Whether a GPU is divided into MIG instances.
 *
 * @param enabled now
 * @param pendingEnabled after the next reset of the GPU
 */
public record MigMode(boolean enabled, boolean pendingEnabled) {
  /** Whether a reset of the GPU will change the mode. */
  public boolean changes() {
    return enabled != pendingEnabled;
  }
}
