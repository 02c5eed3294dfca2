package io.quotashare.client.internal;

import io.quotashare.client.LogChunk;
import io.quotashare.client.LogOptions;
import io.quotashare.client.QuotaShareException;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.StreamJobLogsRequest;
import io.quotashare.proto.v1.StreamJobLogsResponse;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the output of one attempt and goes on at the right byte where a connection broke. */
public final class LogReader implements AutoCloseable {
  /** Who reads. One call at a time. */
  public interface Observer {
    /** A piece. {@link LogReader#consumed} must be called once for each. */
    void onChunk(LogChunk chunk);

    /** The end: null where the output has ended. */
    void onEnd(@Nullable QuotaShareException failure);
  }

  private final String job;
  private final LogOptions options;
  private final Observer observer;
  private final Consumer<String> connectionListener;
  private final ResumingStream<StreamJobLogsRequest, StreamJobLogsResponse> stream;

  LogReader(
      Rpc rpc,
      ScheduledExecutorService timers,
      Consumer<String> connectionListener,
      String job,
      LogOptions options,
      Observer observer) {
    this.job = job;
    this.options = options;
    this.observer = observer;
    this.connectionListener = connectionListener;
    // A job may be silent for hours: no limit on silence here.
    this.stream =
        new ResumingStream<>(
            rpc, JobServiceGrpc.getStreamJobLogsMethod(), timers, null, false, new Reader());
  }

  /** Begins to read. */
  public void start() {
    stream.start();
  }

  /** The observer is done with one piece. */
  public void consumed() {
    stream.consumed();
  }

  @Override
  public void close() {
    stream.close();
  }

  private final class Reader
      implements ResumingStream.Reader<StreamJobLogsRequest, StreamJobLogsResponse> {
    private volatile int attempt = options.attempt();
    private volatile long offset = options.offset();

    @Override
    public StreamJobLogsRequest nextRequest() {
      return StreamJobLogsRequest.newBuilder()
          .setName(job)
          .setAttempt(attempt)
          .setRank(options.rank())
          .setFollow(options.follow())
          .setOffset(offset)
          .build();
    }

    @Override
    public void onResponse(StreamJobLogsResponse response) {
      // "The newest attempt" is resolved by the first response: after a reconnect it must not
      // silently become a newer one, at an offset of the older.
      attempt = response.getAttempt();
      offset = response.getOffset() + response.getData().size();
      observer.onChunk(
          new LogChunk(
              response.getAttempt(), response.getOffset(), response.getData().toByteArray()));
    }

    @Override
    public void onDisconnected(QuotaShareException why, int failures) {
      // Once for each break: how many tries it takes is nobody's news.
      if (failures == 1) {
        connectionListener.accept(
            "the output of " + job + " lost its connection, trying again: " + why.getMessage());
      }
    }

    @Override
    public void onReconnected() {
      connectionListener.accept("the output of " + job + " goes on");
    }

    @Override
    public boolean onCompleted() {
      observer.onEnd(null);
      return false;
    }

    @Override
    public boolean onFailed(QuotaShareException why) {
      observer.onEnd(why);
      return false;
    }
  }
}
