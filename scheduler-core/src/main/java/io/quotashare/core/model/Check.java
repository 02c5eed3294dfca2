package io.quotashare.core.model;

/** Preconditions with messages that state the value and what was expected. */
public final class Check {
  private Check() {}

  /**
   * Throws {@link IllegalArgumentException} with the formatted message unless the condition holds.
   */
  public static void checkArgument(boolean condition, String format, Object... args) {
    if (!condition) {
      throw new IllegalArgumentException(String.format(format, args));
    }
  }

  /** Throws {@link IllegalStateException} with the formatted message unless the condition holds. */
  public static void checkState(boolean condition, String format, Object... args) {
    if (!condition) {
      throw new IllegalStateException(String.format(format, args));
    }
  }
}
