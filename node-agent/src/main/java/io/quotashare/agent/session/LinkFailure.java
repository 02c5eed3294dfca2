package io.quotashare.agent.session;

import static java.util.Objects.requireNonNull;

/**
 * Why a call or a session has ended.
 *
 * @param code the status, such as {@code UNAVAILABLE}; {@code OK} if the other side just ended it
 * @param message in words
 */
public record LinkFailure(String code, String message) {
  /** Checks that all is there. */
  public LinkFailure {
    requireNonNull(code, "code is null");
    requireNonNull(message, "message is null");
  }

  @Override
  public String toString() {
    return message.isEmpty() ? code : code + ": " + message;
  }
}
