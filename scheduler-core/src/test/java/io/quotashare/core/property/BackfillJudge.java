package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * A job that overtakes does not delay the front job (2.4): if every attempt ends by its time limit
 * or deadline, and the others never, the front job starts as early with it as without it.
 */
final class BackfillJudge {
  private final Mirror before;
  private final Attempt overtaker;
  private final Job front;
  private final long now;

  BackfillJudge(Mirror before, Attempt overtaker, Job front, long now) {
    this.before = before;
    this.overtaker = overtaker;
    this.front = front;
    this.now = now;
  }

  void judge() {
    OptionalLong without = startOf(before);
    Mirror with = before.copy();
    with.apply(new Change.AttemptPut(overtaker));
    OptionalLong then = startOf(with);
    unless(
        without.isPresent(),
        "2.4",
        "%s overtakes %s, whose start cannot be told",
        overtaker.key().job(),
        front.key());
    unless(
        then.isPresent() && then.getAsLong() <= without.getAsLong(),
        "2.4",
        "%s overtakes %s, which would start at %s instead of %s",
        overtaker.key().job(),
        front.key(),
        then,
        without);
  }

  /** Predicted start of the front job; empty if it cannot be told. */
  private OptionalLong startOf(Mirror rows) {
    TreeMap<Long, Set<AttemptKey>> ends = new TreeMap<>();
    List<Attempt> attempts =
        rows.liveIn(front.pool()).stream().sorted(Comparator.comparing(Attempt::key)).toList();
    for (Attempt attempt : attempts) {
      end(rows, attempt)
          .ifPresent(at -> ends.computeIfAbsent(at, t -> new HashSet<>()).add(attempt.key()));
    }
    Set<AttemptKey> ended = new HashSet<>();
    for (Long at : ends.keySet()) {
      ended.addAll(ends.get(at));
      if (startsAfter(rows, ended)) {
        return OptionalLong.of(at);
      }
    }
    return OptionalLong.empty();
  }

  private OptionalLong end(Mirror rows, Attempt attempt) {
    if (attempt.stop() != null) {
      return OptionalLong.of(attempt.stop().deadlineMillis());
    }
    Job job = rows.jobs.get(attempt.key().job());
    OptionalLong limit = job.spec().timeLimitMillis();
    return limit.isEmpty()
        ? limit
        : OptionalLong.of(attempt.runningAtMillis().orElse(now) + limit.getAsLong());
  }

  private boolean startsAfter(Mirror rows, Set<AttemptKey> ended) {
    Facts then = Facts.of(rows, front.pool(), ended, Set.of(), front);
    // What the attempts that have ended held is free then; who was told to stop and has not, still
    // holds.
    for (Attempt attempt : rows.liveIn(front.pool())) {
      if (attempt.stop() != null && !ended.contains(attempt.key())) {
        attempt.parts().stream()
            .filter(part -> !part.phase().isFree())
            .forEach(
                part -> {
                  Facts.Place place = then.places.get(part.node());
                  place.leaving -= then.startable(place.node, part);
                });
      }
    }
    boolean mayBorrow = Rules.mayBorrow(then.uses.get(front.share()).share, front);
    int tolerated = Facts.of(before, front.pool()).planned().missing();
    return then.sitsSoon(front.spec().shape())
        && Rules.charges(then.planned(), front, mayBorrow, tolerated);
  }
}
