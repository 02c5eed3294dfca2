package io.quotashare.core.state;

import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
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
   * @param row the job as it was when it was filed, which is again with every change
   */
  public record Turn(Job row) implements Comparable<Turn> {
    /** Place of a job as it is now. */
    public static Turn of(Job job) {
      return new Turn(job);
    }

    public JobKey job() {
      return row.key();
    }

    @Override
    public int compareTo(Turn other) {
      int byPriority = Integer.compare(other.row.priority(), row.priority());
      return byPriority != 0 ? byPriority : Long.compare(row.sequence(), other.row.sequence());
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

  final Running running = new Running();

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

  /** Attempts that hold devices. */
  public Running running() {
    return running;
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
    return waitingJobs == 0 && running.all().isEmpty();
  }

  public int waitingJobs() {
    return waitingJobs;
  }

  public int waitingGpus() {
    return waitingGpus;
  }
}
