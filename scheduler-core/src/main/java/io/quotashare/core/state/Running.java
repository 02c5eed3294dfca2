package io.quotashare.core.state;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Job;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The attempts of one share that hold devices in one pool, by the present priority of their jobs,
 * with sums for each priority: who is below a priority, and how much they hold, is told without
 * looking at the others.
 *
 * <p>Invariants: every attempt stands once, with its newest row and that of its job, in the level
 * of the job's priority; the sums of a level are the sums over its attempts; no level is empty.
 */
public final class Running {
  /** An attempt and its job, as they are now. */
  public static final class Entry {
    private Attempt attempt;
    private Job job;

    private Entry(Attempt attempt, Job job) {
      this.attempt = attempt;
      this.job = job;
    }

    public Attempt attempt() {
      return attempt;
    }

    public Job job() {
      return job;
    }

    private boolean isNever() {
      return job.spec().borrow() == BorrowMode.NEVER;
    }
  }

  /** Attempts of one priority. */
  private static final class Level {
    final Map<AttemptKey, Entry> entries = new LinkedHashMap<>();
    int candidates;
    int candidateGpus;
    int loanGpus;

    void add(Entry entry, int sign) {
      int gpus = sign * entry.attempt.heldGpus();
      if (entry.attempt.state().isCandidate()) {
        candidates += sign;
        candidateGpus += gpus;
      }
      if (entry.attempt.isPlanned() && !entry.isNever()) {
        loanGpus += gpus;
      }
    }

    boolean isLike(Level other) {
      return entries.keySet().equals(other.entries.keySet())
          && candidates == other.candidates
          && candidateGpus == other.candidateGpus
          && loanGpus == other.loanGpus;
    }
  }

  private final Map<AttemptKey, Entry> byKey = new HashMap<>();
  private final NavigableMap<Integer, Level> levels = new TreeMap<>();
  private int neverGpus;

  Running() {}

  /** Takes an attempt in, or its newest row. */
  void put(Attempt attempt, Job job) {
    Entry entry = byKey.get(attempt.key());
    if (entry == null) {
      entry = new Entry(attempt, job);
      byKey.put(attempt.key(), entry);
    } else {
      leave(entry);
      entry.attempt = attempt;
      entry.job = job;
    }
    enter(entry);
  }

  /** Takes the newest row of a job whose attempt may be here. */
  void put(Job job) {
    Entry entry = job.attempts() == 0 ? null : byKey.get(job.newestAttempt());
    if (entry != null && entry.job.priority() == job.priority()) {
      entry.job = job;
    } else if (entry != null) {
      put(entry.attempt, job);
    }
  }

  void remove(AttemptKey key) {
    Entry entry = byKey.remove(key);
    if (entry != null) {
      leave(entry);
    }
  }

  private void enter(Entry entry) {
    Level level = levels.computeIfAbsent(entry.job.priority(), p -> new Level());
    level.entries.put(entry.attempt.key(), entry);
    level.add(entry, 1);
    neverGpus += neverGpus(entry);
  }

  private void leave(Entry entry) {
    Level level = levels.get(entry.job.priority());
    level.entries.remove(entry.attempt.key());
    level.add(entry, -1);
    neverGpus -= neverGpus(entry);
    if (level.entries.isEmpty()) {
      levels.remove(entry.job.priority());
    }
  }

  private static int neverGpus(Entry entry) {
    return entry.attempt.isPlanned() && entry.isNever() ? entry.attempt.heldGpus() : 0;
  }

  /** All attempts, in no order that means anything. */
  public Collection<Entry> all() {
    return Collections.unmodifiableCollection(byKey.values());
  }

  /** Devices that planned attempts hold which would rather wait than be reclaimed. */
  public int neverGpus() {
    return neverGpus;
  }

  /** Whether attempts of lower priority could be stopped. */
  public boolean hasCandidatesBelow(int priority) {
    for (Level level : levels.headMap(priority).values()) {
      if (level.candidates > 0) {
        return true;
      }
    }
    return false;
  }

  /** Devices of all attempts of lower priority that could be stopped. */
  public int candidateGpusBelow(int priority) {
    int sum = 0;
    for (Level level : levels.headMap(priority).values()) {
      sum += level.candidateGpus;
    }
    return sum;
  }

  /** Devices of planned attempts of lower priority that may go on as loans. */
  public int loanGpusBelow(int priority) {
    int sum = 0;
    for (Level level : levels.headMap(priority).values()) {
      sum += level.loanGpus;
    }
    return sum;
  }

  /** Shows the attempts of lower priority that could be stopped. */
  public void forEachCandidateBelow(int priority, Consumer<Entry> consumer) {
    for (Level level : levels.headMap(priority).values()) {
      for (Entry entry : level.entries.values()) {
        if (entry.attempt.state().isCandidate()) {
          consumer.accept(entry);
        }
      }
    }
  }

  /** Whether levels and sums are what they are if they are counted anew. */
  boolean sumsAreRight() {
    Running counted = new Running();
    byKey.values().forEach(entry -> counted.put(entry.attempt, entry.job));
    boolean same =
        levels.keySet().equals(counted.levels.keySet()) && neverGpus == counted.neverGpus;
    for (Map.Entry<Integer, Level> level : levels.entrySet()) {
      same = same && level.getValue().isLike(counted.levels.get(level.getKey()));
    }
    return same;
  }
}
