package io.quotashare.benchmarks;

import io.quotashare.core.model.Shape;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * What a waiting job takes of the heap: the heap that is in use after a collection, with and
 * without the jobs. Every string of every job is an object of its own, as after reading it from the
 * wire.
 */
final class Heap {
  private static final int BATCH = 1_000;
  private static final int SHARES = 30;
  private static final int NODES = 1_000;
  private static final int DEVICES_PER_NODE = 8;

  private Heap() {}

  /** Lets so many jobs wait in a cluster that is full; returns a line with what they take. */
  static String measure(int pending) {
    Cluster cluster = new Cluster(Cluster.Size.even(NODES, DEVICES_PER_NODE, SHARES));
    submit(cluster, NODES * DEVICES_PER_NODE);
    long before = usedBytes();
    submit(cluster, pending);
    long after = usedBytes();
    int waiting =
        cluster.scheduler().view(Cluster.QUEUE).shares().stream()
            .flatMap(share -> share.units().stream())
            .mapToInt(unit -> unit.waitingJobs())
            .sum();
    if (waiting != pending) {
      throw new IllegalStateException("waiting: " + waiting + " (expected: " + pending + ")");
    }
    return String.format(
        Locale.ROOT,
        "heap of waiting jobs          %9d %12.0f bytes each, %.0f MiB in use, limit %.0f MiB",
        pending,
        (after - before) / (double) pending,
        after / 1048576.0,
        Runtime.getRuntime().maxMemory() / 1048576.0);
  }

  private static void submit(Cluster cluster, int jobs) {
    for (int j = 0; j < jobs; j++) {
      cluster.submit(j % SHARES, new Shape(1, 1), 0);
      if (j % BATCH == BATCH - 1 || j == jobs - 1) {
        cluster.decide();
      }
    }
  }

  /** Bytes of the heap that are in use after a collection. */
  static long usedBytes() {
    ManagementFactory.getMemoryMXBean().gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
