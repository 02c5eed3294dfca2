package io.quotashare.core.replay;

import static io.quotashare.core.replay.InvariantChecker.require;

import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Shape;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** I1: no device is held by two attempts; and every gang sits as its shape says. */
final class DeviceInvariants {
  void check(Scheduler scheduler) {
    Map<String, AttemptKey> holders = new HashMap<>();
    for (Attempt attempt : scheduler.liveAttempts()) {
      for (Part part : attempt.parts()) {
        for (String uuid : part.devices()) {
          if (!part.phase().isFree()) {
            AttemptKey other = holders.put(uuid, attempt.key());
            require(other == null, "I1: %s is held by %s and %s", uuid, other, attempt.key());
          }
        }
      }
      checkShape(scheduler, attempt);
    }
    for (Node node : scheduler.nodes()) {
      for (Device device : node.devices()) {
        Optional<AttemptKey> holder = scheduler.holder(node.name(), device.uuid());
        AttemptKey expected = holders.remove(device.uuid());
        require(
            holder.equals(Optional.ofNullable(expected)),
            "I1: %s is held by %s, the scheduler says %s",
            device.uuid(),
            expected,
            holder);
      }
    }
    require(holders.isEmpty(), "I1: devices of no node are held: %s", holders);
  }

  private static void checkShape(Scheduler scheduler, Attempt attempt) {
    Shape shape = scheduler.job(attempt.key().job()).orElseThrow().spec().shape();
    Set<String> nodes = new HashSet<>();
    for (Part part : attempt.parts()) {
      require(nodes.add(part.node()), "%s sits twice on %s", attempt.key(), part.node());
      require(
          part.devices().size() == shape.gpusPerNode(),
          "%s holds %s on %s, its shape is %s",
          attempt.key(),
          part.devices(),
          part.node(),
          shape);
      require(
          scheduler.queueOf(part.node()).equals(Optional.of(attempt.key().job().queue())),
          "%s sits on %s, a node of queue %s",
          attempt.key(),
          part.node(),
          scheduler.queueOf(part.node()));
    }
    require(
        nodes.size() == shape.nodes(),
        "%s sits on %s, its shape is %s",
        attempt.key(),
        nodes,
        shape);
  }
}
