package io.quotashare.agent.supervise;

import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Starts attempts under a supervisor that outlives the agent, and looks at what became of them
 * (node-agent 4.2).
 *
 * <p>An attempt is named by its run folder, an absolute path that exists and is used once. All that
 * is known of it lies there, so an agent that was restarted can go on with attempts that another
 * process started. No method waits for a job. Not for use by several threads, but for {@link
 * #owns}. Every method throws {@link java.io.UncheckedIOException} if the run folder cannot be read
 * or written.
 */
public interface JobSupervisor {

  /**
   * Starts the supervisor of an attempt. Whatever goes wrong, also at once, is told by {@link
   * #observe} as {@link Observation.Failed}.
   */
  void launch(LaunchSpec spec);

  /**
   * Goes on with an attempt that an earlier agent process saw running. Whatever its run folder says
   * since, it counts as started.
   */
  void adopt(Path runDir, StartedRecord started);

  /** What is true of the attempt now. */
  Observation observe(Path runDir);

  /** Makes these the instants of SIGTERM and SIGKILL, in place of earlier ones. */
  void scheduleStop(Path runDir, StopTimes times);

  /**
   * Sets the end of the lease.
   *
   * @param deadlineBootMillis when the supervisor stops the attempt by itself, on the clock of
   *     {@link io.quotashare.agent.time.AgentClock#bootMillis}; empty: never
   */
  void setLease(Path runDir, OptionalLong deadlineBootMillis);

  /**
   * Kills the supervisor itself and then everything of the attempt: for a supervisor that does not
   * do its work. The attempt then ends without an exit record.
   */
  void destroy(Path runDir);

  /** Drops what is remembered of an attempt that has ended. Its files stay. */
  void forget(Path runDir);

  /** Whether somebody on this host holds the lock of a device. */
  DeviceLock lock(String deviceUuid);

  /** Whether the process belongs to an attempt whose run folder lies in {@code attemptsDir}. */
  boolean owns(Path attemptsDir, int pid);
}
