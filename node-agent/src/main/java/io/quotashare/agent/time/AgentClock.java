package io.quotashare.agent.time;

import java.time.Instant;

/** The two clocks that the agent knows. Nothing else reads time, so a test can stand in for it. */
public interface AgentClock {

  /**
   * Milliseconds since the host was booted, time asleep included (CLOCK_BOOTTIME). Never goes back;
   * the same for every process of the host. All deadlines and leases count in it.
   */
  long bootMillis();

  /** Wall-clock time. For reports and files that people and jobs read, never for a deadline. */
  Instant wallTime();
}
