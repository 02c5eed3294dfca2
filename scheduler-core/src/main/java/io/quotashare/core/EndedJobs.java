package io.quotashare.core;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where ended jobs are found that the scheduler has forgotten ({@link
 * io.quotashare.core.state.Archive#forget}), for as long as they are kept. It gives what was
 * committed and nothing newer, so that the same batches lead to the same answers.
 */
public interface EndedJobs {
  /** Keeps nothing. */
  EndedJobs NONE =
      new EndedJobs() {
        @Override
        public Optional<Ended> find(JobKey key) {
          return Optional.empty();
        }

        @Override
        public String rule() {
          return "";
        }
      };

  /**
   * An ended job.
   *
   * @param job the job
   * @param newest its newest attempt; null if it had none
   */
  record Ended(Job job, @Nullable Attempt newest) {
    public Ended {
      requireNonNull(job, "job is null");
    }
  }

  /** The job, if it has ended and is kept. */
  Optional<Ended> find(JobKey key);

  /**
   * How long ended jobs are kept, in words such as {@code ended jobs are kept for 30d}; empty if
   * that is of no use to anybody.
   */
  String rule();
}
