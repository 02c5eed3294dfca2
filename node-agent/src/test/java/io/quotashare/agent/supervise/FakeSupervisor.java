package io.quotashare.agent.supervise;

import io.quotashare.agent.time.AgentClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A supervisor without processes. It keeps the times that it is given, as a real one does, and the
 * test says what the job does. It outlives the agent that uses it, as real ones do.
 */
public final class FakeSupervisor implements JobSupervisor {
  private final AgentClock clock;
  private final Map<Path, LaunchSpec> launched = new HashMap<>();
  private final Map<Path, Observation> seen = new HashMap<>();
  private final Map<Path, StopTimes> stops = new HashMap<>();
  private final Map<Path, OptionalLong> leases = new HashMap<>();
  private final Map<Path, StartedRecord> adopted = new HashMap<>();
  private final List<Path> destroyed = new ArrayList<>();
  private final Map<String, DeviceLock> locks = new HashMap<>();
  private final Set<Path> unreadable = new HashSet<>();

  /** No attempts yet. */
  public FakeSupervisor(AgentClock clock) {
    this.clock = clock;
  }

  public Optional<LaunchSpec> launched(Path runDir) {
    return Optional.ofNullable(launched.get(runDir));
  }

  public Optional<StopTimes> stop(Path runDir) {
    return Optional.ofNullable(stops.get(runDir));
  }

  public Optional<OptionalLong> lease(Path runDir) {
    return Optional.ofNullable(leases.get(runDir));
  }

  public boolean isDestroyed(Path runDir) {
    return destroyed.contains(runDir);
  }

  /** Makes this what is seen of an attempt. */
  public void set(Path runDir, Observation observation) {
    seen.put(runDir, observation);
  }

  /** The program is in place. */
  public void running(Path runDir) {
    set(runDir, new Observation.Running(started(), Ladder.NONE));
  }

  /** The main process runs, and was sent SIGTERM now. */
  public void termSent(Path runDir) {
    set(
        runDir,
        new Observation.Running(
            started(), new Ladder(Optional.of(clock.wallTime()), Optional.empty())));
  }

  /** Everything is gone; the main process exited by itself. */
  public void ended(Path runDir, int code) {
    ended(runDir, OptionalInt.of(code), OptionalInt.empty(), ExitRecord.Cause.OWN);
  }

  /** Everything is gone. */
  public void ended(Path runDir, OptionalInt code, OptionalInt signal, ExitRecord.Cause cause) {
    ExitRecord exit = new ExitRecord(code, signal, cause, Ladder.NONE, clock.wallTime());
    set(runDir, new Observation.Ended(started(), Ladder.NONE, Optional.of(exit), false));
  }

  /** Everything is gone, and nobody saw how. */
  public void lost(Path runDir, boolean rebooted) {
    set(runDir, new Observation.Ended(started(), Ladder.NONE, Optional.empty(), rebooted));
  }

  /** Makes this the state of a lock. */
  public void setLock(String device, DeviceLock lock) {
    locks.put(device, lock);
  }

  /** Whether looking at an attempt fails. */
  public void setUnreadable(Path runDir, boolean fails) {
    if (fails) {
      unreadable.add(runDir);
    } else {
      unreadable.remove(runDir);
    }
  }

  /** The run folder is gone: another attempt may have one of this name. */
  public void folderRemoved(Path runDir) {
    launched.remove(runDir);
    seen.remove(runDir);
  }

  /** What a start that was made at the beginning of all time leaves. */
  public static StartedRecord started() {
    return new StartedRecord(
        new ProcessIdentity(100, 1),
        new ProcessIdentity(101, 2),
        "boot",
        Instant.parse("2030-01-01T00:00:00Z"));
  }

  @Override
  public void launch(LaunchSpec spec) {
    if (launched.putIfAbsent(spec.runDir(), spec) != null) {
      throw new AssertionError("launched twice: " + spec.runDir());
    }
    setLease(spec.runDir(), spec.leaseBootMillis());
    seen.putIfAbsent(spec.runDir(), new Observation.Launching());
  }

  @Override
  public void adopt(Path runDir, StartedRecord started) {
    adopted.put(runDir, started);
  }

  /** How an attempt was seen running by an earlier agent. */
  public Optional<StartedRecord> adopted(Path runDir) {
    return Optional.ofNullable(adopted.get(runDir));
  }

  @Override
  public Observation observe(Path runDir) {
    if (unreadable.contains(runDir)) {
      throw new UncheckedIOException(new IOException("unreadable"));
    }
    return seen.getOrDefault(runDir, new Observation.Launching());
  }

  @Override
  public void scheduleStop(Path runDir, StopTimes times) {
    stops.put(runDir, times);
  }

  @Override
  public void setLease(Path runDir, OptionalLong deadlineBootMillis) {
    leases.put(runDir, deadlineBootMillis);
  }

  @Override
  public void destroy(Path runDir) {
    destroyed.add(runDir);
  }

  @Override
  public DeviceLock lock(String deviceUuid) {
    return locks.getOrDefault(deviceUuid, DeviceLock.FREE);
  }

  @Override
  public void forget(Path runDir) {}

  @Override
  public boolean owns(Path attemptsDir, int pid) {
    return false;
  }
}
