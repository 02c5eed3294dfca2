package io.quotashare.agent.attempt;

import io.quotashare.agent.attempt.AttemptJournal.Acknowledged;
import io.quotashare.agent.attempt.AttemptJournal.Entry;
import io.quotashare.agent.attempt.AttemptJournal.Over;
import io.quotashare.proto.agent.v1.AttemptStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Attempts that are over on this node, oldest first: those whose last report the scheduler does not
 * have yet, and those that are kept so that a late start command for them starts nothing and their
 * output can be read. The second kind is bounded.
 */
final class EndedAttempts {
  private record Ended(AttemptStatus status, boolean acknowledged) {
    boolean endedBefore(Instant instant) {
      return status.hasExitedAt()
          && Instant.ofEpochSecond(
                  status.getExitedAt().getSeconds(), status.getExitedAt().getNanos())
              .isBefore(instant);
    }
  }

  private final Map<AttemptName, Ended> ended = new LinkedHashMap<>();

  boolean contains(AttemptName name) {
    return ended.containsKey(name);
  }

  /** Whether it was of another job than the one of this sequence; false if that is not known. */
  boolean isOfOther(AttemptName name, long jobSequence) {
    Ended present = ended.get(name);
    return present != null
        && jobSequence != 0
        && present.status.getJobSequence() != 0
        && present.status.getJobSequence() != jobSequence;
  }

  void remove(AttemptName name) {
    ended.remove(name);
  }

  void add(AttemptName name, AttemptStatus status, boolean acknowledged) {
    ended.put(name, new Ended(status, acknowledged));
  }

  /** Whether this changed anything. */
  boolean acknowledge(AttemptName name, long version) {
    Ended present = ended.get(name);
    if (present == null || present.acknowledged || version < present.status.getVersion()) {
      return false;
    }
    ended.put(name, new Ended(present.status, true));
    return true;
  }

  /** The scheduler has asked for it again, so it gets the last report again. */
  void reportAgain(AttemptName name) {
    ended.computeIfPresent(name, (unused, present) -> new Ended(present.status, false));
  }

  List<AttemptStatus> unacknowledged() {
    return ended.values().stream().filter(e -> !e.acknowledged).map(Ended::status).toList();
  }

  /**
   * Drops the acknowledged ones that ended too long ago, and the oldest of them beyond the bounds;
   * gives their names. One whose end is not known by the wall clock is not too old.
   */
  List<AttemptName> prune(AttemptSettings settings, Instant now, RunFolders folders) {
    Instant oldest = now.minusMillis(settings.keepMillis());
    List<AttemptName> newestFirst = new ArrayList<>(ended.keySet());
    Collections.reverse(newestFirst);
    List<AttemptName> dropped = new ArrayList<>();
    int kept = 0;
    long bytes = 0;
    for (AttemptName name : newestFirst) {
      bytes += folders.exists(name) ? folders.outputBytes(name) : 0;
      kept++;
      Ended one = ended.get(name);
      boolean tooMany = kept > settings.keepAttempts() || bytes > settings.keepOutputBytes();
      if (one.acknowledged && (tooMany || one.endedBefore(oldest))) {
        dropped.add(name);
      }
    }
    dropped.forEach(ended::remove);
    return dropped;
  }

  int size() {
    return ended.size();
  }

  /** The entries of the journal that say the same. */
  List<Entry> journal() {
    List<Entry> entries = new ArrayList<>();
    ended.forEach(
        (name, e) -> {
          entries.add(new Over(name, e.status));
          if (e.acknowledged) {
            entries.add(new Acknowledged(name));
          }
        });
    return entries;
  }
}
