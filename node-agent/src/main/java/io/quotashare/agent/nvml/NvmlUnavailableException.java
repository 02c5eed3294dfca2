package io.quotashare.agent.nvml;

import static java.util.Objects.requireNonNull;

/** The library could not be loaded. The message says why, and what an operator can do. */
public final class NvmlUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What is missing. */
  public enum Missing {
    /** The library: there is none, or what is there is none. */
    LIBRARY,
    /** JNA's own native part, without which no library can be loaded. */
    JNA
  }

  private final Missing missing;

  /** Says what is missing. */
  public NvmlUnavailableException(Missing missing, String message) {
    super(message);
    this.missing = requireNonNull(missing, "missing is null");
  }

  /** What is missing. */
  public Missing missing() {
    return missing;
  }
}
