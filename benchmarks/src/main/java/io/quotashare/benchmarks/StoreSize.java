package io.quotashare.benchmarks;

import com.google.protobuf.ByteString;
import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Shape;
import io.quotashare.server.engine.Commit;
import io.quotashare.server.store.AuditEvent;
import io.quotashare.server.store.CommitBatch;
import io.quotashare.server.store.RequestAnswer;
import io.quotashare.server.store.RequestKey;
import io.quotashare.server.store.SqlStateStore;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.store.StoreLimits;
import io.quotashare.server.view.ReadModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * How large the database gets with so many jobs that have ended: each is submitted, runs once on
 * one node, and exits with 0.
 */
final class StoreSize {
  private static final int BATCH = 100;
  private static final int SHARES = 30;
  private static final Shape ONE = new Shape(1, 1);
  private static final double MIB = 1 << 20;

  /** As many bytes as an answer to SubmitJob has. */
  private static final int ANSWER_BYTES = 400;

  private final StateStore store;
  private final long epoch;
  private final Cluster cluster = new Cluster(Cluster.Size.even(125, 8, SHARES));
  private final List<JobKey> jobs = new ArrayList<>();
  private long revision;

  private StoreSize(StateStore store) {
    this.store = store;
    this.epoch = store.takeEpoch();
  }

  /** Lets so many jobs come and go; returns lines with what is in the file. */
  static List<String> measure(int jobs) {
    try {
      Path folder = Files.createTempDirectory("quotashare-store");
      try {
        return measure(folder, jobs);
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> measure(Path folder, int jobs) throws IOException {
    StoreLimits keepAll =
        new StoreLimits(Long.MAX_VALUE / 2, Integer.MAX_VALUE, Long.MAX_VALUE / 2, Long.MAX_VALUE);
    Path file = folder.resolve("data").resolve("quotashare.db");
    List<String> lines = new ArrayList<>();
    long before = 0;
    for (String part : List.of("jobs and attempts", "audit entries", "answers to request ids")) {
      try (StateStore store = SqlStateStore.openSqlite(folder.resolve("data"), keepAll)) {
        StoreSize size = new StoreSize(store);
        size.revision = store.lastCommit().revision();
        switch (part) {
          case "jobs and attempts" -> lines.add(size.run(jobs));
          case "audit entries" -> size.audit(jobs);
          default -> size.answer(jobs);
        }
      }
      long bytes = Files.size(file);
      lines.add(
          String.format(
              Locale.ROOT,
              "%-30s%9d %8.0f bytes each, %7.1f MiB; the file has %.1f MiB",
              part,
              jobs,
              (bytes - before) / (double) jobs,
              (bytes - before) / MIB,
              bytes / MIB));
      before = bytes;
    }
    return lines;
  }

  /** Lets jobs come and go; returns a line with what the ended ones take of the heap. */
  private String run(int count) {
    ReadModel readModel = new ReadModel();
    cluster.observe(batch -> readModel.committed(committed(batch)));
    long before = Heap.usedBytes();
    runAll(count);
    jobs.clear();
    long bytes = Heap.usedBytes() - before;
    if (readModel.current().jobs().size() != count) {
      throw new IllegalStateException("ended jobs are missing");
    }
    return String.format(
        Locale.ROOT,
        "%-30s%9d %8.0f bytes each",
        "heap of ended jobs",
        count,
        bytes / (double) count);
  }

  private Commit committed(Batch batch) {
    return new Commit(revision + 1, cluster.nowMillis(), batch, cluster.scheduler(), 0, 0);
  }

  private void runAll(int count) {
    cluster.scheduler().archive().forget();
    commit(firstRows());
    while (jobs.size() < count) {
      for (int i = 0; i < BATCH; i++) {
        jobs.add(cluster.submit(i % SHARES, ONE, 0));
      }
      commit(cluster.decide().changes());
      cluster.advance(60_000);
      for (JobKey job : jobs.subList(jobs.size() - BATCH, jobs.size())) {
        cluster.running(new AttemptKey(job, 1));
      }
      commit(cluster.decide().changes());
      cluster.advance(60_000);
      for (JobKey job : jobs.subList(jobs.size() - BATCH, jobs.size())) {
        cluster.end(new AttemptKey(job, 1));
      }
      commit(cluster.decide().changes());
      cluster.scheduler().archive().forget();
    }
  }

  /** What was decided before anybody listened: the queue, its shares and its nodes. */
  private List<Change> firstRows() {
    List<Change> rows = new ArrayList<>();
    cluster.scheduler().queues().forEach(queue -> rows.add(new Change.QueuePut(queue)));
    cluster.scheduler().shares(Cluster.QUEUE).forEach(s -> rows.add(new Change.SharePut(s)));
    cluster.scheduler().nodes().forEach(node -> rows.add(new Change.NodePut(node)));
    return rows;
  }

  private void commit(List<Change> changes) {
    store(new Batch(changes, List.of(), List.of()), List.of(), List.of());
  }

  private void audit(int count) {
    for (int i = 0; i < count; i += BATCH) {
      List<AuditEvent> events = new ArrayList<>();
      for (int j = i; j < i + BATCH; j++) {
        events.add(
            new AuditEvent(
                "local",
                "SUBMIT_JOB",
                new JobKey(Cluster.QUEUE, String.format("train-%08d", j)).toString(),
                new UUID(j, j).toString(),
                "",
                "1 of H100, priority 0",
                "charged to team-0001"));
      }
      store(new Batch(List.of(), List.of(), List.of()), events, List.of());
    }
  }

  private void answer(int count) {
    for (int i = 0; i < count; i += BATCH) {
      List<RequestAnswer> answers = new ArrayList<>();
      for (int j = i; j < i + BATCH; j++) {
        answers.add(
            new RequestAnswer(
                new RequestKey("local", new UUID(j, j).toString()),
                ByteString.copyFrom(new byte[32]),
                ByteString.copyFrom(new byte[ANSWER_BYTES])));
      }
      store(new Batch(List.of(), List.of(), List.of()), List.of(), answers);
    }
  }

  private void store(Batch batch, List<AuditEvent> audit, List<RequestAnswer> answers) {
    revision++;
    store.commit(
        new CommitBatch(epoch, revision, cluster.nowMillis(), batch.changes(), audit, answers));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
