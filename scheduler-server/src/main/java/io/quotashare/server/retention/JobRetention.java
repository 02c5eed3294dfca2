package io.quotashare.server.retention;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Change;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.state.Archive;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which ended jobs are to be removed, in the order in which they ended. A job with many attempts
 * goes piece by piece: its attempts from the oldest on, the job itself last. Engine's thread only.
 */
final class JobRetention {
  /** An attempt and the record of its preemption. */
  private static final int ROWS_PER_ATTEMPT = 2;

  /** An ended job. */
  private record Ended(long atMillis, JobKey job, int attempts) implements Comparable<Ended> {
    static Ended of(Job job) {
      return new Ended(job.endedAtMillis().orElse(0), job.key(), job.attempts());
    }

    @Override
    public int compareTo(Ended other) {
      int byTime = Long.compare(atMillis, other.atMillis);
      return byTime != 0 ? byTime : job.compareTo(other.job);
    }
  }

  private final RetentionLimits limits;
  private final TreeSet<Ended> ended = new TreeSet<>();

  /**
   * A job that is removed in pieces.
   *
   * @param attempts those from 1 to this are removed
   */
  private record Begun(JobKey job, int attempts) {}

  private @Nullable Begun begun;

  /** What the present step removes: jobs, and attempts of one that stays for another step. */
  private final List<Ended> removing = new ArrayList<>();

  private @Nullable Begun beginning;

  JobRetention(RetentionLimits limits) {
    this.limits = requireNonNull(limits, "limits is null");
  }

  /** A row became durable. */
  void take(Change change) {
    if (change instanceof Change.JobPut put && put.job().state().isTerminal()) {
      ended.add(Ended.of(put.job()));
    }
  }

  /** Ended jobs that are kept. */
  int size() {
    return ended.size();
  }

  /** When something is to be removed; {@link Long#MAX_VALUE} if nothing ever. */
  long dueMillis() {
    if (ended.isEmpty()) {
      return Long.MAX_VALUE;
    }
    return ended.size() > limits.maxEndedJobs()
        ? Long.MIN_VALUE
        : ended.first().atMillis() + limits.endedJobsMillis();
  }

  /** Removes what is due, at most so many rows; returns how many. */
  int remove(Archive archive, long nowMillis, int maxRows) {
    int rows = 0;
    for (Ended next : ended) {
      boolean tooMany = ended.size() - removing.size() > limits.maxEndedJobs();
      if (!tooMany && next.atMillis() + limits.endedJobsMillis() > nowMillis) {
        break;
      }
      int first = removedOf(next.job()) + 1;
      int last = Math.min(next.attempts(), first - 1 + (maxRows - rows) / ROWS_PER_ATTEMPT);
      archive.removeAttempts(next.job(), first, last);
      rows += (last - first + 1) * ROWS_PER_ATTEMPT;
      if (last < next.attempts() || rows == maxRows) {
        beginning = new Begun(next.job(), last);
        break;
      }
      archive.removeJob(next.job());
      rows++;
      removing.add(next);
    }
    return rows;
  }

  private int removedOf(JobKey job) {
    return begun != null && begun.job().equals(job) ? begun.attempts() : 0;
  }

  /** What the step removed is durable. */
  void committed() {
    removing.forEach(ended::remove);
    if (beginning != null) {
      begun = beginning;
    }
    forgetStep();
  }

  /** What the step removed is there still. */
  void forgetStep() {
    removing.clear();
    beginning = null;
  }
}
