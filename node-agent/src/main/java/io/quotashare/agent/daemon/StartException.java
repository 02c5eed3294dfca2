package io.quotashare.agent.daemon;

/** Why the agent cannot start, in words for its operator. */
public final class StartException extends Exception {
  private static final long serialVersionUID = 1;

  /** With what is wrong and what to do. */
  public StartException(String message) {
    super(message);
  }
}
