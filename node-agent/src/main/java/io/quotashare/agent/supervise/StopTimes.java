package io.quotashare.agent.supervise;

/**
 * When a supervisor signals the job, on the clock of {@link
 * io.quotashare.agent.time.AgentClock#bootMillis}.
 *
 * @param termBootMillis SIGTERM to the main process
 * @param killBootMillis SIGKILL to every process; not before SIGTERM
 */
public record StopTimes(long termBootMillis, long killBootMillis) {
  /** Checks the order. */
  public StopTimes {
    if (termBootMillis < 0 || killBootMillis < termBootMillis) {
      throw new IllegalArgumentException(
          "termBootMillis: "
              + termBootMillis
              + ", killBootMillis: "
              + killBootMillis
              + " (expected: 0 <= term <= kill)");
    }
  }
}
