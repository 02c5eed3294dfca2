package io.quotashare.agent.attempt;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Whether devices are really empty (node-agent 4.2). Asking the driver may take long, so the answer
 * comes later.
 */
public interface DeviceGate {

  /**
   * Looks at devices.
   *
   * @param answer called once, on the agent's thread, with the devices that are not proven empty
   *     and why; an empty map if all are
   */
  void probe(List<String> deviceUuids, Consumer<Map<String, String>> answer);
}
