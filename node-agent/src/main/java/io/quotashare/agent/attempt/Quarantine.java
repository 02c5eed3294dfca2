package io.quotashare.agent.attempt;

import io.quotashare.agent.supervise.JobSupervisor;
import io.quotashare.agent.time.AgentClock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Devices that were not free in time after an attempt. Each is looked at again and again, and let
 * out when it passes the gate. Not kept over a restart: then the driver tells what is on a device.
 */
final class Quarantine {
  static final long PROBE_INTERVAL_MILLIS = 10_000;
  private static final Logger log = LoggerFactory.getLogger(Quarantine.class);

  private final JobSupervisor supervisor;
  private final DeviceGate devices;
  private final AgentClock clock;
  private final Map<String, String> reasons = new TreeMap<>();
  private boolean probing;
  private long nextProbeBootMillis;

  Quarantine(JobSupervisor supervisor, DeviceGate devices, AgentClock clock) {
    this.supervisor = supervisor;
    this.devices = devices;
    this.clock = clock;
  }

  /** Devices in here, and why. */
  Map<String, String> reasons() {
    return Map.copyOf(reasons);
  }

  void add(Map<String, String> devicesAndReasons) {
    if (devicesAndReasons.isEmpty()) {
      return;
    }
    devicesAndReasons.forEach(
        (uuid, reason) -> log.error("device {} is quarantined: {}", uuid, reason));
    reasons.putAll(devicesAndReasons);
    nextProbeBootMillis = clock.bootMillis() + PROBE_INTERVAL_MILLIS;
  }

  void tick() {
    if (reasons.isEmpty() || probing || clock.bootMillis() < nextProbeBootMillis) {
      return;
    }
    nextProbeBootMillis = clock.bootMillis() + PROBE_INTERVAL_MILLIS;
    List<String> candidates = List.copyOf(reasons.keySet());
    Map<String, String> locked = ReleaseGate.locked(supervisor, candidates);
    List<String> unlocked = candidates.stream().filter(uuid -> !locked.containsKey(uuid)).toList();
    probing = true;
    devices.probe(
        unlocked,
        busy -> {
          probing = false;
          letOut(unlocked, busy);
        });
  }

  private void letOut(List<String> probed, Map<String, String> busy) {
    for (String uuid : probed) {
      if (!busy.containsKey(uuid)) {
        reasons.remove(uuid);
        log.info("device {} is empty again and leaves quarantine", uuid);
      }
    }
  }
}
