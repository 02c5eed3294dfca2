package io.quotashare.agent.attempt;

import io.quotashare.agent.attempt.AttemptJournal.Acknowledged;
import io.quotashare.agent.attempt.AttemptJournal.Entry;
import io.quotashare.agent.attempt.AttemptJournal.Over;
import io.quotashare.agent.attempt.AttemptJournal.StartIntent;
import io.quotashare.agent.attempt.AttemptJournal.Started;
import io.quotashare.agent.time.AgentClock;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which attempts there are on this node: those that are not over, those that are, and what the
 * journal says of both. Used by the agent's thread alone, but for {@link #isLive}.
 */
final class AttemptRegistry {
  /** Entries that the journal may have beyond four for each attempt. */
  static final int JOURNAL_SLACK = 1_000;

  /** Between two looks for attempts that are kept no longer. */
  static final long LOOK_MILLIS = 600_000;

  private static final Logger log = LoggerFactory.getLogger(AttemptRegistry.class);

  private record Entered(Attempt attempt, long epoch) {}

  private final AttemptJournal journal;
  private final RunFolders folders;
  private final AttemptSettings settings;
  private final AgentClock clock;
  private final Map<AttemptName, Entered> live = new LinkedHashMap<>();
  private final Set<AttemptName> liveNames = ConcurrentHashMap.newKeySet();
  private final EndedAttempts ended = new EndedAttempts();
  private long lookedBootMillis;
  private long generation;
  private int journalEntries;

  AttemptRegistry(
      AttemptJournal journal, RunFolders folders, AttemptSettings settings, AgentClock clock) {
    this.journal = journal;
    this.folders = folders;
    this.settings = settings;
    this.clock = clock;
  }

  /** Begins a generation after the one that the journal ends with. */
  void begin(Recovery recovery) {
    generation = recovery.generation() + 1;
    recovery.over().forEach((name, over) -> ended.add(name, over.status(), over.acknowledged()));
  }

  /** Above every version that an earlier agent process used, whatever it came to. */
  long firstVersion() {
    return generation << 32;
  }

  Optional<Attempt> live(AttemptName name) {
    return Optional.ofNullable(live.get(name)).map(Entered::attempt);
  }

  /** Attempts that are not over, in the order in which they came. The list is a copy. */
  List<Attempt> live() {
    return live.values().stream().map(Entered::attempt).toList();
  }

  boolean isLive(AttemptName name) {
    return liveNames.contains(name);
  }

  boolean isKnown(AttemptName name) {
    return live.containsKey(name) || ended.contains(name);
  }

  void enter(Attempt attempt, long epoch) {
    live.put(attempt.name(), new Entered(attempt, epoch));
    liveNames.add(attempt.name());
  }

  /** An attempt is over on this node; its last report is kept until it is acknowledged. */
  void over(AttemptName name, AttemptStatus status, boolean acknowledged) {
    live.remove(name);
    liveNames.remove(name);
    ended.add(name, status, acknowledged);
    record(new Over(name, status));
    if (acknowledged) {
      record(new Acknowledged(name));
    }
  }

  /**
   * Nothing of the attempt was started and nothing will be.
   *
   * @param jobSequence of the command; 0: not known
   * @param devices those that are the cause; empty if they are not
   */
  void refuse(AttemptName name, int rank, long jobSequence, String why, Set<String> devices) {
    over(
        name,
        AttemptStatus.newBuilder()
            .setAttempt(name.toString())
            .setRank(rank)
            .setJobSequence(jobSequence)
            .setVersion(firstVersion())
            .setPhase(AttemptPhase.ATTEMPT_PHASE_START_FAILED)
            .setDetail(why)
            .setNodeFault(!devices.isEmpty())
            .addAllQuarantinedUuids(new TreeSet<>(devices))
            .build(),
        false);
  }

  /**
   * Forgets an attempt that is over if it was of an earlier job with the same id: the scheduler
   * keeps ended jobs for a time, and then gives their ids again.
   *
   * @param jobSequence that of the job now; 0: not known
   */
  void forgetOfEarlierJob(AttemptName name, long jobSequence) {
    if (!ended.isOfOther(name, jobSequence)) {
      return;
    }
    log.info("{}: what is kept of an earlier job with this id is removed", name);
    ended.remove(name);
    try {
      folders.remove(name);
      compact();
    } catch (UncheckedIOException e) {
      log.error("{}: an earlier job with this id is not forgotten: {}", name, e.getMessage());
    }
  }

  /** Has the present state of an attempt reported once more; false if there is no such attempt. */
  boolean reportAgain(AttemptName name) {
    live(name).ifPresent(Attempt::reportAgain);
    ended.reportAgain(name);
    return isKnown(name);
  }

  void acknowledge(AttemptName name, long version) {
    live(name).ifPresent(attempt -> attempt.acknowledged(version));
    if (ended.acknowledge(name, version)) {
      record(new Acknowledged(name));
      makeRoom();
    }
  }

  /** Last reports that were not acknowledged. */
  List<AttemptStatus> endedUnacknowledged() {
    return ended.unacknowledged();
  }

  /**
   * Writes an entry that must be durable before what follows.
   *
   * @throws UncheckedIOException if it is not
   */
  void append(Entry entry) {
    journal.append(entry);
    journalEntries++;
  }

  /** Writes an entry that can be found out again from the run folder if it is lost. */
  void record(Entry entry) {
    try {
      append(entry);
    } catch (UncheckedIOException e) {
      log.error("{}", e.getMessage());
    }
  }

  /** Removes run folders of old attempts now and then, though nothing comes or goes. */
  void tick() {
    if (clock.bootMillis() - lookedBootMillis >= LOOK_MILLIS) {
      makeRoom();
    }
  }

  private void makeRoom() {
    lookedBootMillis = clock.bootMillis();
    try {
      for (AttemptName name : ended.prune(settings, clock.wallTime(), folders)) {
        folders.remove(name);
        log.info("{}: its run folder was removed: it is old, or room is needed", name);
      }
      if (journalEntries > 4 * (live.size() + ended.size()) + JOURNAL_SLACK) {
        compact();
      }
    } catch (UncheckedIOException e) {
      log.error("cannot make room: {}", e.getMessage());
    }
  }

  /** Rewrites the journal with what still counts. */
  void compact() {
    List<Entry> entries = new ArrayList<>();
    entries.add(new AttemptJournal.Generation(generation));
    entries.addAll(ended.journal());
    for (Entered entered : live.values()) {
      entries.add(new StartIntent(entered.attempt().spec(), entered.epoch()));
      entered
          .attempt()
          .started()
          .ifPresent(r -> entries.add(new Started(entered.attempt().name(), r)));
      entries.addAll(entered.attempt().requests());
    }
    journal.compact(entries);
    journalEntries = entries.size();
  }
}
