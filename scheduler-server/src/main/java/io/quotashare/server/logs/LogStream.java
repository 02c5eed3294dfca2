package io.quotashare.server.logs;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.quotashare.proto.agent.v1.PushLogsRequest;
import io.quotashare.proto.agent.v1.PushLogsResponse;
import io.quotashare.proto.v1.StreamJobLogsResponse;
import io.quotashare.server.grpc.Errors;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One stream of output. The next piece is asked of the agent only when the user has room for it, so
 * nothing piles up here.
 */
final class LogStream {
  /** Largest piece. */
  static final int MAX_PIECE_BYTES = 64 * 1024;

  private final String requestId;
  private final LogTarget target;
  private final ServerCallStreamObserver<StreamJobLogsResponse> user;
  private final long openByNanos;
  private final Runnable onEnd;

  // Guarded by this:
  private @Nullable ServerCallStreamObserver<PushLogsResponse> agent;
  private boolean owesRequest;
  private boolean ended;

  /**
   * @param openByNanos the agent must have begun by then
   * @param onEnd called once
   */
  LogStream(
      String requestId,
      LogTarget target,
      ServerCallStreamObserver<StreamJobLogsResponse> user,
      long openByNanos,
      Runnable onEnd) {
    this.requestId = requestId;
    this.target = target;
    this.user = user;
    this.openByNanos = openByNanos;
    this.onEnd = onEnd;
  }

  String requestId() {
    return requestId;
  }

  LogTarget target() {
    return target;
  }

  /** The agent answers; false if somebody else does already, or the stream has ended. */
  synchronized boolean open(ServerCallStreamObserver<PushLogsResponse> from) {
    if (ended || agent != null) {
      return false;
    }
    agent = from;
    return true;
  }

  synchronized void receive(PushLogsRequest piece) {
    if (ended) {
      return;
    }
    if (!piece.getError().isEmpty()) {
      fail(
          Errors.of(
              Status.Code.FAILED_PRECONDITION,
              "NO_OUTPUT",
              "node "
                  + target.node()
                  + " has no output of "
                  + target.attempt()
                  + ": "
                  + piece.getError()));
      return;
    }
    if (piece.getOffset() < 0) {
      fail(Errors.invalid("offset", piece.getOffset() + " (expected: 0 or more)"));
      return;
    }
    ByteString data = piece.getData();
    if (data.size() > MAX_PIECE_BYTES) {
      fail(
          Errors.invalid(
              "data", data.size() + " bytes (expected: at most " + MAX_PIECE_BYTES + ")"));
      return;
    }
    if (!data.isEmpty()) {
      user.onNext(
          StreamJobLogsResponse.newBuilder()
              .setAttempt(target.attempt().number())
              .setOffset(piece.getOffset())
              .setData(data)
              .build());
    }
    owesRequest = true;
    askForMore();
  }

  /** The user has room again. */
  synchronized void userIsReady() {
    askForMore();
  }

  private void askForMore() {
    if (owesRequest && agent != null && user.isReady()) {
      owesRequest = false;
      agent.request(1);
    }
  }

  /** The agent has sent all. */
  synchronized void complete() {
    if (end()) {
      user.onCompleted();
      if (agent != null) {
        agent.onNext(PushLogsResponse.getDefaultInstance());
        agent.onCompleted();
      }
    }
  }

  /** The user has gone. */
  synchronized void cancel() {
    if (end() && agent != null) {
      agent.onError(Errors.of(Status.Code.CANCELLED, "READER_GONE", "nobody reads this any more"));
    }
  }

  /** The agent's stream broke. */
  synchronized void agentGone() {
    if (end()) {
      user.onError(
          Errors.of(
              Status.Code.UNAVAILABLE,
              "AGENT_GONE",
              "the connection to node " + target.node() + " broke: resume from the last offset",
              Map.of("node", target.node())));
    }
  }

  synchronized void fail(StatusRuntimeException why) {
    if (end()) {
      user.onError(why);
      if (agent != null) {
        agent.onError(why);
      }
    }
  }

  synchronized void failIfNotOpen(long nowNanos) {
    if (agent == null && nowNanos - openByNanos >= 0) {
      fail(
          Errors.retryLater(
              Status.Code.UNAVAILABLE,
              "AGENT_SILENT",
              "node " + target.node() + " did not answer in time",
              1_000));
    }
  }

  private boolean end() {
    if (ended) {
      return false;
    }
    ended = true;
    onEnd.run();
    return true;
  }
}
