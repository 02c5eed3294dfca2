package io.quotashare.server.agents;

import io.quotashare.core.RejectedException;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Node;
import io.quotashare.server.engine.Commit;
import io.quotashare.server.engine.EngineListener;
import io.quotashare.server.engine.Restored;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which node has which device, so that a device that two agents claim is given to nobody twice (two
 * agents on one host, say). Engine's thread only.
 */
public final class DeviceOwners implements EngineListener {
  private final Map<String, String> nodeByUuid = new HashMap<>();
  private final Map<String, List<Device>> devicesByNode = new HashMap<>();

  @Override
  public void started(Restored restored) {
    rebuilt(restored.scheduler());
  }

  @Override
  public void rebuilt(Scheduler scheduler) {
    nodeByUuid.clear();
    devicesByNode.clear();
    for (Node node : scheduler.nodes()) {
      put(node);
    }
  }

  @Override
  public void committed(Commit commit) {
    for (io.quotashare.core.Change change : commit.batch().changes()) {
      if (change instanceof io.quotashare.core.Change.NodePut put) {
        put(put.node());
      }
    }
  }

  /** Refuses if another node, one that is not lost, has one of the devices. */
  void check(String node, List<Device> devices) {
    for (Device device : devices) {
      String owner = nodeByUuid.get(device.uuid());
      if (owner != null && !owner.equals(node)) {
        TreeMap<String, String> metadata = new TreeMap<>();
        metadata.put("uuid", device.uuid());
        metadata.put("node", owner);
        throw new RejectedException(
            RejectedException.Kind.FAILED_PRECONDITION,
            "DEVICE_ELSEWHERE",
            "inventory.devices",
            device.uuid()
                + " belongs to node "
                + owner
                + " (expected: a device of no other node): stop the agent of that name, and wait"
                + " until its node is lost, or fence it",
            metadata);
      }
    }
  }

  /** The node has these devices from now on, also for the rest of the batch. */
  void own(String node, List<Device> devices) {
    put(node, devices);
  }

  private void put(Node node) {
    // What a lost node had may turn up elsewhere: a board was moved, or a host was renamed.
    put(node.name(), node.liveness() == Node.Liveness.LOST ? List.of() : node.devices());
  }

  private void put(String node, List<Device> devices) {
    List<Device> before = devicesByNode.getOrDefault(node, List.of());
    before.forEach(device -> nodeByUuid.remove(device.uuid(), node));
    devices.forEach(device -> nodeByUuid.put(device.uuid(), node));
    devicesByNode.put(node, devices);
  }
}
