package io.quotashare.agent.inventory;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.nvml.RecoveryAction;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What occupies a device at this instant; read afresh from the driver for the release gate
 * (node-agent 4.2).
 */
public sealed interface Occupancy {

  /**
   * The driver has answered.
   *
   * @param pids processes with a compute, graphics or MPS context on the device, in the process ids
   *     of the driver's namespace
   * @param usedMemoryBytes memory in use, reserved memory left out where the driver can tell; empty
   *     if it cannot say
   * @param recoveryAction what the device asks for before it can be used again
   */
  record Known(Set<Integer> pids, OptionalLong usedMemoryBytes, RecoveryAction recoveryAction)
      implements Occupancy {
    /** Copies the set. */
    public Known {
      pids = Set.copyOf(requireNonNull(pids, "pids is null"));
      requireNonNull(usedMemoryBytes, "usedMemoryBytes is null");
      requireNonNull(recoveryAction, "recoveryAction is null");
    }
  }

  /**
   * Nobody can say. The device must not be taken for free.
   *
   * @param reason why, in words
   */
  record Unknown(String reason) implements Occupancy {
    /** Checks that there is a reason. */
    public Unknown {
      if (requireNonNull(reason, "reason is null").isBlank()) {
        throw new IllegalArgumentException("reason is blank");
      }
    }
  }
}
