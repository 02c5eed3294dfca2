package io.quotashare.core.replay;

import static io.quotashare.core.model.Check.checkState;

import io.quotashare.core.PartReport;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Checkpoint;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.Progress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One placement of a virtual job: how far it is, and what its agents last said. Work advances with
 * time while it runs and is not paused.
 */
final class VirtualAttempt {
  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;

  private final AttemptKey key;
  private final JobWork work;
  private final List<String> nodes = new ArrayList<>();
  private final boolean[] dead;
  private final Map<Due.Kind, Integer> tickets = new EnumMap<>(Due.Kind.class);
  private final long resumedFromMillis;
  private long version;

  private boolean running;
  private OptionalLong runningSinceMillis = OptionalLong.empty();

  /** Work up to {@link #countedAtMillis}; grows from there on unless paused. */
  private long workedMillis;

  private long countedAtMillis;
  private boolean paused;

  private @Nullable Checkpoint checkpoint;
  private long captureWorkMillis;
  private long captureAtMillis;
  private long captureSeq;
  private long ackSeq;

  private boolean leaving;
  private long goneAtMillis;
  private boolean killed;

  VirtualAttempt(Attempt attempt, JobWork work) {
    this.key = attempt.key();
    this.work = work;
    this.resumedFromMillis = work.durableMillis();
    this.workedMillis = resumedFromMillis;
    for (Part part : attempt.parts()) {
      nodes.add(part.node());
      version = Math.max(version, part.reportVersion());
    }
    this.dead = new boolean[nodes.size()];
  }

  AttemptKey key() {
    return key;
  }

  boolean isRunning() {
    return running;
  }

  boolean isLeaving() {
    return leaving;
  }

  long goneAtMillis() {
    return goneAtMillis;
  }

  /** A new ticket of a kind: what is due under an older one no longer happens. */
  int newTicket(Due.Kind kind) {
    return tickets.merge(kind, 1, Integer::sum);
  }

  boolean isValid(Due.Kind kind, int ticket) {
    return tickets.getOrDefault(kind, 0) == ticket;
  }

  /** All nodes run from now on, or have since {@code sinceMillis}. */
  void run(long sinceMillis, long nowMillis) {
    running = true;
    runningSinceMillis = OptionalLong.of(sinceMillis);
    workedMillis = resumedFromMillis + nowMillis - sinceMillis;
    countedAtMillis = nowMillis;
  }

  /** Work advances no further until {@link #resume}. */
  void pause(long nowMillis) {
    count(nowMillis);
    paused = true;
  }

  void resume(long nowMillis) {
    count(nowMillis);
    paused = false;
  }

  /** When the work will be complete; empty if never as things stand. */
  OptionalLong endAtMillis(long nowMillis) {
    if (!running || paused || work.durationMillis().isEmpty()) {
      return OptionalLong.empty();
    }
    count(nowMillis);
    return OptionalLong.of(
        nowMillis + Math.max(0, work.durationMillis().getAsLong() - workedMillis));
  }

  /** When it will next make a checkpoint by itself; empty if never as things stand. */
  OptionalLong nextCheckpointMillis(long nowMillis) {
    if (!running || paused || work.checkpointEveryMillis().isEmpty()) {
      return OptionalLong.empty();
    }
    count(nowMillis);
    long every = work.checkpointEveryMillis().getAsLong();
    long next = nowMillis + every - (workedMillis - resumedFromMillis) % every;
    OptionalLong end = endAtMillis(nowMillis);
    return end.isPresent() && end.getAsLong() <= next
        ? OptionalLong.empty()
        : OptionalLong.of(next);
  }

  /** Its state of now is durable at once. */
  void checkpoint(long nowMillis) {
    count(nowMillis);
    checkpoint = new Checkpoint(OptionalLong.empty(), nowMillis, nowMillis);
    work.saved(workedMillis);
  }

  /** A checkpoint that was durable before the replay began. */
  void hadCheckpoint(long stateAtMillis) {
    checkState(runningSinceMillis.isPresent(), "attempt %s has not run", key);
    checkpoint = new Checkpoint(OptionalLong.empty(), stateAtMillis, stateAtMillis);
    work.saved(stateAtMillis - runningSinceMillis.getAsLong());
  }

  /** It is asked to save: the state of now is captured and work stands still meanwhile. */
  void capture(long requestSeq, long nowMillis) {
    pause(nowMillis);
    captureWorkMillis = workedMillis;
    captureAtMillis = nowMillis;
    captureSeq = requestSeq;
  }

  /** What was captured is durable. */
  void captured(long nowMillis) {
    checkpoint = new Checkpoint(OptionalLong.empty(), captureAtMillis, nowMillis);
    work.saved(captureWorkMillis);
    ackSeq = captureSeq;
  }

  /**
   * It was told to stop.
   *
   * @param goneMillis when its devices are free
   * @param atDeadline whether it is killed rather than ending by itself
   */
  void leave(long goneMillis, boolean atDeadline) {
    leaving = true;
    goneAtMillis = goneMillis;
    killed = atDeadline;
  }

  /**
   * Nothing of it runs on a node any more.
   *
   * @return whether nothing of it runs anywhere
   */
  boolean nodeDied(String node, long nowMillis) {
    boolean allDead = true;
    for (int rank = 0; rank < dead.length; rank++) {
      dead[rank] |= nodes.get(rank).equals(node);
      allDead &= dead[rank];
    }
    if (running) {
      pause(nowMillis);
    }
    return allDead;
  }

  boolean isOn(String node) {
    return nodes.contains(node);
  }

  boolean isBroken() {
    for (boolean rank : dead) {
      if (rank) {
        return true;
      }
    }
    return false;
  }

  /** What its agents say while it lives. */
  List<PartReport> reports(PartPhase phase) {
    return reports(phase, OptionalInt.empty(), OptionalInt.empty(), false);
  }

  /** What its first agent says of the job's progress; the others have nothing new to say. */
  List<PartReport> progressReports() {
    List<PartReport> all = reports(PartPhase.RUNNING);
    return all.isEmpty() || all.get(0).rank() != 0 ? List.of() : all.subList(0, 1);
  }

  /** What its agents say once its work is complete. */
  List<PartReport> endReports() {
    return reports(PartPhase.FREE, OptionalInt.of(0), OptionalInt.empty(), true);
  }

  /** What its agents say once it has stopped because it was told to. */
  List<PartReport> goneReports() {
    boolean endedWell = captureSeq > 0 && ackSeq == captureSeq && !killed;
    return endedWell
        ? reports(PartPhase.FREE, OptionalInt.of(0), OptionalInt.empty(), false)
        : reports(
            PartPhase.FREE, OptionalInt.empty(), OptionalInt.of(killed ? SIGKILL : SIGTERM), false);
  }

  private List<PartReport> reports(
      PartPhase phase, OptionalInt exitCode, OptionalInt exitSignal, boolean done) {
    version++;
    Progress progress =
        new Progress(OptionalLong.empty(), runningSinceMillis, checkpoint, ackSeq, done);
    List<PartReport> reports = new ArrayList<>(nodes.size());
    for (int rank = 0; rank < nodes.size(); rank++) {
      if (!dead[rank]) {
        reports.add(
            new PartReport(
                key,
                rank,
                version,
                phase,
                exitCode,
                exitSignal,
                done && !leaving,
                "",
                rank == 0 ? progress : Progress.NONE));
      }
    }
    return reports;
  }

  private void count(long nowMillis) {
    if (running && !paused) {
      workedMillis += nowMillis - countedAtMillis;
    }
    countedAtMillis = nowMillis;
  }
}
