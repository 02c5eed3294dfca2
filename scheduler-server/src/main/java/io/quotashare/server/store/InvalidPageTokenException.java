package io.quotashare.server.store;

/** A page token that no earlier page gave out. */
public final class InvalidPageTokenException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String token;

  InvalidPageTokenException(String token) {
    super("pageToken: '" + token + "' (expected: the token of an earlier page of the same list)");
    this.token = token;
  }

  /** What was given. */
  public String token() {
    return token;
  }
}
