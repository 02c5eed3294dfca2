package io.quotashare.agent.attempt;

import java.util.Map;

/** A start command that cannot be obeyed; nothing was started. The message is for people. */
final class StartRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Map<String, String> devices;

  StartRefusedException(String message) {
    this(message, Map.of());
  }

  /**
   * @param devices those because of which it is refused, and why
   */
  StartRefusedException(String message, Map<String, String> devices) {
    super(message);
    this.devices = Map.copyOf(devices);
  }

  /** Devices because of which it is refused; empty if they are not the cause. */
  Map<String, String> devices() {
    return devices;
  }
}
