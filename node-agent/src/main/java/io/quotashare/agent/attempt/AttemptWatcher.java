package io.quotashare.agent.attempt;

import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_EXITED;
import static io.quotashare.proto.agent.v1.AttemptPhase.ATTEMPT_PHASE_STARTING;

import io.quotashare.agent.attempt.AttemptTransitions.Event;
import io.quotashare.agent.supervise.ExitRecord;
import io.quotashare.agent.supervise.JobSupervisor;
import io.quotashare.agent.supervise.Ladder;
import io.quotashare.agent.supervise.LaunchFailure;
import io.quotashare.agent.supervise.Observation;
import io.quotashare.agent.supervise.StartedRecord;
import io.quotashare.agent.time.AgentClock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at one attempt after the other and moves each on. Used by the agent's thread alone. */
final class AttemptWatcher {
  /** Between two looks at a progress file that nobody waits for. */
  static final long PROGRESS_INTERVAL_MILLIS = 1_000;

  /** How late a supervisor may be with SIGKILL before it is killed itself. */
  static final long OVERDUE_MILLIS = 5_000;

  private static final Logger log = LoggerFactory.getLogger(AttemptWatcher.class);

  private final JobSupervisor supervisor;
  private final RunFolders folders;
  private final AttemptRegistry registry;
  private final DeviceGate devices;
  private final Quarantine quarantine;
  private final AttemptSettings settings;
  private final AgentClock clock;

  AttemptWatcher(
      JobSupervisor supervisor,
      RunFolders folders,
      AttemptRegistry registry,
      DeviceGate devices,
      Quarantine quarantine,
      AttemptSettings settings,
      AgentClock clock) {
    this.supervisor = supervisor;
    this.folders = folders;
    this.registry = registry;
    this.devices = devices;
    this.quarantine = quarantine;
    this.settings = settings;
    this.clock = clock;
  }

  /** Moves the attempt on as far as it goes now. */
  void step(Attempt attempt) {
    if (attempt.phase() == ATTEMPT_PHASE_EXITED) {
      release(attempt);
      return;
    }
    if (!attempt.launched) {
      return;
    }
    Observation seen = supervisor.observe(folders.of(attempt.name()));
    if (seen instanceof Observation.Failed failed) {
      failed(attempt, failed.failure());
    } else if (seen instanceof Observation.Running running) {
      running(attempt, running.started(), running.ladder());
    } else if (seen instanceof Observation.Exited exited) {
      running(attempt, exited.started(), exited.exit().ladder());
    } else if (seen instanceof Observation.Orphaned orphaned) {
      running(attempt, orphaned.started(), orphaned.ladder());
    } else if (seen instanceof Observation.Ended ended) {
      ended(attempt, ended);
    } else {
      destroyIfStuck(attempt);
    }
  }

  private void failed(Attempt attempt, LaunchFailure failure) {
    attempt.explain(
        attempt
            .destroyedText()
            .orElseGet(() -> FailureText.of(failure, attempt, settings, folders)));
    if (failure.stage() == LaunchFailure.Stage.LOCK) {
      quarantine.add(Map.of(failure.detail(), "locked by another supervisor"));
      attempt.devicesRefused(List.of(failure.detail()));
    }
    // One that did not start in time was destroyed, which leaves the same.
    if (failure.stage() == LaunchFailure.Stage.INTERRUPTED && attempt.destroyedText().isEmpty()) {
      attempt.notStartedByNode();
    }
    attempt.apply(Event.LAUNCH_FAILED);
    log.warn("{}: could not be started: {}", attempt.name(), attempt.status().getDetail());
  }

  private void running(Attempt attempt, StartedRecord started, Ladder ladder) {
    started(attempt, started);
    attempt.signalled(ladder);
    long now = clock.bootMillis();
    boolean waiting =
        attempt.requestSeq() > attempt.progress().map(ProgressReport::ackSeq).orElse(0L);
    if (waiting || now >= attempt.nextProgressBootMillis) {
      attempt.nextProgressBootMillis = now + PROGRESS_INTERVAL_MILLIS;
      readProgress(attempt);
    }
    hurryIfConfirmed(attempt);
    destroyIfStuck(attempt);
  }

