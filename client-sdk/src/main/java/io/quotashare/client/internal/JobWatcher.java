package io.quotashare.client.internal;

import io.quotashare.client.JobEvent;
import io.quotashare.client.JobEventType;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.RevisionExpiredException;
import io.quotashare.client.WatchOptions;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchJobsResponse;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * A watch that goes on where it broke. The revision advances with events and bookmarks, but not
 * with the snapshot at the beginning: a snapshot that broke in the middle is sent again whole.
 */
public final class JobWatcher implements AutoCloseable {
  /** Who watches. One call at a time. */
  public interface Observer {
    /** Something happened. {@link JobWatcher#consumed} must be called once for each event. */
    void onEvent(JobEvent event);

    /** The scheduler has taken the watch up: what happens from now on will be seen. */
    void onEstablished();

    /** The watch has ended for good. */
    void onFailed(QuotaShareException why);
  }

  private final WatchOptions options;
  private final Observer observer;
  private final Consumer<String> connectionListener;
  private final ResumingStream<WatchJobsRequest, WatchJobsResponse> stream;

  private volatile long revision;
  private volatile boolean afterSnapshot;
  private volatile boolean begunAnew;

  JobWatcher(
      Rpc rpc,
      ScheduledExecutorService timers,
      Consumer<String> connectionListener,
      WatchOptions options,
      Observer observer) {
    this.options = options;
    this.observer = observer;
    this.connectionListener = connectionListener;
    this.revision = options.revision();
    this.afterSnapshot = options.revision() > 0;
    this.stream =
        new ResumingStream<>(
            rpc, JobServiceGrpc.getWatchJobsMethod(), timers, Reconnect.SILENCE, new Reader());
  }

  /** Begins to watch. */
  public void start() {
    stream.start();
  }

  /** The observer is done with one event. */
  public void consumed() {
    stream.consumed();
  }

  /** The revision that a later watch can resume from; 0 before the first. */
  public long revision() {
    return revision;
  }

  @Override
  public void close() {
    stream.close();
  }

  private final class Reader implements ResumingStream.Reader<WatchJobsRequest, WatchJobsResponse> {
    private boolean established;

    @Override
    public WatchJobsRequest nextRequest() {
      return WatchJobsRequest.newBuilder()
          .setParent(Parents.queueOrAll(options.queue()))
          .setJobId(options.jobId())
          .setRevision(afterSnapshot ? revision : 0)
          .setSkipSnapshot(!afterSnapshot && !options.snapshot() && !begunAnew)
          .build();
    }

    @Override
    public void onResponse(WatchJobsResponse response) {
      JobEvent event = response.hasEvent() ? JobProtos.fromProto(response) : null;
      boolean advances = event == null || event.type() != JobEventType.SNAPSHOT;
      if (advances && response.getRevision() > 0) {
        revision = Math.max(revision, response.getRevision());
        afterSnapshot = true;
      }
      if (!established) {
        established = true;
        observer.onEstablished();
      }
      if (event == null) {
        stream.consumed();
      } else {
        observer.onEvent(event);
      }
    }

    @Override
    public void onDisconnected(QuotaShareException why, int failures) {
      // Once for each break: how many tries it takes is nobody's news.
      if (failures == 1) {
        connectionListener.accept(
            "the watch of jobs lost its connection, trying again: " + why.getMessage());
      }
    }

    @Override
    public void onReconnected() {
      connectionListener.accept("the watch of jobs goes on");
    }

    @Override
    public boolean onCompleted() {
      // The scheduler is shutting down; its successor goes on with the revision.
      return true;
    }

    @Override
    public boolean onFailed(QuotaShareException why) {
      if (options.restart() && why instanceof RevisionExpiredException) {
        afterSnapshot = false;
        begunAnew = true;
        revision = 0;
        return true;
      }
      observer.onFailed(why);
      return false;
    }
  }
}
