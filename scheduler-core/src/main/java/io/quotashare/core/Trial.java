package io.quotashare.core;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.RejectedAlternative;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What would come of something, found out on a copy (quota-semantics 9.5). */
public sealed interface Trial {
  /**
   * What would come of a submission.
   *
   * @param job the job after the first decision
   * @param attempt its attempt; null if it would not start at once
   * @param ownDevices devices within its share's limit, if it would start at once or after victims
   *     have gone
   * @param borrowedDevices devices above that
   * @param victims jobs that would be stopped, whoever for
   * @param rejected others that would not be chosen, and why
   * @param summary one sentence a person understands
   * @param details evidence, one sentence an entry, most important first
   */
  record OfJob(
      Job job,
      @Nullable Attempt attempt,
      int ownDevices,
      int borrowedDevices,
      List<Preemption> victims,
      List<RejectedAlternative> rejected,
      String summary,
      List<String> details)
      implements Trial {
    public OfJob {
      requireNonNull(job, "job is null");
      victims = List.copyOf(victims);
      rejected = List.copyOf(rejected);
      requireNonNull(summary, "summary is null");
      details = List.copyOf(details);
    }
  }

  /**
   * What would come of a policy.
   *
   * @param changes to queues and shares
   * @param wouldStart waiting jobs that would start at once
   * @param wouldStop jobs that would be stopped
   * @param wouldCancel jobs that would be cancelled because their share would be removed
   * @param wouldWait number of jobs that would still wait
   */
  record OfPolicy(
      Policy.Diff changes,
      List<JobKey> wouldStart,
      List<Preemption> wouldStop,
      List<JobKey> wouldCancel,
      int wouldWait)
      implements Trial {
    public OfPolicy {
      requireNonNull(changes, "changes is null");
      wouldStart = List.copyOf(wouldStart);
      wouldStop = List.copyOf(wouldStop);
      wouldCancel = List.copyOf(wouldCancel);
    }
  }
}
