package io.quotashare.core.property;

import io.quotashare.core.Effect;
import io.quotashare.core.PartReport;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Checkpoint;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.Progress;
import io.quotashare.core.model.Stop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Virtual agents: they start, save and stop attempts as the jobs' habits say, and report it unless
 * their node is cut off.
 */
final class Agents {
  private static final int SIGTERM = 15;
  private static final int SIGKILL = 9;

  private enum Kind {
    LAUNCH,
    RUN,
    SAVED,
    SAVED_ON_REQUEST,
    GONE,
    FREE
  }

  private record Due(long atMillis, long order, Running process, Kind kind)
      implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(atMillis, other.atMillis);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** One part of an attempt on its node. */
  private static final class Running {
    final AttemptKey attempt;
    final int rank;
    final String node;
    PartPhase phase = PartPhase.STARTING;
    long version;
    OptionalInt exitCode = OptionalInt.empty();
    OptionalInt exitSignal = OptionalInt.empty();
    boolean exitedBeforeStop;
    boolean told;
    long goneAtMillis = Long.MAX_VALUE;
    long savedSeq;
    long askedSeq;
    Progress progress = Progress.NONE;
    PartReport before;

    Running(Attempt attempt, Part part) {
      this.attempt = attempt.key();
      this.rank = part.rank();
      this.node = part.node();
    }

    PartReport report() {
      return new PartReport(
          attempt, rank, version, phase, exitCode, exitSignal, exitedBeforeStop, "", progress);
    }
  }

  private final Function<AttemptKey, JobSketch> habits;
  private final Consumer<PartReport> scheduler;
  private final TreeMap<AttemptKey, TreeMap<Integer, Running>> processes = new TreeMap<>();
  private final PriorityQueue<Due> due = new PriorityQueue<>();
  private final Set<String> cutOff = new HashSet<>();
  private long order;

  Agents(Function<AttemptKey, JobSketch> habits, Consumer<PartReport> scheduler) {
    this.habits = habits;
    this.scheduler = scheduler;
  }

  // Commands

  /** Takes a command on all nodes that hear it. */
  void take(Effect effect, long now) {
    take(effect, null, now);
  }

  /** Takes a command on one node, or on all. */
  void take(Effect effect, String onlyNode, long now) {
    if (effect instanceof Effect.Start start) {
      for (Part part : hearing(start.attempt(), onlyNode)) {
        start(start.attempt(), part, now);
      }
    } else if (effect instanceof Effect.Stop stop) {
      for (Part part : hearing(stop.attempt(), onlyNode)) {
        stop(stop.attempt(), part, now);
      }
    } else if (effect instanceof Effect.Checkpoint save) {
      for (Part part : hearing(save.attempt(), onlyNode)) {
        askToSave(save.attempt(), part, now);
      }
    }
  }

  private List<Part> hearing(Attempt attempt, String onlyNode) {
    return attempt.parts().stream()
        .filter(part -> !part.phase().isFree() && !cutOff.contains(part.node()))
        .filter(part -> onlyNode == null || part.node().equals(onlyNode))
        .toList();
  }

  private void start(Attempt attempt, Part part, long now) {
    TreeMap<Integer, Running> ranks =
        processes.computeIfAbsent(attempt.key(), k -> new TreeMap<>());
    if (ranks.containsKey(part.rank())) {
      return;
    }
    Running process = new Running(attempt, part);
    ranks.put(part.rank(), process);
    JobSketch job = habits.apply(attempt.key());
    at(now, process, Kind.LAUNCH);
    at(now + job.startsAfterMillis + part.rank() * job.staggerMillis, process, Kind.RUN);
  }

