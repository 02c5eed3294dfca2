package io.quotashare.benchmarks;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.model.Shape;
import java.util.Random;

/**
 * Shares run jobs of one device each on all devices of a cluster, partly lent ones. Then the lender
 * asks for eight whole nodes that it owns: 64 jobs have to go.
 */
final class Reclaim {
  /** Devices of the gang that comes. */
  static final Shape GANG = new Shape(8, 8);

  private static final int SHARES = 10;
  private static final int DEVICES_PER_NODE = 8;

  private final Cluster cluster;
  private final Shape gang;

  private Reclaim(Cluster cluster, Shape gang, int running, int devicesPerJob) {
    this.cluster = cluster;
    this.gang = gang;
    Random random = new Random(64);
    for (int j = 0; j < running; j++) {
      int share = 1 + random.nextInt(SHARES - 1);
      cluster.adopt(
          share,
          j * devicesPerJob / DEVICES_PER_NODE,
          devicesPerJob,
          random.nextInt(3) * 10,
          60_000 + random.nextInt(4 * 3_600_000));
    }
    cluster.decide();
  }

  /** As few nodes as hold so many jobs of one device, nine tenths of which are lent. */
  static Reclaim wide(int running) {
    return ofSingles(running, nodesFor(running) * DEVICES_PER_NODE * 9 / 10);
  }

  /** Every job has a node, and the gang asks for 64 nodes. */
  static Reclaim wholeNodes(int nodes) {
    return new Reclaim(
        new Cluster(
            new Cluster.Size(nodes, DEVICES_PER_NODE, SHARES, nodes * DEVICES_PER_NODE * 9 / 10)),
        new Shape(Math.min(64, nodes / 2), DEVICES_PER_NODE),
        nodes,
        DEVICES_PER_NODE);
  }

  /**
   * The same as {@link #wide}, but only three times as much is lent as the gang needs, so that no
   * share may lose much: 1,000 jobs or more.
   */
  static Reclaim tight(int running) {
    return ofSingles(running, 3 * GANG.total());
  }

  /**
   * @param owned devices that the lender owns, all of them lent: the more, the freer the choice
   */
  private static Reclaim ofSingles(int running, int owned) {
    Cluster.Size size = new Cluster.Size(nodesFor(running), DEVICES_PER_NODE, SHARES, owned);
    return new Reclaim(new Cluster(size), GANG, running, 1);
  }

  private static int nodesFor(int running) {
    return (running + DEVICES_PER_NODE - 1) / DEVICES_PER_NODE;
  }

  Cluster cluster() {
    return cluster;
  }

  /** The lender asks; returns how many jobs were told to stop. */
  int decide() {
    cluster.submit(0, gang, 0);
    Batch batch = cluster.decide();
    int victims = 0;
    for (Change change : batch.changes()) {
      victims += change instanceof Change.PreemptionPut ? 1 : 0;
    }
    return victims;
  }
}
