package io.quotashare.agent.session;

import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.Command;
import io.quotashare.proto.agent.v1.Heartbeat;
import io.quotashare.proto.agent.v1.HeartbeatAck;
import io.quotashare.proto.agent.v1.RegisterRequest;
import io.quotashare.proto.agent.v1.RegisterResponse;
import io.quotashare.proto.agent.v1.ReportAck;
import io.quotashare.proto.agent.v1.ReportInventoryRequest;
import io.quotashare.proto.agent.v1.ReportInventoryResponse;
import io.quotashare.proto.agent.v1.SessionRequest;
import io.quotashare.proto.agent.v1.SessionResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A way to a scheduler that is the test itself. Everything is at once, on the test's thread. */
final class FakeLink implements SchedulerLink {
  final List<RegisterRequest> registrations = new ArrayList<>();
  final List<Answer<RegisterResponse>> registerAnswers = new ArrayList<>();
  final List<ReportInventoryRequest> inventories = new ArrayList<>();
  final List<Answer<ReportInventoryResponse>> inventoryAnswers = new ArrayList<>();
  final List<Stream> streams = new ArrayList<>();

  /** One session. */
  static final class Stream implements SessionStream {
    final SessionListener listener;
    final List<SessionRequest> sent = new ArrayList<>();
    boolean ready = true;
    boolean closed;

    Stream(SessionListener listener) {
      this.listener = listener;
    }

    List<AttemptStatus> reports() {
      return sent.stream()
          .filter(SessionRequest::hasAttemptStatus)
          .map(SessionRequest::getAttemptStatus)
          .toList();
    }

    List<Heartbeat> heartbeats() {
      return sent.stream()
          .filter(SessionRequest::hasHeartbeat)
          .map(SessionRequest::getHeartbeat)
          .toList();
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void send(SessionRequest message) {
      sent.add(message);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  Stream stream() {
    return streams.get(streams.size() - 1);
  }

  static RegisterResponse.Builder response(long epoch, String session) {
    RegisterResponse.Builder response =
        RegisterResponse.newBuilder().setProtocolVersion(1).setEpoch(epoch).setSession(session);
    response.getHeartbeatIntervalBuilder().setSeconds(1);
    return response;
  }

  /** Answers the newest registration. */
  void accept(RegisterResponse response) {
    registerAnswers.get(registerAnswers.size() - 1).ok(response);
  }

  void refuse(String code) {
    registerAnswers.get(registerAnswers.size() - 1).failed(new LinkFailure(code, "no"));
  }

  /** Sends a message of this epoch and session. */
  void send(long epoch, String session, Consumer<SessionResponse.Builder> payload) {
    SessionResponse.Builder message =
        SessionResponse.newBuilder().setEpoch(epoch).setSession(session);
    payload.accept(message);
    stream().listener.message(message.build());
  }

  static HeartbeatAck ack(long sentBootMillis) {
    return HeartbeatAck.newBuilder().setSentMonotonicMs(sentBootMillis).build();
  }

  static ReportAck ack(AttemptStatus status) {
    return ReportAck.newBuilder()
        .setAttempt(status.getAttempt())
        .setVersion(status.getVersion())
        .build();
  }

  static Command.Builder command(long seq) {
    return Command.newBuilder().setSeq(seq);
  }

  @Override
  public void register(RegisterRequest request, Answer<RegisterResponse> answer) {
    registrations.add(request);
    registerAnswers.add(answer);
  }

  @Override
  public SessionStream openSession(SessionListener listener) {
    Stream stream = new Stream(listener);
    streams.add(stream);
    return stream;
  }

  @Override
  public void reportInventory(
      ReportInventoryRequest request, Answer<ReportInventoryResponse> answer) {
    inventories.add(request);
    inventoryAnswers.add(answer);
  }

  @Override
  public LogSink pushLogs(Runnable onReady) {
    throw new UnsupportedOperationException("not used here");
  }

  @Override
  public void close() {}
}
