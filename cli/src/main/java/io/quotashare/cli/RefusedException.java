package io.quotashare.cli;

/** The scheduler has not what the command needs; the message says what to do. Exit code 4. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The message says what is missing. */
  public RefusedException(String message) {
    super(message);
  }
}
