package io.quotashare.server.store;

/** A page token that no earlier page gave out. */
public final class InvalidPageTokenException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  InvalidPageTokenException(String token) {
    super("pageToken: '" + token + "' (expected: the token of an earlier page of the same list)");
  }
}
