package io.quotashare.cli.jobs;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RefusedException;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.client.Job;
import io.quotashare.client.JobHandle;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.SchedulerUnavailableException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Does the same to several jobs, each with its own outcome: a refusal does not keep others out. */
final class EachJob {
  /** What is done to one job. */
  @FunctionalInterface
  interface Change {
    /** Sends it, with this request id if there is one. */
    Job of(JobHandle handle, @Nullable UUID requestId);
  }

  private EachJob() {}

  /**
   * Does it to one after another, and says what is true of each.
   *
   * @param told what is true of a job then, without its id
   * @return the worst exit code
   */
  static int change(
      Session session,
      List<String> references,
      @Nullable String queue,
      RequestIdOption requestId,
      Change change,
      Function<Job, String> told) {
    boolean alone = references.size() == 1;
    int worst = ExitCode.OK;
    for (String reference : references) {
      try {
        JobHandle handle = session.job(reference, queue);
        Job job = change.of(handle, alone ? requestId.get() : requestId.of(handle.name()));
        session.note(job.id() + " " + told.apply(job));
      } catch (SchedulerUnavailableException e) {
        throw e;
      } catch (QuotaShareException e) {
        if (alone) {
          throw e;
        }
        worst = Math.max(worst, session.refused(reference, e));
      } catch (RefusedException e) {
        if (alone) {
          throw e;
        }
        session.note("quotashare: " + reference + ": " + e.getMessage());
        worst = Math.max(worst, ExitCode.REFUSED);
      }
    }
    return worst;
  }
}
