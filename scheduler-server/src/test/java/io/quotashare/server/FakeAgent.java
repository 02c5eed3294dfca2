package io.quotashare.server;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.quotashare.proto.agent.v1.AgentServiceGrpc;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.CheckpointAttempt;
import io.quotashare.proto.agent.v1.Command;
import io.quotashare.proto.agent.v1.DeviceInfo;
import io.quotashare.proto.agent.v1.Heartbeat;
import io.quotashare.proto.agent.v1.Inventory;
import io.quotashare.proto.agent.v1.RegisterRequest;
import io.quotashare.proto.agent.v1.RegisterResponse;
import io.quotashare.proto.agent.v1.SessionRequest;
import io.quotashare.proto.agent.v1.SessionResponse;
import io.quotashare.proto.agent.v1.StartAttempt;
import io.quotashare.proto.agent.v1.StopAttempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An agent that does what a test says. */
public final class FakeAgent {
  private TestServer server;
  private final String node;
  private final int gpus;
  private String bootId = "boot-1";
  private @Nullable RegisterResponse registration;
  private @Nullable ClientCallStreamObserver<SessionRequest> stream;
  private long seq;
  private long version;

  private final List<SessionResponse> received = new ArrayList<>();
  private @Nullable Throwable ended;

  public FakeAgent(TestServer server, String node, int gpus) {
    this.server = server;
    this.node = node;
    this.gpus = gpus;
  }

  /** The same agent, which finds another scheduler in the place of the one before. */
  public FakeAgent on(TestServer next) {
    server = next;
    received.clear();
    return this;
  }

  /** Registers and opens its stream. */
  public FakeAgent join() {
    register();
    connect();
    return this;
  }

  public RegisterResponse register(AttemptStatus... attempts) {
    RegisterResponse response = server.answer(server.agents().register(request(attempts)));
    registration = response;
    seq = 0;
    return response;
  }

  public RegisterRequest request(AttemptStatus... attempts) {
    return RegisterRequest.newBuilder()
        .setProtocolVersion(1)
        .setNode(node)
        .setAgentVersion("test")
        .setBootId(bootId)
        .putLabels("pool", "research")
        .setAdvertiseAddress(node + ".example")
        .setInventory(inventory())
        .addAllAttempts(List.of(attempts))
        .build();
  }

  public Inventory inventory() {
    Inventory.Builder inventory = Inventory.newBuilder().setHash("h" + gpus).setNvmlState("OK");
    for (int i = 0; i < gpus; i++) {
      inventory.addDevices(
          DeviceInfo.newBuilder()
              .setUuid("GPU-" + node + "-" + i)
              .setIndex(i)
              .setUnit("H100")
              .setModel("H100")
              .setHealthy(true));
    }
    return inventory.build();
  }

  /** Opens a stream and says hello by a heartbeat. */
  public void connect() {
    ended = null;
    AgentServiceGrpc.newStub(server.channel())
        .session(
            new ClientResponseObserver<SessionRequest, SessionResponse>() {
              @Override
              public void beforeStart(ClientCallStreamObserver<SessionRequest> call) {
                stream = call;
                if (!reading) {
                  call.disableAutoRequestWithInitial(0);
                }
              }

              @Override
              public void onNext(SessionResponse response) {
                received.add(response);
              }

              @Override
              public void onError(Throwable cause) {
                ended = cause;
              }

              @Override
              public void onCompleted() {
                ended = new IllegalStateException("completed");
              }
            });
    heartbeat();
    server.settle();
  }

  private boolean reading = true;

  /** Opens later streams without reading from them. */
  public FakeAgent deaf() {
    reading = false;
    return this;
  }

  public void heartbeat(AttemptStatus... attempts) {
    send(
        SessionRequest.newBuilder()
            .setHeartbeat(
                Heartbeat.newBuilder()
                    .setSentMonotonicMs(4711)
                    .setInventoryHash(inventory().getHash())
                    .addAllAttempts(List.of(attempts))));
  }

