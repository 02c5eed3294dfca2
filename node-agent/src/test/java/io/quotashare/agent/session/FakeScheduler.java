package io.quotashare.agent.session;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.agent.v1.AgentServiceGrpc;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.Command;
import io.quotashare.proto.agent.v1.Heartbeat;
import io.quotashare.proto.agent.v1.HeartbeatAck;
import io.quotashare.proto.agent.v1.PushLogsRequest;
import io.quotashare.proto.agent.v1.PushLogsResponse;
import io.quotashare.proto.agent.v1.RegisterRequest;
import io.quotashare.proto.agent.v1.RegisterResponse;
import io.quotashare.proto.agent.v1.ReportAck;
import io.quotashare.proto.agent.v1.ReportInventoryRequest;
import io.quotashare.proto.agent.v1.ReportInventoryResponse;
import io.quotashare.proto.agent.v1.SessionRequest;
import io.quotashare.proto.agent.v1.SessionResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that a test holds in its hand: it remembers all it is told and says what it should.
 */
public final class FakeScheduler extends AgentServiceGrpc.AgentServiceImplBase {
  private final List<RegisterRequest> registrations = new ArrayList<>();
  private final List<Heartbeat> heartbeats = new ArrayList<>();
  private final List<AttemptStatus> reports = new ArrayList<>();
  private final List<ReportInventoryRequest> inventories = new ArrayList<>();
  private final Map<String, List<PushLogsRequest>> logs = new HashMap<>();
  private final Map<String, AttemptStatus> newest = new HashMap<>();

  private @Nullable StreamObserver<SessionResponse> down;
  private long epoch = 1;
  private int session;
  private long commandSeq;
  private boolean acknowledging = true;
  private boolean inventoryWanted;
  private long heartbeatMillis = 200;
  private List<String> endedAttempts = List.of();
  private Consumer<RegisterResponse.Builder> registerTweak = response -> {};

  /** Epoch of the next registrations. */
  public synchronized void setEpoch(long epoch) {
    this.epoch = epoch;
  }

  /** Whether reports are acknowledged from now on. */
  public synchronized void setAcknowledging(boolean acknowledging) {
    this.acknowledging = acknowledging;
  }

  /** Whether heartbeats are answered with a wish for the inventory. */
  public synchronized void setInventoryWanted(boolean wanted) {
    this.inventoryWanted = wanted;
  }

  /** What the next registrations name as over. */
  public synchronized void setEndedAttempts(List<String> names) {
    this.endedAttempts = List.copyOf(names);
  }

  /** Changes the answers to registrations. */
  public synchronized void tweakRegistration(Consumer<RegisterResponse.Builder> tweak) {
    this.registerTweak = requireNonNull(tweak);
  }

  public synchronized List<RegisterRequest> registrations() {
    return List.copyOf(registrations);
  }

  public synchronized List<Heartbeat> heartbeats() {
    return List.copyOf(heartbeats);
  }

  public synchronized List<ReportInventoryRequest> inventories() {
    return List.copyOf(inventories);
  }

  /** All reports of an attempt in the order of their arrival. */
  public synchronized List<AttemptStatus> reports(String attempt) {
    return reports.stream().filter(status -> status.getAttempt().equals(attempt)).toList();
  }

  /** Newest known status of an attempt. */
  public synchronized Optional<AttemptStatus> status(String attempt) {
    return Optional.ofNullable(newest.get(attempt));
  }

  /** Phase of the newest status; UNSPECIFIED if there is none. */
  public synchronized AttemptPhase phase(String attempt) {
    return status(attempt)
        .map(AttemptStatus::getPhase)
        .orElse(AttemptPhase.ATTEMPT_PHASE_UNSPECIFIED);
  }

  /** What was pushed for a request, in order. */
  public synchronized List<PushLogsRequest> logs(String request) {
    return List.copyOf(logs.getOrDefault(request, List.of()));
  }

  /** Output that was pushed for a request. */
  public synchronized String logText(String request) {
    StringBuilder text = new StringBuilder();
    logs(request).forEach(piece -> text.append(piece.getData().toStringUtf8()));
    return text.toString();
  }

  public synchronized boolean hasSession() {
    return down != null;
  }

  /** Sends a command in the present session. */
  public synchronized void command(Consumer<Command.Builder> operation) {
    Command.Builder command = Command.newBuilder().setSeq(++commandSeq);
    operation.accept(command);
    send(response().setCommand(command).build());
  }

