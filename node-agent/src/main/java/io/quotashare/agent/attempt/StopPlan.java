package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.supervise.StopTimes;
import io.quotashare.proto.agent.v1.StopReason;
import java.time.Instant;

/**
 * The stop ladder of one attempt (node-agent 5.3): ask to save, SIGTERM, SIGKILL. The supervisor
 * keeps the times, so the ladder is climbed without the agent too. Instants are on the clock of
 * {@link io.quotashare.agent.time.AgentClock#bootMillis}.
 *
 * @param seq request of the scheduler, from 1
 * @param reason why
 * @param requestedAt when the agent was told, wall clock
 * @param saveFirst the job is asked to save before SIGTERM
 * @param termBootMillis SIGTERM at the latest
 * @param killBootMillis SIGKILL
 * @param confirmed the job has confirmed that it saved
 */
record StopPlan(
    long seq,
    StopReason reason,
    Instant requestedAt,
    boolean saveFirst,
    long termBootMillis,
    long killBootMillis,
    boolean confirmed) {

  /** A job that has confirmed exits by itself; SIGTERM is for the one that does not. */
  static final long CONFIRMED_EXIT_MILLIS = 2_000;

  /** Checks the order. */
  StopPlan {
    requireNonNull(reason, "reason is null");
    requireNonNull(requestedAt, "requestedAt is null");
    if (killBootMillis < termBootMillis) {
      throw new IllegalArgumentException(
          "killBootMillis: " + killBootMillis + " (expected: >= " + termBootMillis + ")");
    }
  }

  /**
   * The plan of a command.
   *
   * @param nowBootMillis when it was received
   * @param killBootMillis its deadline
   * @param termGraceMillis from SIGTERM to SIGKILL at least
   */
  static StopPlan of(
      long seq,
      StopReason reason,
      Instant requestedAt,
      boolean saveFirst,
      long nowBootMillis,
      long killBootMillis,
      long termGraceMillis) {
    long kill = Math.max(nowBootMillis, killBootMillis);
    long term = saveFirst ? Math.max(nowBootMillis, kill - termGraceMillis) : nowBootMillis;
    return new StopPlan(seq, reason, requestedAt, saveFirst, term, kill, false);
  }

  /** Both plans hold: a stop that was asked for is never put off by a later one. */
  StopPlan tightenedBy(StopPlan later) {
    return new StopPlan(
        later.seq,
        later.reason,
        requestedAt,
        saveFirst && later.saveFirst,
        Math.min(termBootMillis, later.termBootMillis),
        Math.min(killBootMillis, later.killBootMillis),
        confirmed && seq == later.seq);
  }

  /** The job has confirmed: SIGTERM need not wait for its time. */
  StopPlan confirmedAt(long nowBootMillis) {
    long term = Math.min(termBootMillis, nowBootMillis + CONFIRMED_EXIT_MILLIS);
    return new StopPlan(
        seq, reason, requestedAt, saveFirst, Math.min(term, killBootMillis), killBootMillis, true);
  }

  StopTimes times() {
    return new StopTimes(termBootMillis, killBootMillis);
  }
}
