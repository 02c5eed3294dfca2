package io.quotashare.server.view;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.server.store.JobOrder;
import io.quotashare.server.store.JobPlace;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that have not ended, in every order of a list. Immutable; a new one is made only when a job
 * comes or ends, in logarithmic time.
 */
public final class OpenJobs {
  private final SortedTree<JobKey, JobKey> byId;
  private final SortedTree<Long, JobKey> bySequence;
  private final SortedTree<Submission, JobKey> byQueue;

  /**
   * Place of a job among those of its queue.
   *
   * @param queue queue id
   * @param sequence order of submission among all jobs
   */
  private record Submission(String queue, long sequence) implements Comparable<Submission> {
    Submission {
      requireNonNull(queue, "queue is null");
    }

    @Override
    public int compareTo(Submission other) {
      int order = queue.compareTo(other.queue);
      return order != 0 ? order : Long.compare(sequence, other.sequence);
    }
  }

  private OpenJobs(
      SortedTree<JobKey, JobKey> byId,
      SortedTree<Long, JobKey> bySequence,
      SortedTree<Submission, JobKey> byQueue) {
    this.byId = byId;
    this.bySequence = bySequence;
    this.byQueue = byQueue;
  }

  static OpenJobs empty() {
    return new OpenJobs(SortedTree.empty(), SortedTree.empty(), SortedTree.empty());
  }

  /** The same after a job has changed. */
  OpenJobs with(Job job) {
    JobKey key = job.key();
    boolean known = byId.get(key).isPresent();
    if (known != job.state().isTerminal()) {
      return this;
    }
    Submission submission = new Submission(key.queue(), job.sequence());
    return known
        ? new OpenJobs(
            byId.without(key), bySequence.without(job.sequence()), byQueue.without(submission))
        : new OpenJobs(
            byId.with(key, key),
            bySequence.with(job.sequence(), key),
            byQueue.with(submission, key));
  }

  /** Number of jobs. */
  public int size() {
    return byId.size();
  }

  /**
   * Jobs in an order; looking at the first of them costs logarithmic time.
   *
   * @param queue only of this queue; empty for all
   * @param after only those that come after; null for all
   */
  public Iterable<JobKey> in(JobOrder order, Optional<String> queue, @Nullable JobPlace after) {
    return switch (order) {
      case ID -> byId(queue, after);
      case OLDEST_FIRST -> {
        long from = after == null ? Long.MIN_VALUE : after.sequence();
        yield queue.isEmpty()
            ? bySequence.valuesAfter(from)
            : within(queue.get(), byQueue.valuesAfter(new Submission(queue.get(), from)));
      }
      case NEWEST_FIRST -> {
        long from = after == null ? Long.MAX_VALUE : after.sequence();
        yield queue.isEmpty()
            ? bySequence.valuesBefore(from)
            : within(queue.get(), byQueue.valuesBefore(new Submission(queue.get(), from)));
      }
    };
  }

  private Iterable<JobKey> byId(Optional<String> queue, @Nullable JobPlace after) {
    Iterable<JobKey> keys =
        after == null
            ? byId.valuesFrom(new JobKey(queue.orElse(""), ""))
            : byId.valuesAfter(after.key());
    return queue.isEmpty() ? keys : within(queue.get(), keys);
  }

  /** The first of them, as long as they are of a queue. */
  private static Iterable<JobKey> within(String queue, Iterable<JobKey> keys) {
    return () -> new Within(queue, keys.iterator());
  }

  private static final class Within implements Iterator<JobKey> {
    private final String queue;
    private final Iterator<JobKey> keys;
    private @Nullable JobKey next;

    Within(String queue, Iterator<JobKey> keys) {
      this.queue = queue;
      this.keys = keys;
      advance();
    }

    private void advance() {
      JobKey key = keys.hasNext() ? keys.next() : null;
      next = key != null && key.queue().equals(queue) ? key : null;
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public JobKey next() {
      JobKey here = next;
      if (here == null) {
        throw new NoSuchElementException();
      }
      advance();
      return here;
    }
  }
}
