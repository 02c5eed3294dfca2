package io.quotashare.core.state;

import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a share has waiting and running in one pool. */
public final class ShareState {
  /**
   * Place of a job in the order of its share: higher priority first, then earlier submission
   * (quota-semantics 2.2).
   *
   * @param priority present priority
   * @param sequence order of submission, unique
   * @param job the job
   */
  public record Turn(int priority, long sequence, JobKey job) implements Comparable<Turn> {
    private static final Comparator<Turn> ORDER =
        Comparator.comparingInt(Turn::priority).reversed().thenComparingLong(Turn::sequence);

    /** Place of a job as it is now. */
    public static Turn of(Job job) {
      return new Turn(job.priority(), job.sequence(), job.key());
    }

    @Override
    public int compareTo(Turn other) {
      return ORDER.compare(this, other);
    }
  }

  final ShareKey key;

  /**
   * Jobs that stand in the order: those that could be the front, and victims that have not stopped
   * yet.
   */
  final TreeSet<Turn> line = new TreeSet<>();

  /**
   * Waiting jobs that are passed over: held, or for a reason that cannot pass by itself
   * (quota-semantics 2.4).
   */
  final TreeSet<Turn> aside = new TreeSet<>();

  /** Attempts that hold devices. */
  final TreeSet<AttemptKey> live = new TreeSet<>();

  int waitingJobs;
  int waitingGpus;

  /** The job that was shown as the front last; null if none was. */
  @Nullable JobKey shownFront;

  ShareState(ShareKey key) {
    this.key = key;
  }

  public ShareKey key() {
    return key;
  }

  public NavigableSet<Turn> line() {
    return line;
  }

  public NavigableSet<Turn> aside() {
    return aside;
  }

  public NavigableSet<AttemptKey> live() {
    return live;
  }

  /** Shows another front, or none; returns the one that was shown before if it is another. */
  public @Nullable JobKey showFront(@Nullable JobKey front) {
    JobKey before = shownFront;
    shownFront = front;
    return before == null || before.equals(front) ? null : before;
  }

  /** The job that stands first, and those that are passed over. */
  public List<JobKey> firstAndAside() {
    List<JobKey> result = new ArrayList<>();
    if (!line.isEmpty()) {
      result.add(line.first().job());
    }
    aside.forEach(turn -> result.add(turn.job()));
    return result;
  }

  /** Whether it has no job that waits and no attempt that holds devices. */
  public boolean isIdle() {
    return waitingJobs == 0 && live.isEmpty();
  }

  public int waitingJobs() {
    return waitingJobs;
  }

  public int waitingGpus() {
    return waitingGpus;
  }
}
