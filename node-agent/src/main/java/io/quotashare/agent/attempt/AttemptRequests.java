package io.quotashare.agent.attempt;

import io.quotashare.agent.attempt.AttemptJournal.Requested;
import io.quotashare.agent.supervise.JobSupervisor;
import io.quotashare.agent.time.AgentClock;
import io.quotashare.proto.agent.v1.StopReason;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks jobs to save, and brings them onto the stop ladder (node-agent 5.3). Used by the agent's
 * thread alone.
 */
final class AttemptRequests {
  private static final Logger log = LoggerFactory.getLogger(AttemptRequests.class);

  private final AttemptRegistry registry;
  private final JobSupervisor supervisor;
  private final RunFolders folders;
  private final AgentClock clock;

  AttemptRequests(
      AttemptRegistry registry, JobSupervisor supervisor, RunFolders folders, AgentClock clock) {
    this.registry = registry;
    this.supervisor = supervisor;
    this.folders = folders;
    this.clock = clock;
  }

  void checkpoint(Attempt attempt, long seq, StopReason reason) {
    Requested requested =
        new Requested(attempt.name(), seq, reason, clock.wallTime(), false, true, 0);
    registry.record(requested);
    attempt.requested(requested);
    writeControl(attempt, requested);
  }

  /**
   * Stops an attempt.
   *
   * @param timeLeftMillis until SIGKILL, 0 or more
   */
  void stop(Attempt attempt, long seq, StopReason reason, boolean saveFirst, long timeLeftMillis) {
    Requested requested =
        new Requested(
            attempt.name(),
            seq,
            reason,
            clock.wallTime(),
            true,
            saveFirst,
            clock.bootMillis() + timeLeftMillis);
    // On record or not, a full disk must not keep a job from being stopped.
    registry.record(requested);
    attempt.requested(requested);
    plan(attempt, requested);
    schedule(attempt);
    if (saveFirst) {
      writeControl(attempt, requested);
    }
  }

  /** Does again what an earlier agent process may have written down and not done. */
  void resume(Attempt attempt, List<Requested> requests) {
    for (Requested requested : requests) {
      attempt.requested(requested);
      if (requested.stop()) {
        plan(attempt, requested);
      }
    }
    if (attempt.stop().isPresent()) {
      schedule(attempt);
    }
    requests.stream()
        .filter(requested -> requested.saveFirst() && requested.seq() == attempt.requestSeq())
        .forEach(requested -> writeControl(attempt, requested));
  }

  private void plan(Attempt attempt, Requested requested) {
    StopPlan plan =
        StopPlan.of(
            requested.seq(),
            requested.reason(),
            requested.at(),
            requested.saveFirst(),
            // After a restart the request is older than now: what was due then is due now.
            Math.min(clock.bootMillis(), requested.killBootMillis()),
            requested.killBootMillis(),
            attempt.spec().termGraceMillis());
    attempt.stopping(attempt.stop().map(present -> present.tightenedBy(plan)).orElse(plan));
  }

  private void schedule(Attempt attempt) {
    StopPlan plan = attempt.stop().orElseThrow();
    log.info(
        "{}: stopping ({}), SIGTERM in {} ms, SIGKILL in {} ms",
        attempt.name(),
        text(plan.reason()),
        Math.max(0, plan.termBootMillis() - clock.bootMillis()),
        Math.max(0, plan.killBootMillis() - clock.bootMillis()));
    supervisor.scheduleStop(folders.of(attempt.name()), plan.times());
  }

  private void writeControl(Attempt attempt, Requested requested) {
    Optional<Instant> deadline =
        requested.stop()
            ? Optional.of(
                clock.wallTime().plusMillis(requested.killBootMillis() - clock.bootMillis()))
            : Optional.empty();
    folders.writeControl(
        attempt.name(), new ControlRequest(requested.seq(), text(requested.reason()), deadline));
  }

  private static String text(StopReason reason) {
    return reason.name().replaceFirst("^STOP_REASON_", "").toLowerCase(Locale.ROOT);
  }
}
