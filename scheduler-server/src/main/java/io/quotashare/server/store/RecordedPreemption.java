package io.quotashare.server.store;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.Preemption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A preemption of the history: one that was carried out, or one that was only observed. */
public sealed interface RecordedPreemption {
  /** An attempt was told to stop. */
  record Enforced(Preemption preemption) implements RecordedPreemption {
    public Enforced {
      requireNonNull(preemption, "preemption is null");
    }

    @Override
    public long atMillis() {
      return preemption.requestedAtMillis();
    }

    @Override
    public AttemptKey victim() {
      return preemption.victim();
    }

    @Override
    public long decision() {
      return 0;
    }
  }

  /** An attempt would have been told to stop. */
  record Observed(ObservedPreemption preemption) implements RecordedPreemption {
    public Observed {
      requireNonNull(preemption, "preemption is null");
    }

    @Override
    public long atMillis() {
      return preemption.decidedAtMillis();
    }

    @Override
    public AttemptKey victim() {
      return preemption.victim();
    }

    @Override
    public long decision() {
      return preemption.decision();
    }
  }

  /** When it was decided. */
  long atMillis();

  /** The attempt. */
  AttemptKey victim();

  /** Number of the decision that only observed; 0 if the attempt was told to stop. */
  long decision();

  /**
   * A place in the history: newest first, at one instant those that were carried out first, then by
   * key.
   */
  record Position(
      long atMillis, boolean observed, String queue, String job, long attempt, long decision)
      implements Comparable<Position> {
    private static final Comparator<Position> NEWEST_FIRST =
        comparing(Position::atMillis)
            .reversed()
            .thenComparing(Position::observed)
            .thenComparing(Position::queue)
            .thenComparing(Position::job)
            .thenComparing(Position::attempt)
            .thenComparing(Position::decision);

    static Position of(RecordedPreemption entry) {
      return new Position(
          entry.atMillis(),
          entry instanceof Observed,
          entry.victim().job().queue(),
          entry.victim().job().id(),
          entry.victim().number(),
          entry.decision());
    }

    /** Position of the last entry of the page before; null for the first page. */
    static @Nullable Position parse(String token) {
      if (token.isEmpty()) {
        return null;
      }
      List<Object> values = PageToken.parse(token, "nnttnn");
      return new Position(
          (Long) values.get(0),
          (Long) values.get(1) != 0,
          (String) values.get(2),
          (String) values.get(3),
          (Long) values.get(4),
          (Long) values.get(5));
    }

    String token() {
      return PageToken.of(atMillis, observed ? 1L : 0L, queue, job, attempt, decision);
    }

    @Override
    public int compareTo(Position other) {
      return NEWEST_FIRST.compare(this, other);
    }
  }

  /** The first entries of both kinds together. */
  static Page<RecordedPreemption> page(List<? extends RecordedPreemption> entries, int pageSize) {
    List<RecordedPreemption> sorted = new ArrayList<>(entries);
    sorted.sort(comparing(Position::of));
    return sorted.size() <= pageSize
        ? new Page<>(sorted, "")
        : new Page<>(sorted.subList(0, pageSize), Position.of(sorted.get(pageSize - 1)).token());
  }
}
