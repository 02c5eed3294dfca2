package io.quotashare.core.state;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import io.quotashare.core.Change;
import io.quotashare.core.EndedJobs;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Ended jobs: how they leave the memory, where they are found afterwards, and how their rows are
 * removed in the end. No decision looks at a job that has ended, so it costs memory only until its
 * end is durable.
 */
public final class Archive {
  private final State state;
  private final Set<JobKey> inMemory = new LinkedHashSet<>();
  private EndedJobs kept = EndedJobs.NONE;

  Archive(State state) {
    this.state = state;
  }

  /** Says where ended jobs are found that were forgotten. */
  public void keptBy(EndedJobs where) {
    kept = requireNonNull(where, "where is null");
  }

  /** Ended jobs that are in memory still. */
  public int inMemory() {
    return inMemory.size();
  }

  void put(Job job) {
    if (job.state().isTerminal()) {
      inMemory.add(job.key());
    } else {
      inMemory.remove(job.key());
    }
  }

  /** The job, ended or not; empty if it is unknown, or its rows are being removed. */
  public Optional<Job> job(JobKey key) {
    Job job = state.jobs().get(key);
    return job != null ? Optional.of(job) : ended(key).map(EndedJobs.Ended::job);
  }

  Optional<Attempt> newestAttempt(JobKey key) {
    return ended(key).map(EndedJobs.Ended::newest);
  }

  private Optional<EndedJobs.Ended> ended(JobKey key) {
    return state.recorder().removes(key) ? Optional.empty() : kept.find(key);
  }

  /** What to say of a job that is not there: that it is not, and how long ended ones are kept. */
  public String missing(JobKey key) {
    String rule = kept.rule();
    return key + " does not exist" + (rule.isEmpty() ? "" : " (" + rule + ")");
  }

  /**
   * Forgets the jobs that have ended. To be called when that is durable, and kept where {@link
   * #keptBy} said.
   */
  public void forget() {
    inMemory.forEach(state::forget);
    inMemory.clear();
  }

  /**
   * Removes attempts of an ended job, with the records of their preemption. Their numbers stay
   * dense from the first that is left.
   *
   * @param first number of the first attempt to remove: all before are removed already
   * @param last number of the last
   */
  public void removeAttempts(JobKey key, int first, int last) {
    requireEnded(key);
    for (int number = first; number <= last; number++) {
      AttemptKey attempt = new AttemptKey(key, number);
      state.recorder().change(new Change.PreemptionRemoved(attempt));
      state.recorder().change(new Change.AttemptRemoved(attempt));
    }
  }

  /**
   * Removes an ended job, all of whose attempts are removed. From now on its id may be given again.
   */
  public void removeJob(JobKey key) {
    requireEnded(key);
    inMemory.remove(key);
    state.forget(key);
    state.recorder().change(new Change.JobRemoved(key));
  }

  /** Removes the record of what a decision of a queue that only observes would have stopped. */
  public void removeObserved(AttemptKey victim, long decision) {
    state.recorder().change(new Change.ObservedPreemptionRemoved(victim, decision));
  }

  private void requireEnded(JobKey key) {
    checkArgument(
        job(key).filter(job -> job.state().isTerminal()).isPresent(),
        "job: %s (expected: one that has ended)",
        key);
  }
}
