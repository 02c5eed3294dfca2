package io.quotashare.agent.attempt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A gate that answers at once with what the test says, or later when it says so. */
public final class ManualGate implements DeviceGate {
  private final Map<String, String> busy = new HashMap<>();
  private final List<Runnable> held = new ArrayList<>();
  private boolean holding;

  /** Makes a device busy for this reason. */
  public void setBusy(String device, String reason) {
    busy.put(device, reason);
  }

  public void setEmpty(String device) {
    busy.remove(device);
  }

  /** Answers wait from now on. */
  public void hold() {
    holding = true;
  }

  /** Gives all answers that wait, and goes on answering at once. */
  public void answer() {
    holding = false;
    List<Runnable> due = List.copyOf(held);
    held.clear();
    due.forEach(Runnable::run);
  }

  @Override
  public void probe(List<String> deviceUuids, Consumer<Map<String, String>> answer) {
    Runnable reply =
        () -> {
          Map<String, String> found = new TreeMap<>();
          for (String uuid : deviceUuids) {
            if (busy.containsKey(uuid)) {
              found.put(uuid, busy.get(uuid));
            }
          }
          answer.accept(found);
        };
    if (holding) {
      held.add(reply);
    } else {
      reply.run();
    }
  }
}
