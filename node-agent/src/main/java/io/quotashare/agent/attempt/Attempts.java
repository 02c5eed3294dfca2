package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.inventory.InventorySource;
import io.quotashare.agent.supervise.JobSupervisor;
import io.quotashare.agent.supervise.StartedRecord;
import io.quotashare.agent.time.AgentClock;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.CheckpointAttempt;
import io.quotashare.proto.agent.v1.StartAttempt;
import io.quotashare.proto.agent.v1.StopAttempt;
import io.quotashare.proto.agent.v1.StopReason;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All attempts of this node: takes commands, watches what runs, and keeps every report until the
 * scheduler has it.
 *
 * <p>Deterministic: time, processes, files and the driver are behind interfaces, and everything
 * happens on the agent's one thread, in {@link #tick} or in a command. No method waits for a job or
 * for the driver.
 */
public final class Attempts {
  private static final Logger log = LoggerFactory.getLogger(Attempts.class);

  private final JobSupervisor supervisor;
  private final RunFolders folders;
  private final AttemptJournal journal;
  private final AgentClock clock;
  private final AttemptSettings settings;
  private final AttemptRegistry registry;
  private final Quarantine quarantine;
  private final AttemptStarter starter;
  private final AttemptWatcher watcher;
  private final AttemptRequests requests;
  private OptionalLong leaseSentBootMillis = OptionalLong.empty();

