package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.supervise.DeviceLock;
import io.quotashare.agent.supervise.JobSupervisor;
import io.quotashare.agent.time.AgentClock;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What stands between the end of an attempt and the next use of its devices (node-agent 4.2): the
 * lock is free, the driver lists no process, the memory is back to idle. Devices that do not get
 * there in time are quarantined. Used by the agent's thread alone.
 */
final class ReleaseGate {
  /** Between two looks at devices that are not empty yet. */
  static final long PROBE_INTERVAL_MILLIS = 500;

  private final List<String> deviceUuids;
  private final long deadlineBootMillis;
  private final AgentClock clock;
  private boolean passed;
  private boolean probing;
  private long nextProbeBootMillis;
  private Map<String, String> quarantined = Map.of();

  /** A gate for devices whose processes are all gone. */
  ReleaseGate(List<String> deviceUuids, long timeoutMillis, AgentClock clock) {
    this.deviceUuids = List.copyOf(deviceUuids);
    this.clock = requireNonNull(clock, "clock is null");
    this.nextProbeBootMillis = clock.bootMillis();
    this.deadlineBootMillis = nextProbeBootMillis + timeoutMillis;
    this.passed = deviceUuids.isEmpty();
  }

  /** Whether every device is free or quarantined. */
  boolean passed() {
    return passed;
  }

  /** Devices that could not be proven free, and why. */
  Map<String, String> quarantined() {
    return quarantined;
  }

  /** Looks again, if it is time to. */
  void step(JobSupervisor supervisor, DeviceGate devices) {
    if (passed || probing || clock.bootMillis() < nextProbeBootMillis) {
      return;
    }
    Map<String, String> locked = locked(supervisor, deviceUuids);
    if (!locked.isEmpty()) {
      judge(locked);
      return;
    }
    probing = true;
    devices.probe(
        deviceUuids,
        busy -> {
          probing = false;
          judge(busy);
        });
  }

  private void judge(Map<String, String> busy) {
    long now = clock.bootMillis();
    passed = busy.isEmpty() || now >= deadlineBootMillis;
    quarantined = passed ? Map.copyOf(busy) : Map.of();
    nextProbeBootMillis = now + PROBE_INTERVAL_MILLIS;
  }

  /** Which devices somebody on this host has locked, and who. */
  static Map<String, String> locked(JobSupervisor supervisor, List<String> deviceUuids) {
    Map<String, String> locked = new TreeMap<>();
    for (String uuid : deviceUuids) {
      try {
        DeviceLock lock = supervisor.lock(uuid);
        if (!lock.free()) {
          locked.put(uuid, "locked by " + (lock.holder().isEmpty() ? "somebody" : lock.holder()));
        }
      } catch (UncheckedIOException e) {
        locked.put(uuid, "of unknown state: its lock cannot be read: " + e.getMessage());
      }
    }
    return locked;
  }
}
