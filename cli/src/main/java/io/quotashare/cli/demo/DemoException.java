package io.quotashare.cli.demo;

/** The demo cannot go on; the message says why, and where the logs are. */
final class DemoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoException(String message) {
    super(message);
  }

  DemoException(String message, Throwable cause) {
    super(message, cause);
  }
}
