package io.quotashare.server.retention;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Change;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.state.Archive;
import java.util.TreeSet;

/**
 * Records of what a queue that only observes would have stopped. They name attempts, and belong to
 * no job: they are kept for as long as ended jobs, and as many. Engine's thread only.
 */
final class ObservedRetention {
  /** A record and when it was made. */
  private record Kept(long atMillis, AttemptKey victim, long decision) implements Comparable<Kept> {
    static Kept of(ObservedPreemption record) {
      return new Kept(record.decidedAtMillis(), record.victim(), record.decision());
    }

    @Override
    public int compareTo(Kept other) {
      int order = Long.compare(atMillis, other.atMillis);
      if (order == 0) {
        order = Long.compare(decision, other.decision);
      }
      return order != 0 ? order : victim.compareTo(other.victim);
    }
  }

  private final RetentionLimits limits;
  private final TreeSet<Kept> kept = new TreeSet<>();

  /** How many of the oldest the present step removes. */
  private int removing;

  ObservedRetention(RetentionLimits limits) {
    this.limits = requireNonNull(limits, "limits is null");
  }

  /** A row became durable. */
  void take(Change change) {
    if (change instanceof Change.ObservedPreemptionPut put) {
      kept.add(Kept.of(put.preemption()));
    }
  }

  /** When something is to be removed; {@link Long#MAX_VALUE} if nothing ever. */
  long dueMillis() {
    if (kept.isEmpty()) {
      return Long.MAX_VALUE;
    }
    return kept.size() > limits.maxEndedJobs()
        ? Long.MIN_VALUE
        : kept.first().atMillis() + limits.endedJobsMillis();
  }

  /** Removes what is due, at most so many rows; returns how many. */
  int remove(Archive archive, long nowMillis, int maxRows) {
    removing = 0;
    for (Kept next : kept) {
      boolean tooMany = kept.size() - removing > limits.maxEndedJobs();
      boolean old = next.atMillis() + limits.endedJobsMillis() <= nowMillis;
      if (removing == maxRows || (!tooMany && !old)) {
        break;
      }
      archive.removeObserved(next.victim(), next.decision());
      removing++;
    }
    return removing;
  }

  /** What the step removed is durable. */
  void committed() {
    for (; removing > 0; removing--) {
      kept.pollFirst();
    }
  }

  /** What the step removed is there still. */
  void forgetStep() {
    removing = 0;
  }
}
