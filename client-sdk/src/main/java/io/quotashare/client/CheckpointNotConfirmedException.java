package io.quotashare.client;

/** The attempt ended before it confirmed that it had saved. */
public final class CheckpointNotConfirmedException extends QuotaShareException {
  private static final long serialVersionUID = 1L;

  /** Made by the client. */
  public CheckpointNotConfirmedException(String message) {
    super(ErrorDetails.of(message), null);
  }
}
