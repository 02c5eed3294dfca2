package io.quotashare.core.property;

/** A rule of quota-semantics or of reliability A2 that does not hold. */
final class Violation extends AssertionError {
  private static final long serialVersionUID = 1L;

  private Violation(String message) {
    super(message);
  }

  /**
   * Throws unless the rule holds.
   *
   * @param rule its number, such as {@code I4} or {@code 4.5}
   */
  static void unless(boolean holds, String rule, String format, Object... args) {
    if (!holds) {
      throw new Violation(rule + ": " + String.format(format, args));
    }
  }
}