  private void started(Attempt attempt, StartedRecord started) {
    if (attempt.phase() == ATTEMPT_PHASE_STARTING) {
      if (attempt.started().isEmpty()) {
        registry.record(new AttemptJournal.Started(attempt.name(), started));
      }
      attempt.startedAs(started);
      attempt.apply(Event.STARTED);
      log.info("{}: runs as process {}", attempt.name(), started.main().pid());
    }
  }

  private void readProgress(Attempt attempt) {
    Instant now = clock.wallTime();
    try {
      Optional<byte[]> file = folders.readProgress(attempt.name());
      if (file.isPresent()) {
        Instant startedAt = attempt.started().map(StartedRecord::startedAt).orElse(now);
        ProgressReport report =
            new ProgressParser(
                    folders.checkpointDir(attempt.name()),
                    path -> folders.checkpointModifiedAt(attempt.name(), path))
                .parse(file.get(), startedAt, now, attempt.requestSeq());
        attempt.progressed(report, now);
      }
    } catch (ProgressRefusedException e) {
      if (attempt.complain(e.getMessage())) {
        log.warn("{}: its progress file is refused: {}", attempt.name(), e.getMessage());
      }
    }
  }

  /** A job that has saved as it was asked to need not be waited for until its deadline. */
  private void hurryIfConfirmed(Attempt attempt) {
    Optional<StopPlan> stop = attempt.stop();
    if (stop.isEmpty() || stop.get().confirmed() || !stop.get().saveFirst()) {
      return;
    }
    if (attempt.progress().filter(report -> report.ackSeq() >= stop.get().seq()).isPresent()) {
      log.info("{}: has confirmed that it saved", attempt.name());
      StopPlan hurried = stop.get().confirmedAt(clock.bootMillis());
      supervisor.scheduleStop(folders.of(attempt.name()), hurried.times());
      attempt.stopping(hurried);
    }
  }

  private void destroyIfStuck(Attempt attempt) {
    long now = clock.bootMillis();
    boolean notStarted =
        attempt.phase() == ATTEMPT_PHASE_STARTING
            && now - attempt.sinceBootMillis >= settings.startTimeoutMillis();
    boolean notKilled =
        attempt.stop().filter(plan -> now >= plan.killBootMillis() + OVERDUE_MILLIS).isPresent();
    if (attempt.destroyedText().isPresent() || !(notStarted || notKilled)) {
      return;
    }
    String why =
        notStarted
            ? "its program was not started within " + settings.startTimeoutMillis() + " ms"
            : "its supervisor did not kill it at the deadline";
    log.error("{}: {}; killing the supervisor", attempt.name(), why);
    attempt.destroyedBecause(why);
    supervisor.destroy(folders.of(attempt.name()));
  }

  private void ended(Attempt attempt, Observation.Ended ended) {
    attempt.startedAs(ended.started());
    // Its last words, which may be the confirmation.
    readProgress(attempt);
    attempt.signalled(ended.ladder());
    Optional<ExitRecord> exit = ended.exit();
    attempt.exited(
        exit.map(ExitRecord::code).orElse(OptionalInt.empty()),
        exit.map(ExitRecord::signal).orElse(OptionalInt.empty()),
        exit.map(ExitRecord::exitedAt).orElse(clock.wallTime()));
    attempt.explain(FailureText.end(attempt, ended));
    attempt.apply(Event.TREE_GONE);
    attempt.gate =
        Optional.of(
            new ReleaseGate(attempt.spec().deviceUuids(), settings.releaseTimeoutMillis(), clock));
    log.info(
        "{}: ended with {}",
        attempt.name(),
        exit.map(FailureText::exit).orElse(attempt.status().getDetail()));
    release(attempt);
  }

  private void release(Attempt attempt) {
    ReleaseGate gate = attempt.gate.orElseThrow();
    gate.step(supervisor, devices);
    if (!gate.passed()) {
      return;
    }
    if (!gate.quarantined().isEmpty()) {
      String reason = FailureText.devices(gate.quarantined());
      String detail = attempt.status().getDetail();
      attempt.explain(detail.isEmpty() ? reason : detail + "; " + reason);
      quarantine.add(gate.quarantined());
    }
    attempt.apply(Event.RELEASED);
    log.info("{}: its devices are released", attempt.name());
  }
}
