package io.quotashare.agent.session;

import static java.util.Objects.requireNonNull;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.agent.v1.AgentServiceGrpc;
import io.quotashare.proto.agent.v1.PushLogsRequest;
import io.quotashare.proto.agent.v1.PushLogsResponse;
import io.quotashare.proto.agent.v1.RegisterRequest;
import io.quotashare.proto.agent.v1.RegisterResponse;
import io.quotashare.proto.agent.v1.ReportInventoryRequest;
import io.quotashare.proto.agent.v1.ReportInventoryResponse;
import io.quotashare.proto.agent.v1.SessionRequest;
import io.quotashare.proto.agent.v1.SessionResponse;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The way to the scheduler by gRPC. */
public final class GrpcSchedulerLink implements SchedulerLink {
  private static final long CALL_TIMEOUT_MILLIS = 10_000;

  private final ManagedChannel channel;
  private final Executor agent;

  /**
   * A link over a channel, which it closes in the end.
   *
   * @param agent the agent's thread
   */
  public GrpcSchedulerLink(ManagedChannel channel, Executor agent) {
    this.channel = requireNonNull(channel, "channel is null");
    this.agent = requireNonNull(agent, "agent is null");
  }

  private AgentServiceGrpc.AgentServiceStub stub() {
    return AgentServiceGrpc.newStub(channel);
  }

  @Override
  public void register(RegisterRequest request, Answer<RegisterResponse> answer) {
    // The channel waits up to two minutes by itself after failures; the session has its own times.
    channel.resetConnectBackoff();
    stub()
        .withDeadlineAfter(CALL_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
        .register(request, new OneAnswer<>(answer));
  }

  @Override
  public void reportInventory(
      ReportInventoryRequest request, Answer<ReportInventoryResponse> answer) {
    stub()
        .withDeadlineAfter(CALL_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
        .reportInventory(request, new OneAnswer<>(answer));
  }

  @Override
  public SessionStream openSession(SessionListener listener) {
    Session session = new Session(listener);
    stub().session(session);
    return session;
  }

  @Override
  public LogSink pushLogs(Runnable onReady) {
    Push push = new Push(onReady);
    stub().pushLogs(push);
    return push;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private static LinkFailure failure(Throwable error) {
    Status status = Status.fromThrowable(error);
    String cause = status.getCause() == null ? "" : String.valueOf(status.getCause().getMessage());
    String message = status.getDescription() == null ? cause : status.getDescription();
    if (!cause.isEmpty() && !message.contains(cause)) {
      message = message + " (" + cause + ")";
    }
    return new LinkFailure(status.getCode().name(), message);
  }

  /** Hands the one answer of a call to the agent's thread. */
  private final class OneAnswer<T> implements StreamObserver<T> {
    private final Answer<T> answer;

    OneAnswer(Answer<T> answer) {
      this.answer = answer;
    }

    @Override
    public void onNext(T value) {
      agent.execute(() -> answer.ok(value));
    }

    @Override
    public void onError(Throwable error) {
      agent.execute(() -> answer.failed(failure(error)));
    }

    @Override
    public void onCompleted() {}
  }

  /** A session: takes one message at a time, the next when the agent is done with it. */
  private final class Session
      implements SessionStream, ClientResponseObserver<SessionRequest, SessionResponse> {
    private final SessionListener listener;
    private ClientCallStreamObserver<SessionRequest> up;

    @SuppressWarnings("NullAway.Init")
    Session(SessionListener listener) {
      this.listener = listener;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<SessionRequest> stream) {
      up = stream;
      up.disableAutoRequestWithInitial(1);
    }

    @Override
    public void onNext(SessionResponse message) {
      agent.execute(
          () -> {
            listener.message(message);
            up.request(1);
          });
    }

    @Override
    public void onError(Throwable error) {
      agent.execute(() -> listener.ended(failure(error)));
    }

    @Override
    public void onCompleted() {
      agent.execute(() -> listener.ended(new LinkFailure("OK", "the scheduler ended the session")));
    }

    @Override
    public boolean isReady() {
      return up.isReady();
    }

    @Override
    public void send(SessionRequest message) {
      up.onNext(message);
    }

    @Override
    public void close() {
      up.cancel("the agent ends the session", null);
    }
  }

  /** A stream of output. */
  private static final class Push
      implements LogSink, ClientResponseObserver<PushLogsRequest, PushLogsResponse> {
    private final Runnable onReady;
    private ClientCallStreamObserver<PushLogsRequest> up;
    private volatile boolean ended;

    @SuppressWarnings("NullAway.Init")
    Push(Runnable onReady) {
      this.onReady = onReady;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<PushLogsRequest> stream) {
      up = stream;
      up.setOnReadyHandler(onReady);
    }

    @Override
    public void onNext(PushLogsResponse response) {}

    @Override
    public void onError(Throwable error) {
      ended = true;
      onReady.run();
    }

    @Override
    public void onCompleted() {
      ended = true;
      onReady.run();
    }

    @Override
    public boolean isReady() {
      return up.isReady();
    }

    @Override
    public boolean isEnded() {
      return ended;
    }

    @Override
    public synchronized void send(PushLogsRequest piece) {
      if (!ended) {
        up.onNext(piece);
      }
    }

    @Override
    public synchronized void complete() {
      if (!ended) {
        up.onCompleted();
      }
    }
  }
}
