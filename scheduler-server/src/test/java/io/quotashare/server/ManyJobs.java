package io.quotashare.server;

import io.quotashare.core.Change;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.store.CommitBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A scheduler that finds many jobs in its store. */
public final class ManyJobs {
  private static final int BATCH = 10_000;

  private ManyJobs() {}

  /**
   * A scheduler with jobs of share {@code lender}: those with a number that {@code everyOpen}
   * divides wait, the others have ended. Ids come in another order than submissions; every
   * thousandth has the label {@code rare}.
   *
   * @param count number of jobs, at most 100,000
   */
  public static TestServer start(ServerConfig.Builder config, int count, int everyOpen) {
    TestServer server = TestServer.create(config);
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    long revision = server.store().lastCommit().revision();
    for (int from = 0; from < count; from += BATCH) {
      List<Change> changes = new ArrayList<>();
      for (int i = from; i < Math.min(count, from + BATCH); i++) {
        Job job = job(i);
        changes.add(
            new Change.JobPut(
                i % everyOpen == 0
                    ? job
                    : job.change().ended(JobState.SUCCEEDED, job.submittedAtMillis(), "").build()));
      }
      changes.add(new Change.CountersPut(count + 1L, 1, 0));
      revision++;
      server
          .store()
          .commit(
              new CommitBatch(
                  server.engine().epoch(),
                  revision,
                  server.clock().wallMillis(),
                  changes,
                  List.of(),
                  List.of()));
    }
    return server.restart();
  }

  /** Name of the job that was submitted as the i-th, from 0. */
  public static String name(int i) {
    return key(i).toString();
  }

  private static JobKey key(int i) {
    return new JobKey("research", String.format("j%05d", i * 7919L % 100_000));
  }

  private static Job job(int i) {
    JobSpec spec =
        new JobSpec(
            "lender",
            "",
            new Shape(1, 1),
            "H100",
            new Launch(List.of("/bin/train"), new TreeMap<>(), ""),
            new TreeMap<>(i % 1_000 == 0 ? Map.of("rare", "yes") : Map.of()),
            OptionalLong.empty(),
            JobSpec.DEFAULT_GRACE_MILLIS,
            new JobSpec.LostAfter.Default(),
            OptionalLong.empty(),
            false,
            0,
            new RetryOn.Any(),
            OptionalInt.empty(),
            BorrowMode.ALLOWED,
            false);
    return Job.submitted(key(i), spec, 0, i + 1L, 1_600_000_000_000L + i);
  }
}
