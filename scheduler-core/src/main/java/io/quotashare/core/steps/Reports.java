package io.quotashare.core.steps;

import io.quotashare.core.JobEvent;
import io.quotashare.core.PartReport;
import io.quotashare.core.lifecycle.AttemptLifecycle;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Checkpoint;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.Progress;
import io.quotashare.core.model.SaveRequest;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.state.State;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** What agents say about attempts, and what their silence means. */
public final class Reports {
  private final State state;
  private final Moves moves;
  private final Endings endings;

  public Reports(State state, Moves moves, Endings endings) {
    this.state = state;
    this.moves = moves;
    this.endings = endings;
  }

  /**
   * Takes a report. Older ones than the newest, and those about attempts that are over, change
   * nothing.
   */
  public void take(PartReport report) {
    Attempt attempt = state.live().get(report.attempt());
    if (attempt == null || report.rank() >= attempt.parts().size()) {
      return;
    }
    Part before = attempt.parts().get(report.rank());
    if (before.phase().isFree()) {
      return;
    }
    if (report.rank() == 0) {
      attempt = progress(attempt, report.progress());
    }
    if (report.version() <= before.reportVersion()
        || report.phase().compareTo(before.phase()) < 0) {
      return;
    }
    // First, so that what comes free with the report is given to nobody.
    outOfService(before.node(), report);
    Attempt reported = attempt.change().part(reported(before, report)).build();
    state.putAttempt(reported);
    settle(reported);
  }

  private Part reported(Part before, PartReport report) {
    boolean gone = report.phase() == PartPhase.EXITED || report.phase().isFree();
    OptionalLong now = OptionalLong.of(state.now());
    return new Part(
        before.rank(),
        before.node(),
        before.devices(),
        report.phase(),
        report.version(),
        report.exitCode(),
        report.exitSignal(),
        report.exitedBeforeStop(),
        gone && before.exitedAtMillis().isEmpty() ? now : before.exitedAtMillis(),
        report.phase().isFree() ? now : OptionalLong.empty(),
        report.detail());
  }

  /** Devices that an agent found unusable get no other attempt until its next inventory. */
  private void outOfService(String name, PartReport report) {
    Node node = state.nodes().get(name);
    if (node == null || report.unusable().isEmpty()) {
      return;
    }
    List<Device> devices =
        node.devices().stream()
            .map(
                device ->
                    report.unusable().contains(device.uuid()) && device.startable()
                        ? device.unhealthy(report.detail())
                        : device)
            .toList();
    if (!devices.equals(node.devices())) {
      state.putNode(node.withDevices(devices));
    }
  }

  /** Brings the attempt where its parts are. */
  private void settle(Attempt attempt) {
    if (attempt.parts().stream().allMatch(part -> part.phase().isFree())) {
      endings.end(attempt);
      return;
    }
    Optional<Part> failed = firstFailed(attempt);
    if (failed.isPresent() && !attempt.state().isLeaving()) {
      boolean lost = failed.get().phase() == PartPhase.LOST;
      String why = "node " + failed.get().node() + (lost ? " was lost" : " failed");
      moves.stop(
          attempt, Moves.Decision.of(lost ? StopCause.NODE_LOST : StopCause.GANG_FAILED, why));
      return;
    }
    if (attempt.state() == AttemptState.SCHEDULED || attempt.state() == AttemptState.STARTING) {
      if (all(attempt, phase -> phase.compareTo(PartPhase.RUNNING) >= 0)) {
        moves.advance(attempt, AttemptLifecycle.Event.ALL_RUNNING);
      } else if (attempt.state() == AttemptState.SCHEDULED
          && !all(attempt, phase -> phase == PartPhase.ASSIGNED)) {
        moves.advance(attempt, AttemptLifecycle.Event.STARTING);
      }
    }
  }

  private static boolean all(Attempt attempt, Predicate<PartPhase> test) {
    return attempt.parts().stream().map(Part::phase).allMatch(test);
  }

  private static Optional<Part> firstFailed(Attempt attempt) {
    return attempt.parts().stream()
        .filter(part -> part.phase() == PartPhase.EXITED || part.phase().isFree())
        .filter(part -> !part.succeeded())
        .findFirst();
  }

  // Progress

  private Attempt progress(Attempt attempt, Progress said) {
    Progress known = attempt.progress();
    if (said.equals(known) || said.equals(Progress.NONE)) {
      return attempt;
    }
    Progress merged = merge(known, said, attempt.requests());
    Attempt.Builder change = attempt.change().progress(merged);
    Stop stop = attempt.stop();
    boolean saved =
        stop != null && stop.savedAtMillis().isEmpty() && merged.ackSeq() >= stop.requestSeq();
    if (saved) {
      change.stop(stop.savedAt(state.now()));
    }
    Attempt progressed = change.build();
    state.putAttempt(progressed);
    OptionalLong askedAt =
        saved ? OptionalLong.of(stop.requestedAtMillis()) : confirmed(known, progressed);
    Job job = learn(state.job(attempt.key().job()), known, progressed, askedAt);
    if (saved) {
      state
          .lastPreemption(job.key())
          .filter(preemption -> preemption.victim().equals(attempt.key()))
          .ifPresent(preemption -> state.putPreemption(preemption.saved(state.now())));
    }
    moves.event(
        askedAt.isPresent() ? JobEvent.Type.CHECKPOINTED : JobEvent.Type.UPDATED,
        job,
        progressed,
        "");
    return progressed;
  }

