package io.quotashare.client;

import static java.util.Objects.requireNonNull;

/** Bounds of texts that people write. */
final class Texts {
  private static final int MAX_REASON_LENGTH = 512;

  private Texts() {}

  /** Throws unless the reason has at most 512 characters. */
  static String checkReason(String reason) {
    requireNonNull(reason, "reason");
    if (reason.length() > MAX_REASON_LENGTH) {
      throw new IllegalArgumentException(
          "reason: " + reason.length() + " characters, expected at most " + MAX_REASON_LENGTH);
    }
    return reason;
  }
}
