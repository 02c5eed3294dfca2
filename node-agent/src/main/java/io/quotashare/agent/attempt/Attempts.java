package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.attempt.AttemptJournal.Acknowledged;
import io.quotashare.agent.attempt.AttemptJournal.Entry;
import io.quotashare.agent.attempt.AttemptJournal.Over;
import io.quotashare.agent.attempt.AttemptJournal.Requested;
import io.quotashare.agent.attempt.AttemptJournal.StartIntent;
import io.quotashare.agent.inventory.InventorySource;
import io.quotashare.agent.supervise.JobSupervisor;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
  private static final int JOURNAL_SLACK = 1_000;
  private static final Logger log = LoggerFactory.getLogger(Attempts.class);

  private final JobSupervisor supervisor;
  private final RunFolders folders;
  private final AttemptJournal journal;
  private final AgentClock clock;
  private final AttemptSettings settings;
  private final Quarantine quarantine;
  private final AttemptStarter starter;
  private final AttemptWatcher watcher;

  private final Map<AttemptName, Attempt> live = new LinkedHashMap<>();
  private final Set<AttemptName> liveNames = ConcurrentHashMap.newKeySet();
  private final EndedAttempts ended = new EndedAttempts();
  private final Map<AttemptName, Long> epochs = new LinkedHashMap<>();
  private long generation;
  private int journalEntries;
  private OptionalLong leaseSentBootMillis = OptionalLong.empty();
  private Runnable onQuarantine = () -> {};

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
    this.quarantine = new Quarantine(supervisor, devices, clock, () -> onQuarantine.run());
    this.starter =
        new AttemptStarter(
            supervisor, folders, journal, devices, inventory, quarantine, settings, clock);
    this.watcher = new AttemptWatcher(supervisor, folders, devices, quarantine, settings, clock);
  }

  /** Has this called when {@link #quarantined} changes. */
  public void onQuarantineChange(Runnable listener) {
    onQuarantine = requireNonNull(listener, "listener is null");
  }

  // ---- Restart ------------------------------------------------------------------------------

  /**
   * Finds again what an earlier agent process on this state folder left: what runs goes on under
   * its eyes, what ended meanwhile is reported. To be called once, before anything is registered.
   *
   * @throws IllegalStateException if the journal is damaged
   */
  public void recover() {
    Recovery recovery = Recovery.read(journal.load());
    generation = recovery.generation() + 1;
    recovery.over().forEach((name, over) -> ended.add(name, over.status(), over.acknowledged()));
    recovery.open().forEach(this::adopt);
    for (AttemptName name : folders.list()) {
      if (!live.containsKey(name) && ended.status(name).isEmpty()) {
        adoptUnknown(name);
      }
    }
    compact();
    tick();
    if (!live.isEmpty()) {
      log.info("found {} attempts of before: {}", live.size(), live.keySet());
    }
  }

  private void adopt(AttemptName name, Recovery.Open open) {
    Attempt attempt = new Attempt(open.intent().spec(), nextVersion(), clock.bootMillis());
    enter(attempt, open.intent().epoch());
    if (!folders.exists(name)) {
      attempt.explain(
          "the agent of node " + settings.node() + " was restarted before it was started");
      attempt.apply(AttemptTransitions.Event.LAUNCH_FAILED);
      return;
    }
    attempt.launched = true;
    for (Requested requested : open.requests()) {
      attempt.requestSeq = Math.max(attempt.requestSeq, requested.seq());
      if (requested.stop()) {
        plan(attempt, requested);
      }
    }
  }

  /** A run folder without a word in the journal: the journal was taken away. */
  private void adoptUnknown(AttemptName name) {
    Optional<AttemptSpec> spec = folders.readSpec(name);
    if (spec.isPresent()) {
      log.warn("{}: is not in the journal; going on with what its run folder says", name);
      Attempt attempt = new Attempt(spec.get(), nextVersion(), clock.bootMillis());
      attempt.launched = true;
      enter(attempt, 0);
    }
  }

  private void enter(Attempt attempt, long epoch) {
    live.put(attempt.name(), attempt);
    liveNames.add(attempt.name());
    epochs.put(attempt.name(), epoch);
  }

  private void compact() {
    List<Entry> entries = new ArrayList<>();
    entries.add(new AttemptJournal.Generation(generation));
    entries.addAll(ended.journal());
    for (Attempt attempt : live.values()) {
      entries.add(new StartIntent(attempt.spec(), epochs.getOrDefault(attempt.name(), 0L)));
      attempt.lastRequest.ifPresent(entries::add);
    }
    journal.compact(entries);
    journalEntries = entries.size();
  }

  private long nextVersion() {
    // Above every version of an earlier process, whatever it came to.
    return generation << 32;
  }

  // ---- Commands -----------------------------------------------------------------------------

  /**
   * Starts an attempt. A repeat starts nothing and has the present state reported again.
   *
   * @param epoch epoch of the scheduler
   */
  public void start(StartAttempt command, long epoch) {
    Optional<AttemptName> parsed = name(command.getAttempt());
    if (parsed.isEmpty() || reportAgain(parsed.get())) {
      return;
    }
    AttemptName name = parsed.get();
    try {
      Attempt attempt = starter.begin(name, command, epoch, nextVersion(), live.values());
      journalEntries++;
      enter(attempt, epoch);
      starter.launchWhenFree(attempt, command, () -> lease(attempt.spec()));
      settle(attempt);
    } catch (StartRefusedException e) {
      log.warn("{}: refused: {}", name, e.getMessage());
      over(name, refusal(name, command.getRank(), e.getMessage()), false);
    }
  }

  private AttemptStatus refusal(AttemptName name, int rank, String why) {
    return AttemptStatus.newBuilder()
        .setAttempt(name.toString())
        .setRank(rank)
        .setVersion(nextVersion())
        .setPhase(AttemptPhase.ATTEMPT_PHASE_START_FAILED)
        .setDetail(why)
        .build();
  }

  /** Asks the job of an attempt to save and go on. */
  public void checkpoint(CheckpointAttempt command) {
    Optional<Attempt> attempt = name(command.getAttempt()).map(live::get);
    if (attempt.isEmpty()) {
      log.warn("{}: is not running here; not asked to save", command.getAttempt());
      return;
    }
    if (command.getRequestSeq() > attempt.get().requestSeq) {
      request(
          attempt.get(),
          new Requested(
              attempt.get().name(),
              command.getRequestSeq(),
              command.getReason(),
              clock.wallTime(),
              false,
              true,
              0));
    }
  }

  /** Stops an attempt by the stop ladder. */
  public void stop(StopAttempt command) {
    Optional<AttemptName> parsed = name(command.getAttempt());
    if (parsed.isEmpty()) {
      return;
    }
    AttemptName name = parsed.get();
    Attempt attempt = live.get(name);
    if (attempt == null) {
      if (!reportAgain(name)) {
        // On record, so that a start command that comes late does not start what was stopped.
        over(
            name,
            refusal(
                name,
                0,
                "it is not known on node " + settings.node() + ": nothing of it runs here"),
            false);
      }
      return;
    }
    if (command.getRequestSeq() <= attempt.requestSeq && attempt.stop().isPresent()) {
      return;
    }
    long timeLeft =
        Math.max(
            0,
            command.getTimeLeft().getSeconds() * 1_000
                + command.getTimeLeft().getNanos() / 1_000_000);
    request(
        attempt,
        new Requested(
            name,
            command.getRequestSeq(),
            command.getReason(),
            clock.wallTime(),
            true,
            command.getSaveFirst(),
            clock.bootMillis() + timeLeft));
  }

  /** The scheduler says that these are over: what still runs of them is killed at once. */
  public void endWithoutReport(Collection<String> names) {
    for (String text : names) {
      Optional<AttemptName> name = name(text);
      Optional<Attempt> attempt = name.map(live::get);
      if (attempt.isPresent()) {
        log.warn("{}: is over for the scheduler; killing it", text);
        attempt.get().unwanted = true;
        request(
            attempt.get(),
            new Requested(
                attempt.get().name(),
                Math.max(1, attempt.get().requestSeq),
                StopReason.STOP_REASON_CANCEL,
                clock.wallTime(),
                true,
                false,
                clock.bootMillis()));
      } else if (name.isPresent()) {
        acknowledge(text, Long.MAX_VALUE);
      }
    }
  }

  private void request(Attempt attempt, Requested requested) {
    try {
      journal.append(requested);
      journalEntries++;
    } catch (UncheckedIOException e) {
      // A full disk must not keep a job from being stopped.
      log.error("{}: the request is not on record: {}", attempt.name(), e.getMessage());
    }
    attempt.requestSeq = Math.max(attempt.requestSeq, requested.seq());
    if (requested.stop()) {
      plan(attempt, requested);
      StopPlan plan = attempt.stop().orElseThrow();
      supervisor.scheduleStop(folders.of(attempt.name()), plan.times());
      log.info(
          "{}: stopping ({}), SIGTERM in {} ms, SIGKILL in {} ms",
          attempt.name(),
          reason(requested.reason()),
          plan.termBootMillis() - clock.bootMillis(),
          plan.killBootMillis() - clock.bootMillis());
    }
    if (requested.saveFirst()) {
      writeControl(attempt, requested);
    }
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
    attempt.lastRequest = Optional.of(requested);
  }

  private void writeControl(Attempt attempt, Requested requested) {
    Optional<java.time.Instant> deadline =
        requested.stop()
            ? Optional.of(
                requested.at().plusMillis(requested.killBootMillis() - clock.bootMillis()))
            : Optional.empty();
    folders.writeControl(
        attempt.name(), new ControlRequest(requested.seq(), reason(requested.reason()), deadline));
  }

  private static String reason(StopReason reason) {
    return reason.name().replaceFirst("^STOP_REASON_", "").toLowerCase(Locale.ROOT);
  }

  private boolean reportAgain(AttemptName name) {
    Attempt attempt = live.get(name);
    if (attempt != null) {
      attempt.reportAgain();
      return true;
    }
    boolean known = ended.status(name).isPresent();
    ended.reportAgain(name);
    return known;
  }

  // ---- Watching -----------------------------------------------------------------------------

  /** Looks at everything that runs and moves it on. */
  public void tick() {
    for (Attempt attempt : List.copyOf(live.values())) {
      try {
        watcher.step(attempt);
        settle(attempt);
      } catch (UncheckedIOException e) {
        if (attempt.troubled(String.valueOf(e.getMessage()))) {
          log.error(
              "{}: cannot be looked at, will be tried again: {}", attempt.name(), e.getMessage());
        }
      }
    }
    quarantine.tick();
  }

  private void settle(Attempt attempt) {
    if (AttemptTransitions.isOver(attempt.phase())) {
      live.remove(attempt.name());
      liveNames.remove(attempt.name());
      epochs.remove(attempt.name());
      supervisor.forget(folders.of(attempt.name()));
      over(attempt.name(), attempt.status(), attempt.unwanted);
    }
  }

  private void over(AttemptName name, AttemptStatus status, boolean acknowledged) {
    ended.add(name, status, acknowledged);
    record(new Over(name, status));
    if (acknowledged) {
      record(new Acknowledged(name));
    }
  }

  /** For what can be found out again from the run folder if it is lost. */
  private void record(Entry entry) {
    try {
      journal.append(entry);
      journalEntries++;
    } catch (UncheckedIOException e) {
      log.error("{}", e.getMessage());
    }
  }

  // ---- Reports ------------------------------------------------------------------------------

  /** The scheduler has the report of this version for good. */
  public void acknowledge(String attempt, long version) {
    Optional<AttemptName> name = name(attempt);
    if (name.isEmpty()) {
      return;
    }
    Optional.ofNullable(live.get(name.get())).ifPresent(a -> a.acknowledged(version));
    if (ended.acknowledge(name.get(), version)) {
      record(new Acknowledged(name.get()));
      prune();
    }
  }

  private void prune() {
    for (AttemptName name :
        ended.prune(settings.keepAttempts(), settings.keepOutputBytes(), folders)) {
      folders.remove(name);
      log.info("{}: its run folder was removed to make room", name);
    }
    if (journalEntries > 4 * (live.size() + ended.size()) + JOURNAL_SLACK) {
      compact();
    }
  }

  /** Every attempt whose end the scheduler has not acknowledged, for a registration. */
  public List<AttemptStatus> unfinished() {
    List<AttemptStatus> all = new ArrayList<>(ended.unacknowledged());
    live.values().stream().filter(a -> !a.unwanted).forEach(a -> all.add(a.status()));
    return all;
  }

  /** What the scheduler has not acknowledged yet, oldest first; to be repeated until it has. */
  public List<AttemptStatus> unacknowledged() {
    List<AttemptStatus> all = new ArrayList<>(ended.unacknowledged());
    live.values().stream()
        .filter(a -> !a.unwanted && !a.isAcknowledged())
        .forEach(a -> all.add(a.status()));
    return all;
  }

  /** Attempts that run, for a heartbeat. */
  public List<AttemptStatus> running() {
    return live.values().stream()
        .filter(a -> a.phase() == AttemptPhase.ATTEMPT_PHASE_RUNNING)
        .map(Attempt::status)
        .toList();
  }

  /** Whether an attempt may still write output. May be asked by any thread. */
  public boolean isLive(AttemptName name) {
    return liveNames.contains(name);
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
    for (Attempt attempt : live.values()) {
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
      log.error("a command names no attempt: {}", e.getMessage());
      return Optional.empty();
    }
  }
}
