package io.quotashare.server.engine;

/**
 * The clocks of the machine. Nothing else in the server reads them, so that a test can stand in.
 */
public interface Clock {
  /** Milliseconds since the epoch of the calendar. May jump either way. */
  long wallMillis();

  /** Nanoseconds since some instant. Never goes back and never jumps; may be negative. */
  long monotonicNanos();
}