  /** When it was asked to save and go on, if this progress confirms that. */
  private static OptionalLong confirmed(Progress before, Attempt attempt) {
    SaveRequest request = attempt.saveRequest();
    return request != null
            && before.ackSeq() < request.seq()
            && request.seq() <= attempt.progress().ackSeq()
        ? OptionalLong.of(request.requestedAtMillis())
        : OptionalLong.empty();
  }

  /**
   * Progress never goes back, whatever order reports come in; and what was never asked for is not
   * confirmed.
   */
  private static Progress merge(Progress known, Progress said, long requests) {
    Checkpoint checkpoint = said.checkpoint();
    if (checkpoint == null
        || (known.checkpoint() != null
            && known.checkpoint().stateAtMillis() > checkpoint.stateAtMillis())) {
      checkpoint = known.checkpoint();
    }
    return new Progress(
        said.step().isPresent() ? said.step() : known.step(),
        known.productiveSinceMillis().isPresent()
            ? known.productiveSinceMillis()
            : said.productiveSinceMillis(),
        checkpoint,
        Math.max(known.ackSeq(), Math.min(said.ackSeq(), requests)),
        known.done() || said.done());
  }

  private Job learn(Job job, Progress before, Attempt attempt, OptionalLong askedAtMillis) {
    Progress progress = attempt.progress();
    Job.Builder change = job.change();
    if (progress.checkpoint() != null) {
      change.checkpoint(progress.checkpoint());
    }
    if (before.productiveSinceMillis().isEmpty() && progress.productiveSinceMillis().isPresent()) {
      long startup = progress.productiveSinceMillis().getAsLong() - attempt.scheduledAtMillis();
      change.timings(job.timings().withStartup(Math.max(0, startup)));
    }
    Job learnt = change.build();
    if (askedAtMillis.isPresent()) {
      long millis = state.now() - askedAtMillis.getAsLong();
      learnt = learnt.change().timings(learnt.timings().withSave(millis)).build();
    }
    state.putJob(learnt);
    return learnt;
  }

  // Silence and loss

  /** A node is silent: its attempts are neither believed alive nor started elsewhere. */
  public void silent(String node) {
    for (Attempt attempt : attemptsOn(node)) {
      if (attempt.state().isCandidate()) {
        moves.advance(attempt, AttemptLifecycle.Event.SILENT);
      }
    }
  }

  /**
   * A silent node is heard again: its attempts are where their parts are, unless another node of
   * theirs is silent.
   */
  public void heard(String node) {
    for (Attempt attempt : attemptsOn(node)) {
      if (attempt.state() == AttemptState.UNKNOWN && allHeard(attempt)) {
        boolean runs = all(attempt, phase -> phase.compareTo(PartPhase.RUNNING) >= 0);
        boolean assigned = all(attempt, phase -> phase == PartPhase.ASSIGNED);
        moves.advance(
            attempt,
            runs
                ? AttemptLifecycle.Event.ALL_RUNNING
                : assigned ? AttemptLifecycle.Event.ASSIGNED : AttemptLifecycle.Event.STARTING);
      }
    }
  }

  private boolean allHeard(Attempt attempt) {
    return attempt.parts().stream()
        .allMatch(
            part ->
                part.phase().isFree()
                    || state.nodes().get(part.node()).liveness() == Node.Liveness.ALIVE);
  }

  /** Nothing of the attempt runs on the node any more. */
  public void lost(AttemptKey key, String node, String detail) {
    Attempt attempt = state.live().get(key);
    if (attempt == null) {
      return;
    }
    for (Part part : attempt.parts()) {
      if (part.node().equals(node) && !part.phase().isFree()) {
        Attempt changed = attempt.change().part(lost(part, detail)).build();
        state.putAttempt(changed);
        settle(changed);
      }
    }
  }

  private Part lost(Part part, String detail) {
    OptionalLong now = OptionalLong.of(state.now());
    return new Part(
        part.rank(),
        part.node(),
        part.devices(),
        PartPhase.LOST,
        part.reportVersion(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        false,
        part.exitedAtMillis().isPresent() ? part.exitedAtMillis() : now,
        now,
        detail);
  }

  /** Attempts that hold devices of a node. */
  public List<Attempt> attemptsOn(String node) {
    return state.attemptsOn(node);
  }
}
