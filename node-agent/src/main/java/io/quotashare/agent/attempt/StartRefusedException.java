package io.quotashare.agent.attempt;

/** A start command that cannot be obeyed. The message is for the owner of the job. */
public final class StartRefusedException extends Exception {
  private static final long serialVersionUID = 1;

  /** With the field, its value and what was expected. */
  public StartRefusedException(String message) {
    super(message);
  }
}
