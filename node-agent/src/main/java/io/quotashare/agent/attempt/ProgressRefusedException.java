package io.quotashare.agent.attempt;

/** A progress file that is not believed. The message is for the author of the job. */
public final class ProgressRefusedException extends Exception {
  private static final long serialVersionUID = 1;

  /** With the key, its value and what was expected. */
  public ProgressRefusedException(String message) {
    super(message);
  }
}
