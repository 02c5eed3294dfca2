package io.quotashare.client;

/** The job did not end within the time that the caller was ready to wait. It goes on. */
public final class AwaitTimedOutException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client. */
  public AwaitTimedOutException(String message) {
    super(ErrorDetails.of(message), null);
  }
}
