package io.quotashare.server.logs;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.agent.v1.FetchLogs;
import io.quotashare.proto.agent.v1.PushLogsRequest;
import io.quotashare.proto.agent.v1.PushLogsResponse;
import io.quotashare.proto.v1.StreamJobLogsRequest;
import io.quotashare.proto.v1.StreamJobLogsResponse;
import io.quotashare.server.engine.Clock;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.view.ReadModel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the output of attempts from the agent that has it to the user who asks: the scheduler asks
 * the agent by a command, and the agent opens a stream in return.
 */
public final class LogRelay {
  private final ReadModel readModel;
  private final StateStore store;
  private final LogAgents agents;
  private final LogLimits limits;
  private final Clock clock;
  private final Supplier<String> ids;
  private final Map<String, LogStream> streams = new ConcurrentHashMap<>();
  private final Semaphore room;

  /**
   * @param ids makes ids that nobody can guess
   */
  public LogRelay(
      ReadModel readModel,
      StateStore store,
      LogAgents agents,
      LogLimits limits,
      Clock clock,
      Supplier<String> ids) {
    this.readModel = requireNonNull(readModel, "readModel is null");
    this.store = requireNonNull(store, "store is null");
    this.agents = requireNonNull(agents, "agents is null");
    this.limits = requireNonNull(limits, "limits is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.ids = requireNonNull(ids, "ids is null");
    this.room = new Semaphore(limits.maxStreams());
  }

  /** Answers a user. */
  public void stream(StreamJobLogsRequest request, StreamObserver<StreamJobLogsResponse> observer) {
    try {
      begin(request, (ServerCallStreamObserver<StreamJobLogsResponse>) observer);
    } catch (RuntimeException e) {
      observer.onError(Errors.toStatus(e));
    }
  }

  private void begin(
      StreamJobLogsRequest request, ServerCallStreamObserver<StreamJobLogsResponse> user) {
    LogTarget target = LogTarget.of(request, readModel.current(), store);
    if (!room.tryAcquire()) {
      throw Errors.retryLater(
          Status.Code.RESOURCE_EXHAUSTED,
          "TOO_MANY_LOG_STREAMS",
          "there are " + limits.maxStreams() + " log streams already",
          5_000);
    }
    String id = ids.get();
    long openBy = clock.monotonicNanos() + limits.openMillis() * 1_000_000;
    LogStream stream = new LogStream(id, target, user, openBy, () -> ended(id));
    user.setOnCancelHandler(stream::cancel);
    user.setOnReadyHandler(stream::userIsReady);
    streams.put(id, stream);
    FetchLogs fetch =
        FetchLogs.newBuilder()
            .setRequestId(id)
            .setAttempt(target.attempt().toString())
            .setOffset(request.getOffset())
            .setFollow(request.getFollow())
            .build();
    if (!agents.fetch(target.node(), fetch)) {
      stream.fail(silent(target));
    }
  }

  private void ended(String id) {
    streams.remove(id);
    room.release();
  }

  private static StatusRuntimeException silent(LogTarget target) {
    return Errors.of(
        Status.Code.UNAVAILABLE,
        "NODE_SILENT",
        "node " + target.node() + ", which has the output, is not connected",
        Map.of("node", target.node()));
  }

  /** Takes a stream of an agent. */
  public StreamObserver<PushLogsRequest> push(ServerCallStreamObserver<PushLogsResponse> agent) {
    agent.disableAutoRequest();
    Pusher pusher = new Pusher(agent);
    agent.setOnCancelHandler(pusher::gone);
    agent.request(1);
    return pusher;
  }

  /** Fails the streams that no agent has begun in time. To be called about once a second. */
  public void tick(long nowNanos) {
    List.copyOf(streams.values()).forEach(stream -> stream.failIfNotOpen(nowNanos));
  }

  /** Streams that are open. */
  public int size() {
    return streams.size();
  }

  /** Ends all streams: the scheduler stops. */
  public void close() {
    StatusRuntimeException why =
        Errors.retryLater(
            Status.Code.UNAVAILABLE, "STOPPING", "the scheduler stops: resume the stream", 1_000);
    List.copyOf(streams.values()).forEach(stream -> stream.fail(why));
  }

  /** One agent's stream; its first message says what it answers. */
  private final class Pusher implements StreamObserver<PushLogsRequest> {
    private final ServerCallStreamObserver<PushLogsResponse> agent;
    private volatile @Nullable LogStream stream;

    Pusher(ServerCallStreamObserver<PushLogsResponse> agent) {
      this.agent = agent;
    }

    @Override
    public void onNext(PushLogsRequest piece) {
      LogStream to = stream;
      if (to == null) {
        to = streams.get(piece.getRequestId());
        if (to == null || !to.open(agent)) {
          agent.onError(
              Errors.of(Status.Code.NOT_FOUND, "READER_GONE", "nobody waits for this output"));
          return;
        }
        stream = to;
      }
      to.receive(piece);
    }

    @Override
    public void onError(Throwable cause) {
      gone();
    }

    void gone() {
      LogStream to = stream;
      if (to != null) {
        to.agentGone();
      }
    }

    @Override
    public void onCompleted() {
      LogStream to = stream;
      if (to != null) {
        to.complete();
      } else {
        agent.onError(Errors.invalid("request_id", "unset (expected: that of FetchLogs)"));
      }
    }
  }
}