  /** Sends with the epoch and session of its registration. */
  public void send(SessionRequest.Builder request) {
    RegisterResponse with = registration();
    sendRaw(request.setEpoch(with.getEpoch()).setSession(with.getSession()).setSeq(++seq).build());
  }

  public void sendRaw(SessionRequest request) {
    if (ended == null && stream != null) {
      stream.onNext(request);
    }
  }

  /** Says that an attempt is in a phase. */
  public AttemptStatus report(String attempt, AttemptPhase phase) {
    return report(status(attempt, phase));
  }

  public AttemptStatus report(AttemptStatus.Builder status) {
    AttemptStatus built = status.build();
    send(SessionRequest.newBuilder().setAttemptStatus(built));
    server.settle();
    return built;
  }

  public AttemptStatus.Builder status(String attempt, AttemptPhase phase) {
    AttemptStatus.Builder status =
        AttemptStatus.newBuilder().setAttempt(attempt).setPhase(phase).setVersion(++version);
    return phase == AttemptPhase.ATTEMPT_PHASE_EXITED || phase == AttemptPhase.ATTEMPT_PHASE_FREE
        ? status.setExitCode(0).setExitedAt(now())
        : status;
  }

  public com.google.protobuf.Timestamp now() {
    return io.quotashare.server.grpc.Times.timestamp(server.clock().wallMillis());
  }

  /** Runs an attempt up to RUNNING. */
  public void run(String attempt) {
    report(attempt, AttemptPhase.ATTEMPT_PHASE_STARTING);
    report(attempt, AttemptPhase.ATTEMPT_PHASE_RUNNING);
  }

  /** Ends an attempt; exit code 0. */
  public void finish(String attempt) {
    report(attempt, AttemptPhase.ATTEMPT_PHASE_EXITED);
    report(attempt, AttemptPhase.ATTEMPT_PHASE_FREE);
  }

  /** Ends an attempt badly. */
  public void fail(String attempt, int exitCode) {
    report(status(attempt, AttemptPhase.ATTEMPT_PHASE_EXITED).setExitCode(exitCode));
    report(status(attempt, AttemptPhase.ATTEMPT_PHASE_FREE).setExitCode(exitCode));
  }

  /** Ends an attempt because it was told to stop. */
  public void stopped(String attempt) {
    for (AttemptPhase phase :
        List.of(AttemptPhase.ATTEMPT_PHASE_EXITED, AttemptPhase.ATTEMPT_PHASE_FREE)) {
      report(status(attempt, phase).setStopRequestedAt(now()).setTermSentAt(now()));
    }
  }

  /** The connection breaks. */
  public void disconnect() {
    if (stream != null) {
      stream.cancel("broken", null);
    }
  }

  /** The host boots again. */
  public void reboot() {
    disconnect();
    bootId = bootId + "'";
  }

  public RegisterResponse registration() {
    if (registration == null) {
      throw new AssertionError("not registered");
    }
    return registration;
  }

  public List<SessionResponse> received() {
    return received;
  }

  public List<Command> commands() {
    return received.stream()
        .filter(SessionResponse::hasCommand)
        .map(SessionResponse::getCommand)
        .toList();
  }

  public List<StartAttempt> starts() {
    return commands().stream().filter(Command::hasStart).map(Command::getStart).toList();
  }

  public List<StopAttempt> stops() {
    return commands().stream().filter(Command::hasStop).map(Command::getStop).toList();
  }

  public List<CheckpointAttempt> checkpoints() {
    return commands().stream().filter(Command::hasCheckpoint).map(Command::getCheckpoint).toList();
  }

  /** Versions that were acknowledged, by attempt. */
  public List<Map.Entry<String, Long>> acks() {
    return received.stream()
        .filter(SessionResponse::hasReportAck)
        .map(r -> Map.entry(r.getReportAck().getAttempt(), r.getReportAck().getVersion()))
        .toList();
  }

  /** Why the stream ended; null if it has not. */
  public @Nullable Throwable ended() {
    return ended;
  }

  public String node() {
    return node;
  }
}
