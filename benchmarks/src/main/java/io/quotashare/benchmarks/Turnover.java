package io.quotashare.benchmarks;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Shape;
import java.util.ArrayDeque;

/**
 * A full cluster with jobs that wait: one job ends, another comes, and it is decided at once what
 * starts. A batch of one event is the dearest way to decide, since every pass serves one start.
 */
final class Turnover {
  private static final int BATCH = 500;
  private static final Shape ONE = new Shape(1, 1);

  private final Cluster cluster;
  private final ArrayDeque<AttemptKey> running = new ArrayDeque<>();
  private int nextShare;

  /** All devices are in use, and so many jobs of one device wait. */
  Turnover(Cluster.Size size, int pending) {
    this.cluster = new Cluster(size);
    int jobs = size.devices() + pending;
    for (int j = 0; j < jobs; j++) {
      submit();
      if (j % BATCH == BATCH - 1 || j == jobs - 1) {
        note(cluster.decide());
      }
    }
  }

  Cluster cluster() {
    return cluster;
  }

  private void submit() {
    cluster.submit(nextShare, ONE, 0);
    nextShare = (nextShare + 1) % cluster.size().shares();
  }

  /** One ends, one comes, one starts; returns how many started. */
  int step() {
    cluster.advance(5);
    cluster.end(running.remove());
    submit();
    return note(cluster.decide());
  }

  private int note(Batch batch) {
    int before = running.size();
    for (Change change : batch.changes()) {
      if (change instanceof Change.AttemptPut put
          && put.attempt().state() == AttemptState.SCHEDULED) {
        running.add(put.attempt().key());
      }
    }
    return running.size() - before;
  }
}