  private void stop(Attempt attempt, Part part, long now) {
    TreeMap<Integer, Running> ranks =
        processes.computeIfAbsent(attempt.key(), k -> new TreeMap<>());
    Running process = ranks.computeIfAbsent(part.rank(), rank -> new Running(attempt, part));
    if (process.phase.compareTo(PartPhase.EXITED) >= 0) {
      return;
    }
    Stop stop = attempt.stop();
    JobSketch job = habits.apply(attempt.key());
    boolean saves = stop.saveFirst() && job.savesAfterMillis != JobSketch.NEVER;
    long saved = saves ? now + job.savesAfterMillis : now;
    long deadline = Math.max(now, stop.deadlineMillis());
    long wanted = saved + job.stopsAfterMillis + part.rank() * job.staggerMillis;
    boolean byItself = job.stopsAfterMillis != JobSketch.NEVER && wanted <= deadline;
    process.told = true;
    process.goneAtMillis =
        job.stubborn
            ? Long.MAX_VALUE
            : Math.min(process.goneAtMillis, byItself ? wanted : deadline);
    process.exitSignal = OptionalInt.of(byItself ? SIGTERM : SIGKILL);
    if (saves && part.rank() == 0 && process.phase == PartPhase.RUNNING && saved <= deadline) {
      process.savedSeq = stop.requestSeq();
      at(saved, process, Kind.SAVED);
    }
    if (process.goneAtMillis != Long.MAX_VALUE) {
      at(process.goneAtMillis, process, Kind.GONE);
    }
  }

  private void askToSave(Attempt attempt, Part part, long now) {
    TreeMap<Integer, Running> ranks = processes.get(attempt.key());
    Running process = ranks == null ? null : ranks.get(part.rank());
    JobSketch job = habits.apply(attempt.key());
    boolean saves = part.rank() == 0 && job.savesAfterMillis != JobSketch.NEVER;
    if (process != null && saves && process.askedSeq < attempt.newestSaveRequest()) {
      process.askedSeq = attempt.newestSaveRequest();
      at(now + job.savesAfterMillis, process, Kind.SAVED_ON_REQUEST);
    }
  }

  private void at(long millis, Running process, Kind kind) {
    due.add(new Due(millis, order++, process, kind));
  }

  // Time

  OptionalLong nextDueMillis() {
    return due.isEmpty() ? OptionalLong.empty() : OptionalLong.of(due.peek().atMillis());
  }

  /** Does what is due; whether anything was. */
  boolean run(long now) {
    boolean any = false;
    while (!due.isEmpty() && due.peek().atMillis() <= now) {
      Due next = due.poll();
      if (isAlive(next.process)) {
        happen(next, now);
        any = true;
      }
    }
    return any;
  }

  private boolean isAlive(Running process) {
    TreeMap<Integer, Running> ranks = processes.get(process.attempt);
    return ranks != null && ranks.get(process.rank) == process;
  }

  private void happen(Due next, long now) {
    Running process = next.process;
    switch (next.kind) {
      case LAUNCH -> tell(process);
      case RUN -> {
        if (process.phase == PartPhase.STARTING && !process.told) {
          move(process, PartPhase.RUNNING);
        }
      }
      case SAVED -> {
        if (process.phase == PartPhase.RUNNING) {
          save(process, process.savedSeq, now);
        }
      }
      case SAVED_ON_REQUEST -> {
        if (process.phase == PartPhase.RUNNING) {
          save(process, process.askedSeq, now);
        }
      }
      case GONE -> {
        if (process.phase.compareTo(PartPhase.EXITED) < 0 && process.goneAtMillis <= now) {
          boolean saved = process.savedSeq > 0 && process.progress.ackSeq() == process.savedSeq;
          process.exitCode = saved ? OptionalInt.of(0) : OptionalInt.empty();
          process.exitSignal = saved ? OptionalInt.empty() : process.exitSignal;
          move(process, PartPhase.FREE);
        }
      }
      case FREE -> {
        if (process.phase == PartPhase.EXITED) {
          move(process, PartPhase.FREE);
        }
      }
    }
  }

  private void move(Running process, PartPhase phase) {
    process.before = process.report();
    process.phase = phase;
    process.version++;
    tell(process);
    if (phase.isFree() && !cutOff.contains(process.node)) {
      processes.get(process.attempt).remove(process.rank);
    }
  }

  private void tell(Running process) {
    if (process.version == 0) {
      process.version = 1;
    }
    if (!cutOff.contains(process.node)) {
      scheduler.accept(process.report());
    }
  }

