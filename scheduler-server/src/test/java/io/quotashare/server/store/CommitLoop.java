package io.quotashare.server.store;

import static io.quotashare.server.store.SampleState.job;

import io.quotashare.core.Change;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that commits until it is killed, and prints the revision of each batch once it is
 * acknowledged. What a batch holds follows from its revision alone.
 */
final class CommitLoop {
  private static final int MAX_JOBS = 40;
  private static final String QUEUE = "q";

  private CommitLoop() {}

  public static void main(String[] args) {
    try (StateStore store = SqlStateStore.openSqlite(Path.of(args[0]), StoreLimits.DEFAULT)) {
      long epoch = store.takeEpoch();
      for (long revision = store.lastCommit().revision() + 1; ; revision++) {
        store.commit(batch(epoch, revision));
        System.out.println(revision);
        System.out.flush();
      }
    }
  }

  private static int jobsOf(long revision) {
    return (int) (1 + revision * 7 % MAX_JOBS);
  }

  private static long sequenceOf(long revision) {
    long sum = 0;
    for (long r = 2; r < revision; r++) {
      sum += jobsOf(r);
    }
    return sum;
  }

  private static Job newJob(long revision, int index) {
    return job(
        new JobKey(QUEUE, "job-" + revision + "-" + index), "s", sequenceOf(revision) + index);
  }

  /** The first batch makes a queue; each later one adds jobs and raises those of the one before. */
  static CommitBatch batch(long epoch, long revision) {
    List<Change> changes = new ArrayList<>();
    if (revision == 1) {
      changes.add(new Change.QueuePut(SampleState.queue(QUEUE)));
      changes.add(new Change.SharePut(SampleState.share(QUEUE, "s")));
    } else {
      for (int i = 0; i < jobsOf(revision); i++) {
        changes.add(new Change.JobPut(newJob(revision, i)));
      }
      for (int i = 0; revision > 2 && i < jobsOf(revision - 1); i++) {
        changes.add(new Change.JobPut(newJob(revision - 1, i).change().priority(77).build()));
      }
      changes.add(SampleState.counters(sequenceOf(revision + 1), revision));
    }
    return new CommitBatch(
        epoch,
        revision,
        revision,
        changes,
        List.of(SampleState.event("ann", "queues/q", "batch " + revision)),
        List.of(SampleState.answer("ann", "r-" + revision, "answer " + revision)));
  }
}
