package io.quotashare.server;

import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.Command;
import io.quotashare.proto.agent.v1.Progress;
import io.quotashare.proto.agent.v1.RegisterResponse;
import io.quotashare.proto.agent.v1.SessionRequest;
import io.quotashare.proto.agent.v1.SessionResponse;
import io.quotashare.proto.agent.v1.StartAttempt;
import io.quotashare.proto.agent.v1.StopAttempt;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * An agent that obeys as the real one does: every command once, every report until it is
 * acknowledged, everything that it knows at every registration. Its jobs run until they are told to
 * finish or stop, and save when they are asked. It outlives schedulers.
 */
public final class SimulatedAgent {
  private final FakeAgent link;
  private final Map<String, Run> runs = new TreeMap<>();
  private final Set<String> finishing = new HashSet<>();
  private final List<String> launched = new ArrayList<>();
  private boolean joined;

  private static final class Run {
    private final StartAttempt start;
    private AttemptPhase phase = AttemptPhase.ATTEMPT_PHASE_STARTING;
    private long version = 1;
    private long acknowledged;
    private long stopSeq;
    private long savedSeq;
    private boolean saveFirst;

    Run(StartAttempt start) {
      this.start = start;
    }

    void moveTo(AttemptPhase next) {
      phase = next;
      version++;
    }

    boolean isOver() {
      return phase == AttemptPhase.ATTEMPT_PHASE_FREE && acknowledged >= version;
    }
  }

  public SimulatedAgent(TestServer server, String node, int gpus) {
    link = new FakeAgent(server, node, gpus);
  }

  /** Another scheduler is in the place of the one before. */
  public void on(TestServer next) {
    link.on(next);
    joined = false;
  }

  /** A job exits with 0, in this and all later attempts. */
  public void finish(String job) {
    finishing.add(job);
  }

  /** Attempts whose processes were started, each as often as they were. */
  public List<String> launched() {
    return List.copyOf(launched);
  }

  /** One round: register if need be, obey, let the jobs go on, report. */
  public void tick() {
    if (!joined || link.ended() != null) {
      join();
    }
    List<SessionResponse> news = List.copyOf(link.received());
    link.received().clear();
    news.forEach(this::take);
    runs.values().forEach(this::goOn);
    link.heartbeat();
    for (Run run : List.copyOf(runs.values())) {
      if (run.acknowledged < run.version) {
        link.send(SessionRequest.newBuilder().setAttemptStatus(status(run)));
      }
    }
  }

  private void join() {
    runs.values().removeIf(Run::isOver);
    RegisterResponse welcome =
        link.register(runs.values().stream().map(this::status).toArray(AttemptStatus[]::new));
    welcome.getEndedAttemptsList().forEach(runs::remove);
    link.received().clear();
    link.connect();
    joined = true;
  }

  private void take(SessionResponse message) {
    if (message.hasReportAck()) {
      Run run = runs.get(message.getReportAck().getAttempt());
      if (run != null) {
        run.acknowledged = Math.max(run.acknowledged, message.getReportAck().getVersion());
      }
    } else if (message.hasCommand()) {
      obey(message.getCommand());
    }
  }

  private void obey(Command command) {
    switch (command.getOperationCase()) {
      case START -> {
        String attempt = command.getStart().getAttempt();
        if (runs.putIfAbsent(attempt, new Run(command.getStart())) == null) {
          launched.add(attempt);
        } else {
          runs.get(attempt).acknowledged = 0;
        }
      }
      case STOP -> stop(command.getStop());
      case CHECKPOINT ->
          save(command.getCheckpoint().getAttempt(), command.getCheckpoint().getRequestSeq());
      default -> throw new AssertionError("no such command: " + command);
    }
  }

  private void stop(StopAttempt stop) {
    Run run = runs.get(stop.getAttempt());
    if (run != null && run.stopSeq < Math.max(1, stop.getRequestSeq())) {
      run.stopSeq = Math.max(1, stop.getRequestSeq());
      run.saveFirst = stop.getSaveFirst();
    }
  }

  private void save(String attempt, long seq) {
    Run run = runs.get(attempt);
    if (run != null && run.savedSeq < seq) {
      run.savedSeq = seq;
      run.version++;
    }
  }

  private void goOn(Run run) {
    switch (run.phase) {
      case ATTEMPT_PHASE_STARTING -> run.moveTo(AttemptPhase.ATTEMPT_PHASE_RUNNING);
      case ATTEMPT_PHASE_RUNNING -> {
        if (run.stopSeq > 0 && run.saveFirst && run.savedSeq < run.stopSeq) {
          save(run.start.getAttempt(), run.stopSeq);
        } else if (run.stopSeq > 0 || finishing.contains(job(run))) {
          run.moveTo(AttemptPhase.ATTEMPT_PHASE_EXITED);
        }
      }
      case ATTEMPT_PHASE_EXITED -> run.moveTo(AttemptPhase.ATTEMPT_PHASE_FREE);
      default -> {}
    }
  }

  private static String job(Run run) {
    return run.start.getAttempt().split("/")[3];
  }

  private AttemptStatus status(Run run) {
    AttemptStatus.Builder status =
        AttemptStatus.newBuilder()
            .setAttempt(run.start.getAttempt())
            .setRank(run.start.getRank())
            .setVersion(run.version)
            .setPhase(run.phase);
    if (run.savedSeq > 0) {
      status.setProgress(
          Progress.newBuilder().setAckSeq(run.savedSeq).setCheckpointStateTime(link.now()));
    }
    if (run.stopSeq > 0) {
      status.setStopRequestedAt(link.now());
    }
    if (run.phase == AttemptPhase.ATTEMPT_PHASE_EXITED
        || run.phase == AttemptPhase.ATTEMPT_PHASE_FREE) {
      status.setExitedAt(link.now()).setExitCode(run.stopSeq > 0 ? 143 : 0);
    }
    return status.build();
  }
}