  /** Attempts on these parts of the host. {@link #recover} comes first. */
  public Attempts(
      JobSupervisor supervisor,
      RunFolders folders,
      AttemptJournal journal,
      DeviceGate devices,
      InventorySource inventory,
      AgentClock clock,
      AttemptSettings settings) {
    this.supervisor = requireNonNull(supervisor, "supervisor is null");
    this.folders = requireNonNull(folders, "folders is null");
    this.journal = requireNonNull(journal, "journal is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.settings = requireNonNull(settings, "settings is null");
    this.registry = new AttemptRegistry(journal, folders, settings, clock);
    this.quarantine = new Quarantine(supervisor, devices, clock);
    this.starter =
        new AttemptStarter(
            supervisor, folders, registry, devices, inventory, quarantine, settings, clock);
    this.watcher =
        new AttemptWatcher(supervisor, folders, registry, devices, quarantine, settings, clock);
    this.requests = new AttemptRequests(registry, supervisor, folders, clock);
  }

  // ---- Restart ------------------------------------------------------------------------------

  /**
   * Finds again what an earlier agent process on this state folder left: what runs goes on under
   * its eyes, what ended meanwhile is reported. To be called once, before anything is registered.
   *
   * @throws IllegalStateException if the journal is damaged
   * @throws UncheckedIOException if the state folder cannot be read or written
   */
  public void recover() {
    Recovery recovery = Recovery.read(journal.load());
    registry.begin(recovery);
    recovery.open().forEach(this::adopt);
    for (AttemptName name : folders.list()) {
      if (!registry.isKnown(name)) {
        adoptUnknown(name);
      }
    }
    registry.compact();
    List<AttemptName> found = registry.live().stream().map(Attempt::name).toList();
    if (!found.isEmpty()) {
      log.info("found attempts of before: {}", found);
    }
    tick();
  }

  private void adopt(AttemptName name, Recovery.Open open) {
    Attempt attempt =
        new Attempt(open.intent().spec(), registry.firstVersion(), clock.bootMillis());
    registry.enter(attempt, open.intent().epoch());
    open.started().ifPresent(started -> goOn(attempt, started));
    attempt.launched = true;
    try {
      // Its job may have removed it: that it is not there does not say that nothing runs.
      if (!folders.exists(name)) {
        folders.create(attempt.spec());
      }
      requests.resume(attempt, open.requests());
    } catch (UncheckedIOException e) {
      // A job must not keep its agent from starting; it is looked at again in every tick.
      log.error("{}: its run folder cannot be used: {}", name, e.getMessage());
    }
  }

  private void goOn(Attempt attempt, StartedRecord started) {
    attempt.startedAs(started);
    supervisor.adopt(folders.of(attempt.name()), started);
  }

  /** A run folder without a word in the journal: the journal was taken away. */
  private void adoptUnknown(AttemptName name) {
    Optional<AttemptSpec> spec = folders.readSpec(name);
    if (spec.isPresent()) {
      log.warn("{}: is not in the journal; going on with what its run folder says", name);
      Attempt attempt = new Attempt(spec.get(), registry.firstVersion(), clock.bootMillis());
      attempt.launched = true;
      registry.enter(attempt, 0);
    }
  }

  // ---- Commands -----------------------------------------------------------------------------

  /**
   * Starts an attempt. A repeat starts nothing and has the present state reported again.
   *
   * @param epoch epoch of the scheduler
   */
  public void start(StartAttempt command, long epoch) {
    Optional<AttemptName> parsed = name(command.getAttempt());
    parsed.ifPresent(name -> registry.forgetOfEarlierJob(name, command.getJobSequence()));
    if (parsed.isEmpty() || registry.reportAgain(parsed.get())) {
      return;
    }
    AttemptName name = parsed.get();
    try {
      Attempt attempt = starter.begin(name, command, epoch);
      starter.launchWhenFree(attempt, command, () -> lease(attempt.spec()));
      settle(attempt);
    } catch (StartRefusedException e) {
      log.warn("{}: refused: {}", name, e.getMessage());
      quarantineHeld(e.devices());
      registry.refuse(
          name, command.getRank(), command.getJobSequence(), e.getMessage(), e.devices().keySet());
    }
  }

  /**
   * The scheduler takes a device for free that an attempt holds. Quarantine tells it by the
   * inventory until the device is empty; what else is wrong with devices is in there anyway.
   */
  private void quarantineHeld(Map<String, String> refused) {
    Map<String, String> held = new TreeMap<>();
    for (Attempt attempt : registry.live()) {
      for (String uuid : attempt.spec().deviceUuids()) {
        if (refused.containsKey(uuid)) {
          held.put(uuid, refused.get(uuid));
        }
      }
    }
    quarantine.add(held);
  }

  /** Asks the job of an attempt to save and go on. A repeat does nothing. */
  public void checkpoint(CheckpointAttempt command) {
    Optional<Attempt> attempt = name(command.getAttempt()).flatMap(registry::live);
    if (attempt.isEmpty()) {
      log.warn("{}: is not running here; not asked to save", command.getAttempt());
    } else if (command.getRequestSeq() > attempt.get().requestSeq()) {
      requests.checkpoint(attempt.get(), command.getRequestSeq(), command.getReason());
    }
  }

  /** Stops an attempt by the stop ladder. A repeat does nothing. */
  public void stop(StopAttempt command) {
    Optional<AttemptName> name = name(command.getAttempt());
    if (name.isEmpty()) {
      return;
    }
    Optional<Attempt> attempt = registry.live(name.get());
    if (attempt.isEmpty()) {
      stopUnknown(name.get(), command.getJobSequence());
      return;
    }
    if (attempt.get().stop().isEmpty() || command.getRequestSeq() > attempt.get().requestSeq()) {
      long millis =
          command.getTimeLeft().getSeconds() * 1_000 + command.getTimeLeft().getNanos() / 1_000_000;
      requests.stop(
          attempt.get(),
          Math.max(1, command.getRequestSeq()),
          command.getReason(),
          command.getSaveFirst(),
          Math.max(0, millis));
    }
  }

  private void stopUnknown(AttemptName name, long jobSequence) {
    registry.forgetOfEarlierJob(name, jobSequence);
    if (!registry.reportAgain(name)) {
      // On record, so that a start command that comes late does not start what was stopped.
      registry.refuse(
          name,
          0,
          jobSequence,
          "it is not known on node " + settings.node() + ": nothing of it runs here",
          Set.of());
    }
  }

  /** The scheduler says that these are over: what still runs of them is killed at once. */
  public void endWithoutReport(Collection<String> names) {
    for (String text : names) {
      Optional<AttemptName> name = name(text);
      Optional<Attempt> attempt = name.flatMap(registry::live);
      if (attempt.isPresent()) {
        log.warn("{}: is over for the scheduler; killing it", text);
        attempt.get().unwanted = true;
        kill(attempt.get());
      } else if (name.isPresent()) {
        registry.acknowledge(name.get(), Long.MAX_VALUE);
      }
    }
  }

  private void kill(Attempt attempt) {
    try {
      requests.stop(
          attempt, Math.max(1, attempt.requestSeq()), StopReason.STOP_REASON_CANCEL, false, 0);
    } catch (UncheckedIOException e) {
      // Its plan stands, so its supervisor is killed when it does not keep it.
      log.error("{}: {}", attempt.name(), e.getMessage());
    }
  }

  // ---- Watching -----------------------------------------------------------------------------

  /** Looks at everything that runs and moves it on. */
  public void tick() {
    for (Attempt attempt : registry.live()) {
      try {
        watcher.step(attempt);
      } catch (UncheckedIOException e) {
        if (attempt.troubled(String.valueOf(e.getMessage()))) {
          log.error("{}: cannot be looked at; trying again: {}", attempt.name(), e.getMessage());
        }
      }
      settle(attempt);
    }
    quarantine.tick();
    registry.tick();
  }

  private void settle(Attempt attempt) {
    if (AttemptTransitions.isOver(attempt.phase())) {
      supervisor.forget(folders.of(attempt.name()));
      registry.over(attempt.name(), attempt.status(), attempt.unwanted);
    }
  }

  // ---- Reports ------------------------------------------------------------------------------

  /** The scheduler has the report of this version for good. */
  public void acknowledge(String attempt, long version) {
    name(attempt).ifPresent(name -> registry.acknowledge(name, version));
  }

  /** Every attempt whose end the scheduler has not acknowledged, for a registration. */
  public List<AttemptStatus> unfinished() {
    List<AttemptStatus> all = new ArrayList<>(registry.endedUnacknowledged());
    registry.live().stream().filter(a -> !a.unwanted).forEach(a -> all.add(a.status()));
    return all;
  }

  /** What the scheduler has not acknowledged yet, to be repeated until it has. */
  public List<AttemptStatus> unacknowledged() {
    List<AttemptStatus> all = new ArrayList<>(registry.endedUnacknowledged());
    registry.live().stream()
        .filter(a -> !a.unwanted && !a.isAcknowledged())
        .forEach(a -> all.add(a.status()));
    return all;
  }

  /** Attempts that run, for a heartbeat. */
  public List<AttemptStatus> running() {
    return registry.live().stream()
        .filter(a -> a.phase() == AttemptPhase.ATTEMPT_PHASE_RUNNING)
        .map(Attempt::status)
        .toList();
  }

  /** Whether an attempt may still write output. May be asked by any thread. */
  public boolean isLive(AttemptName name) {
    return registry.isLive(name);
  }

  /** Devices that no attempt may use, and why. */
  public Map<String, String> quarantined() {
    return quarantine.reasons();
  }

  // ---- Lease --------------------------------------------------------------------------------

  /**
   * The scheduler has answered what was sent at this instant, so every lease counts from it
   * (reliability-and-security A3.3).
   *
   * @param sentBootMillis on the clock of {@link AgentClock#bootMillis}
   */
  public void renewLeases(long sentBootMillis) {
    if (leaseSentBootMillis.isPresent() && sentBootMillis <= leaseSentBootMillis.getAsLong()) {
      return;
    }
    leaseSentBootMillis = OptionalLong.of(sentBootMillis);
    for (Attempt attempt : registry.live()) {
      if (attempt.launched && attempt.spec().lostAfterMillis().isPresent() && !attempt.unwanted) {
        renewLease(attempt);
      }
    }
  }

  private void renewLease(Attempt attempt) {
    try {
      supervisor.setLease(folders.of(attempt.name()), lease(attempt.spec()));
    } catch (UncheckedIOException e) {
      if (attempt.troubled(String.valueOf(e.getMessage()))) {
        log.error("{}: its lease cannot be renewed: {}", attempt.name(), e.getMessage());
      }
    }
  }

  private OptionalLong lease(AttemptSpec spec) {
    if (spec.lostAfterMillis().isEmpty()) {
      return OptionalLong.empty();
    }
    long from = leaseSentBootMillis.orElseGet(clock::bootMillis);
    return OptionalLong.of(from + spec.lostAfterMillis().getAsLong());
  }

  private static Optional<AttemptName> name(String text) {
    try {
      return Optional.of(AttemptName.parse(text));
    } catch (IllegalArgumentException e) {
      log.error("a message of the scheduler names no attempt: {}", e.getMessage());
      return Optional.empty();
    }
  }
}
