package io.quotashare.benchmarks;

import io.quotashare.benchmarks.Cluster.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Measures what docs/performance.md publishes. */
final class Figures {
  private static final int DEVICES_PER_NODE = 8;
  private static final int SHARES = 30;
  private static final int NODES = 1_000;
  private static final int LARGE_NODES = 12_500;
  private static final int PENDING = 10_000;

  private final Scale scale;
  private final Measuring measuring;
  private final List<Figure> figures = new ArrayList<>();

  /**
   * @param out takes one line per figure
   */
  Figures(Scale scale, Consumer<String> out) {
    this.scale = scale;
    this.measuring = new Measuring(scale.warmUps(), scale.rounds(), out);
    out.accept(Figure.head());
  }

  /** Measures everything. */
  List<Figure> measure() {
    drain();
    reclaim();
    byNodes();
    byShares();
    byPending();
    return figures;
  }

  private void drain() {
    add(
        measuring
            .group("drain by nodes")
            .with(NODES, watch -> drained(watch, NODES, SHARES, PENDING))
            .with(LARGE_NODES, watch -> drained(watch, LARGE_NODES, SHARES, PENDING)));
    add(
        measuring
            .group("drain by shares")
            .with(10, watch -> drained(watch, NODES, 10, PENDING))
            .with(SHARES, watch -> drained(watch, NODES, SHARES, PENDING))
            .with(100, watch -> drained(watch, NODES, 100, PENDING))
            .with(1_000, watch -> drained(watch, NODES, 1_000, PENDING)));
    Measuring.Group byPending = measuring.group("drain by pending jobs");
    for (int pending = 1_000; pending <= Math.min(100_000, scale.mostPending()); pending *= 10) {
      int jobs = pending;
      byPending.with(jobs, watch -> drained(watch, NODES, SHARES, jobs));
    }
    add(byPending);
  }

  private int drained(Stopwatch watch, int nodes, int shares, int jobs) {
    Drain drain =
        new Drain(Size.even(scale.of(nodes), DEVICES_PER_NODE, scale.of(shares)), scale.of(jobs));
    while (!drain.isDone()) {
      watch.start();
      int started = drain.decide();
      watch.stop();
      if (started == 0) {
        throw new IllegalStateException("nothing started, and jobs wait");
      }
      drain.endAll();
    }
    return drain.started();
  }

  private void reclaim() {
    Measuring.Group wide = measuring.group("reclaim by running jobs");
    for (int running : new int[] {100, 1_000, 10_000}) {
      wide.with(running, watch -> reclaimed(watch, Reclaim.wide(Math.max(100, scale.of(running)))));
    }
    add(wide);
    Measuring.Group tight = measuring.group("reclaim, little is lent");
    for (int running : new int[] {1_000, 10_000}) {
      tight.with(
          running, watch -> reclaimed(watch, Reclaim.tight(Math.max(1_000, scale.of(running)))));
    }
    add(tight);
    add(
        measuring
            .group("reclaim by nodes")
            .with(NODES, watch -> reclaimed(watch, Reclaim.wholeNodes(scale.of(NODES))))
            .with(
                LARGE_NODES, watch -> reclaimed(watch, Reclaim.wholeNodes(scale.of(LARGE_NODES)))));
  }

  private static int reclaimed(Stopwatch watch, Reclaim reclaim) {
    watch.start();
    int victims = reclaim.decide();
    watch.stop();
    if (victims == 0) {
      throw new IllegalStateException("nobody was stopped");
    }
    return 1;
  }

  private void byNodes() {
    turnovers(
        "turnover by nodes", List.of(125, NODES, LARGE_NODES), n -> turnover(n, SHARES, 1_000));
  }

  private void byShares() {
    turnovers(
        "turnover by shares", List.of(10, SHARES, 100, 1_000), s -> turnover(NODES, s, PENDING));
  }

  private void byPending() {
    List<Integer> pending = new ArrayList<>();
    for (int n = 1_000; n <= scale.mostPending(); n *= 10) {
      pending.add(n);
    }
    turnovers("turnover by pending jobs", pending, n -> turnover(NODES, SHARES, n));
  }

  private Supplier<Turnover> turnover(int nodes, int shares, int pending) {
    return () ->
        new Turnover(
            Size.even(scale.of(nodes), DEVICES_PER_NODE, scale.of(shares)), scale.of(pending));
  }

  private interface Sized {
    Supplier<Turnover> at(int size);
  }

  /** Clusters in which something turns over are kept from round to round. */
  private void turnovers(String name, List<Integer> sizes, Sized sized) {
    Measuring.Group group = measuring.group(name);
    Map<Integer, Turnover> clusters = new TreeMap<>();
    for (int size : sizes) {
      group.with(
          size, watch -> turned(watch, clusters.computeIfAbsent(size, n -> sized.at(size).get())));
    }
    add(group);
  }

  private int turned(Stopwatch watch, Turnover turnover) {
    int started = 0;
    watch.start();
    for (int s = 0; s < scale.steps(); s++) {
      started += turnover.step();
    }
    watch.stop();
    return started;
  }

  private void add(Measuring.Group group) {
    figures.addAll(group.measure());
  }
}
