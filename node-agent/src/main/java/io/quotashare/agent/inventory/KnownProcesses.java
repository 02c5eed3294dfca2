package io.quotashare.agent.inventory;

/**
 * Tells the processes of attempts from those of anybody else. Called on the thread that looks at
 * the devices.
 */
@FunctionalInterface
public interface KnownProcesses {
  /** No process is known: every process on a device is one from outside. */
  KnownProcesses NONE = pid -> false;

  /**
   * Whether the process belongs to an attempt that this agent knows. Must be quick and must not
   * throw.
   *
   * @param pid process id as the driver reports it
   */
  boolean belongsToAttempt(int pid);
}
