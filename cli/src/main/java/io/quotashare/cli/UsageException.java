package io.quotashare.cli;

/** What the user typed cannot be done; the message says what can. Exit code 2. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The message names the value and what was expected. */
  public UsageException(String message) {
    super(message);
  }
}
