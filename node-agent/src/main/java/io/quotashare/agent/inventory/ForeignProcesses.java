package io.quotashare.agent.inventory;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds processes on a device that belong to no attempt.
 *
 * <p>The process of an attempt that has just ended may stand in the driver's list for a moment
 * after nobody knows it any more. So a process counts as one from outside when two looks in a row
 * find it; at the first look at a device it counts at once, since then no attempt of this agent has
 * ended there.
 */
final class ForeignProcesses {
  private final KnownProcesses known;
  private final Map<String, Set<Integer>> strangersBefore = new HashMap<>();

  ForeignProcesses(KnownProcesses known) {
    this.known = requireNonNull(known, "known is null");
  }

  /** Whether the device is used from outside, given the processes on it now. */
  boolean outside(String uuid, Set<Integer> pids) {
    Set<Integer> strangers =
        pids.stream()
            .filter(pid -> !known.belongsToAttempt(pid))
            .collect(Collectors.toUnmodifiableSet());
    Set<Integer> before = strangersBefore.put(uuid, strangers);
    return strangers.stream().anyMatch(pid -> before == null || before.contains(pid));
  }

  /** Forgets a device that is gone. */
  void forget(String uuid) {
    strangersBefore.remove(uuid);
  }
}