  private void save(Running process, long ackSeq, long now) {
    Progress known = process.progress;
    process.progress =
        new Progress(
            known.step(),
            known.productiveSinceMillis().isPresent()
                ? known.productiveSinceMillis()
                : OptionalLong.of(now),
            new Checkpoint(OptionalLong.empty(), now, now),
            Math.max(known.ackSeq(), ackSeq),
            known.done());
    tell(process);
  }

  // What jobs do by themselves

  private List<Running> of(AttemptKey attempt) {
    TreeMap<Integer, Running> ranks = processes.get(attempt);
    return ranks == null ? List.of() : new ArrayList<>(ranks.values());
  }

  /** All its processes exit; the devices are proven free some time later. */
  void exit(AttemptKey attempt, int code, long freeAfterMillis, long now) {
    for (Running process : of(attempt)) {
      exit(process, code, freeAfterMillis, now);
    }
  }

  /** One of its processes exits. */
  void exitRank(AttemptKey attempt, int rank, int code, long now) {
    for (Running process : of(attempt)) {
      if (process.rank == rank) {
        exit(process, code, 0, now);
      }
    }
  }

  private void exit(Running process, int code, long freeAfterMillis, long now) {
    if (process.phase.compareTo(PartPhase.EXITED) >= 0) {
      return;
    }
    process.exitCode = OptionalInt.of(code);
    process.exitSignal = OptionalInt.empty();
    process.exitedBeforeStop = !process.told;
    move(process, PartPhase.EXITED);
    at(now + freeAfterMillis, process, Kind.FREE);
  }

  /** A process could not be started. */
  void failStart(AttemptKey attempt) {
    for (Running process : of(attempt)) {
      if (process.phase == PartPhase.STARTING) {
        move(process, PartPhase.START_FAILED);
        return;
      }
    }
  }

  /** It saves by itself. */
  void checkpoint(AttemptKey attempt, long now) {
    of(attempt).stream()
        .filter(process -> process.rank == 0 && process.phase == PartPhase.RUNNING)
        .forEach(process -> save(process, 0, now));
  }

  /** It says that it is done. */
  void sayDone(AttemptKey attempt) {
    for (Running process : of(attempt)) {
      if (process.rank == 0 && process.phase == PartPhase.RUNNING) {
        Progress known = process.progress;
        process.progress =
            new Progress(
                known.step(),
                known.productiveSinceMillis(),
                known.checkpoint(),
                known.ackSeq(),
                true);
        tell(process);
      }
    }
  }

  /** What it was told to is done now. */
  void stopNow(AttemptKey attempt, long now) {
    for (Running process : of(attempt)) {
      if (process.told) {
        process.goneAtMillis = now;
        at(now, process, Kind.GONE);
      }
    }
  }

  /** Its agents say again what they said, the older first. */
  void repeat(AttemptKey attempt) {
    for (Running process : of(attempt)) {
      if (!cutOff.contains(process.node)) {
        scheduler.accept(process.report());
        if (process.before != null) {
          scheduler.accept(process.before);
        }
      }
    }
  }

  // Nodes

  void cutOff(String node) {
    cutOff.add(node);
  }

  /** Nothing runs on a node any more. */
  void kill(String node) {
    for (TreeMap<Integer, Running> ranks : processes.values()) {
      ranks.values().removeIf(process -> process.node.equals(node));
    }
  }

  boolean isCutOff(String node) {
    return cutOff.contains(node);
  }

  /** Attempts that a node's agent knows. */
  Set<AttemptKey> knownOn(String node) {
    Set<AttemptKey> known = new TreeSet<>();
    for (Map.Entry<AttemptKey, TreeMap<Integer, Running>> entry : processes.entrySet()) {
      if (entry.getValue().values().stream().anyMatch(process -> process.node.equals(node))) {
        known.add(entry.getKey());
      }
    }
    return known;
  }

  /** A node is heard again: it can be told things, and says how everything is. */
  void reconnect(String node) {
    cutOff.remove(node);
    for (AttemptKey attempt : knownOn(node)) {
      for (Running process : of(attempt)) {
        if (process.node.equals(node)) {
          tell(process);
          if (process.phase.isFree()) {
            processes.get(attempt).remove(process.rank);
          }
        }
      }
    }
  }
}
