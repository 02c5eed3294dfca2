package io.quotashare.benchmarks;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * A backlog that came while nothing was decided, as after a change of leader: it is started in
 * waves, each as large as the devices allow, and everything that runs ends before the next. A
 * decision is a job that starts.
 */
final class Drain {
  /** Jobs in one batch of submissions. */
  private static final int BATCH = 500;

  /** Devices of a job by its number modulo the length: mostly one, some a node, some two nodes. */
  private static final Shape[] SHAPES = shapes();

  private final Cluster cluster;
  private final int jobs;
  private List<AttemptKey> running = new ArrayList<>();
  private int started;

  /** A cluster with a backlog that nobody has looked at. */
  Drain(Cluster.Size size, int jobs) {
    this.cluster = new Cluster(size);
    this.jobs = jobs;
    cluster.scheduler().recovering(true);
    for (int j = 0; j < jobs; j++) {
      // Neither shapes nor priorities go along with the shares.
      int share = (int) (j * 2_654_435_761L % size.shares());
      cluster.submit(share, SHAPES[j % SHAPES.length], j * 7 % 3 * 10);
      if (j % BATCH == BATCH - 1 || j == jobs - 1) {
        cluster.decide();
      }
    }
    cluster.scheduler().recovering(false);
  }

  private static Shape[] shapes() {
    Shape[] shapes = new Shape[101];
    for (int i = 0; i < shapes.length; i++) {
      int gpus = i % 10 == 3 ? 4 : i % 10 == 6 || i % 10 == 9 ? 2 : i % 25 == 0 ? 8 : 1;
      shapes[i] = new Shape(i == 50 ? 2 : 1, gpus);
    }
    return shapes;
  }

  Cluster cluster() {
    return cluster;
  }

  /** Jobs that have started. */
  int started() {
    return started;
  }

  boolean isDone() {
    return started == jobs;
  }

  /** One wave of decisions; returns how many jobs started. */
  int decide() {
    Batch batch = cluster.decide();
    int before = started;
    for (Change change : batch.changes()) {
      if (change instanceof Change.AttemptPut put && isNew(put.attempt())) {
        running.add(put.attempt().key());
      }
    }
    started += running.size();
    return started - before;
  }

  private static boolean isNew(Attempt attempt) {
    return attempt.state() == AttemptState.SCHEDULED;
  }

  /** Everything that runs ends. */
  void endAll() {
    cluster.advance(60_000);
    running.forEach(cluster::running);
    cluster.advance(3_600_000);
    running.forEach(cluster::end);
    running = new ArrayList<>();
  }
}