  /** The beginning of a message of the present session. */
  public synchronized SessionResponse.Builder response() {
    return SessionResponse.newBuilder().setEpoch(epoch).setSession("s" + session);
  }

  /** Sends anything. */
  public synchronized void send(SessionResponse message) {
    requireNonNull(down, "there is no session").onNext(message);
  }

  /** Ends the present session. */
  public synchronized void dropSession() {
    if (down != null) {
      down.onError(Status.UNAVAILABLE.withDescription("dropped").asRuntimeException());
      down = null;
    }
  }

  @Override
  public synchronized void register(
      RegisterRequest request, StreamObserver<RegisterResponse> answer) {
    registrations.add(request);
    request.getAttemptsList().forEach(this::remember);
    session++;
    commandSeq = 0;
    RegisterResponse.Builder response =
        RegisterResponse.newBuilder()
            .setProtocolVersion(1)
            .setEpoch(epoch)
            .setSession("s" + session)
            .addAllEndedAttempts(endedAttempts);
    response.getHeartbeatIntervalBuilder().setNanos((int) heartbeatMillis * 1_000_000);
    response.getLostAfterBuilder().setSeconds(300);
    registerTweak.accept(response);
    answer.onNext(response.build());
    answer.onCompleted();
  }

  private void remember(AttemptStatus status) {
    newest.merge(
        status.getAttempt(),
        status,
        (before, now) -> now.getVersion() >= before.getVersion() ? now : before);
  }

  @Override
  public synchronized StreamObserver<SessionRequest> session(
      StreamObserver<SessionResponse> answers) {
    down = answers;
    return new StreamObserver<>() {
      @Override
      public void onNext(SessionRequest request) {
        received(request, answers);
      }

      @Override
      public void onError(Throwable error) {
        ended(answers);
      }

      @Override
      public void onCompleted() {
        ended(answers);
        answers.onCompleted();
      }
    };
  }

  private synchronized void ended(StreamObserver<SessionResponse> answers) {
    if (down == answers) {
      down = null;
    }
  }

  private synchronized void received(
      SessionRequest request, StreamObserver<SessionResponse> answers) {
    if (down != answers || request.getEpoch() != epoch) {
      return;
    }
    if (request.hasHeartbeat()) {
      heartbeats.add(request.getHeartbeat());
      request.getHeartbeat().getAttemptsList().forEach(this::remember);
      answers.onNext(
          response()
              .setHeartbeatAck(
                  HeartbeatAck.newBuilder()
                      .setSentMonotonicMs(request.getHeartbeat().getSentMonotonicMs())
                      .setInventoryWanted(inventoryWanted))
              .build());
      inventoryWanted = false;
    } else if (request.hasAttemptStatus()) {
      AttemptStatus status = request.getAttemptStatus();
      reports.add(status);
      remember(status);
      if (acknowledging) {
        answers.onNext(
            response()
                .setReportAck(
                    ReportAck.newBuilder()
                        .setAttempt(status.getAttempt())
                        .setVersion(status.getVersion()))
                .build());
      }
    }
  }

  @Override
  public synchronized void reportInventory(
      ReportInventoryRequest request, StreamObserver<ReportInventoryResponse> answer) {
    inventories.add(request);
    answer.onNext(ReportInventoryResponse.getDefaultInstance());
    answer.onCompleted();
  }

  @Override
  public StreamObserver<PushLogsRequest> pushLogs(StreamObserver<PushLogsResponse> answer) {
    return new StreamObserver<>() {
      private String request = "";

      @Override
      public void onNext(PushLogsRequest piece) {
        request = piece.getRequestId();
        synchronized (FakeScheduler.this) {
          logs.computeIfAbsent(request, unused -> new ArrayList<>()).add(piece);
        }
      }

      @Override
      public void onError(Throwable error) {}

      @Override
      public void onCompleted() {
        synchronized (FakeScheduler.this) {
          completedLogs.add(request);
        }
        answer.onNext(PushLogsResponse.getDefaultInstance());
        answer.onCompleted();
      }
    };
  }

  private final List<String> completedLogs = new ArrayList<>();

  /** Whether the output of a request was sent to its end. */
  public synchronized boolean logsComplete(String request) {
    return completedLogs.contains(request);
  }
}
