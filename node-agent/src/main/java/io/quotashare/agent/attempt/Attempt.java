package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Timestamp;
import io.quotashare.agent.supervise.Ladder;
import io.quotashare.agent.supervise.LaunchSpec;
import io.quotashare.agent.supervise.StartedRecord;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.Progress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One attempt as the agent sees it, while it is not over. Used by the agent's thread alone.
 *
 * <p>Its version grows with every change; those that the scheduler must not miss also move {@link
 * #reportVersion}, and are repeated until that version is acknowledged.
 */
final class Attempt {
  private final AttemptSpec spec;
  private AttemptPhase phase = AttemptPhase.ATTEMPT_PHASE_STARTING;
  private long version;
  private long reportVersion;
  private long acknowledgedVersion;
  private String lastTrouble = "";

  private Optional<StartedRecord> started = Optional.empty();
  private Ladder ladder = Ladder.NONE;
  private final List<AttemptJournal.Requested> requests = new ArrayList<>();
  private Optional<StopPlan> stop = Optional.empty();
  private Optional<ProgressReport> progress = Optional.empty();
  private Optional<Instant> productiveSince = Optional.empty();
  private Optional<Instant> exitedAt = Optional.empty();
  private OptionalInt exitCode = OptionalInt.empty();
  private OptionalInt exitSignal = OptionalInt.empty();
  private boolean nodeFault;
  private final SortedSet<String> refusedDevices = new TreeSet<>();
  private String detail = "";
  private String progressComplaint = "";
  private Optional<String> destroyed = Optional.empty();

  /** The supervisor was launched, by this agent process or an earlier one. */
  boolean launched;

  /** When the start command was taken up, or the attempt was found again. */
  long sinceBootMillis;

  /** When its progress is looked at next. */
  long nextProgressBootMillis;

  /** What it was launched with; empty if an earlier agent process did it. */
  Optional<LaunchSpec> launch = Optional.empty();

  /** The scheduler wants no report: it knows that the attempt is over. */
  boolean unwanted;

  /** The release gate, once every process is gone. */
  Optional<ReleaseGate> gate = Optional.empty();

  Attempt(AttemptSpec spec, long firstVersion, long nowBootMillis) {
    this.spec = requireNonNull(spec, "spec is null");
    this.version = firstVersion;
    this.reportVersion = firstVersion;
    this.sinceBootMillis = nowBootMillis;
  }

  AttemptSpec spec() {
    return spec;
  }

  AttemptName name() {
    return spec.name();
  }

  AttemptPhase phase() {
    return phase;
  }

  /** Version of the newest change that must be acknowledged. */
  long reportVersion() {
    return reportVersion;
  }

  Optional<StopPlan> stop() {
    return stop;
  }

  Optional<ProgressReport> progress() {
    return progress;
  }

  Ladder ladder() {
    return ladder;
  }

  Optional<StartedRecord> started() {
    return started;
  }

  /**
   * Moves on.
   *
   * @throws IllegalStateException if the event is not possible now
   */
  void apply(AttemptTransitions.Event event) {
    phase =
        AttemptTransitions.next(phase, event)
            .orElseThrow(
                () -> new IllegalStateException(name() + ": " + event + " while " + phase));
    report();
  }

  void startedAs(StartedRecord record) {
    started = Optional.of(record);
  }

  void signalled(Ladder now) {
    if (!ladder.equals(now)) {
      ladder = now;
      report();
    }
  }

  void stopping(StopPlan plan) {
    if (!stop.equals(Optional.of(plan))) {
      stop = Optional.of(plan);
      report();
    }
  }

  /** Why the supervisor itself was killed; empty if it was not. */
  Optional<String> destroyedText() {
    return destroyed;
  }

  void destroyedBecause(String why) {
    destroyed = Optional.of(why);
  }

  /** Newest request to the job; 0 if there was none. */
  long requestSeq() {
    return requests.stream().mapToLong(AttemptJournal.Requested::seq).max().orElse(0);
  }

  /** The requests that still count, as they are on record. */
  List<AttemptJournal.Requested> requests() {
    return List.copyOf(requests);
  }

  void requested(AttemptJournal.Requested request) {
    // Every stop counts, since the tightest holds; of those that only save, the newest does.
    requests.removeIf(earlier -> !earlier.stop());
    requests.add(request);
  }

  void exited(OptionalInt code, OptionalInt signal, Instant at) {
    exitCode = code;
    exitSignal = signal;
    exitedAt = Optional.of(at);
  }

  /** It cannot start because of these. */
  void devicesRefused(Collection<String> uuids) {
    refusedDevices.addAll(uuids);
    notStartedByNode();
  }

  /** It cannot start, through no fault of its job. */
  void notStartedByNode() {
    nodeFault = true;
    report();
  }

  void explain(String text) {
    if (!detail.equals(text)) {
      detail = text;
      report();
    }
  }

  /** Takes over what the job said. What the scheduler waits for is reported at once. */
  void progressed(ProgressReport report, Instant now) {
    progressComplaint = "";
    if (progress.equals(Optional.of(report))) {
      return;
    }
    boolean waitedFor =
        progress.isEmpty()
            || progress.get().ackSeq() != report.ackSeq()
            || progress.get().state() != report.state();
    progress = Optional.of(report);
    productiveSince = Optional.of(productiveSince.orElse(now));
    version++;
    if (waitedFor) {
      reportVersion = version;
    }
  }

  /** The progress file is refused; true if this was not known. */
  boolean complain(String complaint) {
    if (progressComplaint.equals(complaint)) {
      return false;
    }
    progressComplaint = complaint;
    report();
    return true;
  }

  /** The scheduler has everything up to this version. */
  void acknowledged(long upTo) {
    acknowledgedVersion = Math.max(acknowledgedVersion, upTo);
  }

  boolean isAcknowledged() {
    return acknowledgedVersion >= reportVersion;
  }

  /** The scheduler has asked, so it is told even if nothing has changed. */
  void reportAgain() {
    report();
  }

  /** It could not be looked at; true if this was not known. */
  boolean troubled(String trouble) {
    boolean news = !lastTrouble.equals(trouble);
    lastTrouble = trouble;
    return news;
  }

  private void report() {
    version++;
    reportVersion = version;
  }

  AttemptStatus status() {
    AttemptStatus.Builder status =
        AttemptStatus.newBuilder()
            .setAttempt(name().toString())
            .setRank(spec.rank())
            .setJobSequence(spec.jobSequence())
            .setVersion(version)
            .setPhase(phase)
            .setDetail(fullDetail());
    started.ifPresent(record -> status.setStartedAt(timestamp(record.startedAt())));
    exitedAt.ifPresent(at -> status.setExitedAt(timestamp(at)));
    exitCode.ifPresent(status::setExitCode);
    exitSignal.ifPresent(status::setExitSignal);
    stop.ifPresent(plan -> status.setStopRequestedAt(timestamp(plan.requestedAt())));
    ladder.termSentAt().ifPresent(at -> status.setTermSentAt(timestamp(at)));
    ladder.killSentAt().ifPresent(at -> status.setKillSentAt(timestamp(at)));
    progress.ifPresent(report -> status.setProgress(progress(report)));
    status.setNodeFault(nodeFault);
    status.addAllQuarantinedUuids(refusedDevices);
    gate.ifPresent(g -> status.addAllQuarantinedUuids(g.quarantined().keySet()));
    return status.build();
  }

  private String fullDetail() {
    if (progressComplaint.isEmpty()) {
      return detail;
    }
    String complaint = "its progress file is refused: " + progressComplaint;
    return detail.isEmpty() ? complaint : detail + "; " + complaint;
  }

  private Progress progress(ProgressReport report) {
    Progress.Builder builder =
        Progress.newBuilder()
            .setAckSeq(report.ackSeq())
            .setDone(report.state() == ProgressReport.State.DONE)
            .setOnDemand(report.onDemand());
    report.step().ifPresent(builder::setStep);
    report.checkpointStep().ifPresent(builder::setCheckpointStep);
    productiveSince.ifPresent(at -> builder.setProductiveSince(timestamp(at)));
    report.checkpointStateTime().ifPresent(at -> builder.setCheckpointStateTime(timestamp(at)));
    report.checkpointDurableTime().ifPresent(at -> builder.setCheckpointDurableTime(timestamp(at)));
    return builder.build();
  }

  static Timestamp timestamp(Instant at) {
    return Timestamp.newBuilder().setSeconds(at.getEpochSecond()).setNanos(at.getNano()).build();
  }
}
