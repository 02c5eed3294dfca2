package io.quotashare.core.property;

import io.quotashare.core.Policy;
import java.util.ArrayList;
import java.util.List;

/** Queues, shares and nodes that a test begins with. */
record Setup(List<QueueSketch> queues, List<ShareSketch> shares, List<NodeSketch> nodes) {
  Setup {
    queues = List.copyOf(queues);
    shares = List.copyOf(shares);
    nodes = List.copyOf(nodes);
  }

  static Setup of(QueueSketch... queues) {
    return new Setup(List.of(queues), List.of(), List.of());
  }

  Setup with(ShareSketch... more) {
    List<ShareSketch> all = new ArrayList<>(shares);
    all.addAll(List.of(more));
    return new Setup(queues, all, nodes);
  }

  Setup with(NodeSketch... more) {
    List<NodeSketch> all = new ArrayList<>(nodes);
    all.addAll(List.of(more));
    return new Setup(queues, shares, all);
  }

  Policy policy() {
    List<Policy.QueuePolicy> entries = new ArrayList<>();
    for (QueueSketch queue : queues) {
      String name = queue.build().name();
      entries.add(
          new Policy.QueuePolicy(
              queue.build(),
              shares.stream()
                  .map(ShareSketch::build)
                  .filter(share -> share.key().queue().equals(name))
                  .toList()));
    }
    return new Policy(entries);
  }

  @Override
  public String toString() {
    return "Setup.of("
        + join(queues)
        + ")\n    .with("
        + join(shares)
        + ")\n    .with("
        + join(nodes)
        + ")";
  }

  private static String join(List<?> parts) {
    return String.join(", ", parts.stream().map(Object::toString).toList());
  }
}
