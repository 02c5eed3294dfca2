package io.quotashare.server.watch;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchJobsResponse;
import io.quotashare.server.engine.Commit;
import io.quotashare.server.engine.EngineListener;
import io.quotashare.server.engine.Restored;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.view.ReadModel;
import io.quotashare.server.view.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Tells watchers what happens. The engine's thread appends events; each watch reads them at its own
 * pace, and one that falls too far behind is cut with the revision to resume from (reliability N6).
 * A watch begins with a snapshot taken under the lock that events are appended under, so there is
 * no gap and no repetition between the two.
 */
public final class WatchHub implements EngineListener {
  private final ReadModel readModel;
  private final WatchLimits limits;
  private final Executor executor;

  private final Object lock = new Object();
  // Guarded by lock:
  private EventLog events;
  private Snapshot snapshot;
  private long snapshotMillis;
  private final Set<Watch> watches = new LinkedHashSet<>();
  private boolean closed;

  /**
   * @param executor sends to watchers; the engine's thread never does
   */
  public WatchHub(ReadModel readModel, WatchLimits limits, Executor executor) {
    this.readModel = requireNonNull(readModel, "readModel is null");
    this.limits = requireNonNull(limits, "limits is null");
    this.executor = requireNonNull(executor, "executor is null");
    this.events = new EventLog(limits.keptEvents(), 0);
    this.snapshot = readModel.current();
  }

  @Override
  public void started(Restored restored) {
    synchronized (lock) {
      events = new EventLog(limits.keptEvents(), restored.revision());
      snapshot = readModel.current();
      snapshotMillis = restored.nowMillis();
    }
  }

  @Override
  public void committed(Commit commit) {
    List<Watch> behind = new ArrayList<>();
    List<Watch> awake;
    synchronized (lock) {
      events.append(commit.revision(), commit.batch().events());
      snapshot = readModel.current();
      snapshotMillis = commit.atMillis();
      for (Watch watch : watches) {
        if (events.nextPlace() - watch.place() > watch.allowedLag()) {
          behind.add(watch);
        }
      }
      awake = commit.batch().events().isEmpty() ? List.of() : List.copyOf(watches);
    }
    behind.forEach(watch -> executor.execute(watch::cutIfBehind));
    awake.forEach(watch -> watch.wake(executor));
  }

  /** Begins a watch. */
  public void watch(WatchJobsRequest request, StreamObserver<WatchJobsResponse> observer) {
    Watch watch;
    try {
      watch =
          open(
              WatchFilter.of(request),
              request,
              (ServerCallStreamObserver<WatchJobsResponse>) observer);
    } catch (StatusRuntimeException e) {
      observer.onError(e);
      return;
    }
    watch.start();
  }

  private Watch open(
      WatchFilter filter,
      WatchJobsRequest request,
      ServerCallStreamObserver<WatchJobsResponse> observer) {
    synchronized (lock) {
      if (closed) {
        throw stopping();
      }
      if (watches.size() >= limits.maxWatches()) {
        throw Errors.retryLater(
            Status.Code.RESOURCE_EXHAUSTED,
            "TOO_MANY_WATCHES",
            "there are " + limits.maxWatches() + " watches already",
            5_000);
      }
      filter.checkQueue(snapshot);
      Watch watch;
      if (request.getRevision() == 0) {
        Watch.Beginning beginning =
            request.getSkipSnapshot() ? null : new Watch.Beginning(snapshot, snapshotMillis);
        watch =
            new Watch(
                this, filter, observer, events.nextPlace(), events.latestRevision(), beginning);
      } else {
        checkKept(request.getRevision());
        long place = events.placeAfter(request.getRevision());
        watch = new Watch(this, filter, observer, place, request.getRevision(), null);
      }
      watch.allowedLag(allowedLag(watch, request));
      watches.add(watch);
      return watch;
    }
  }

  /**
   * Events that a watch may be behind until it has caught up: while it reads the present state, all
   * that are kept, or else a large state could never be read where much happens; and where it
   * resumes, as many as it is behind now.
   */
  private long allowedLag(Watch watch, WatchJobsRequest request) {
    boolean hasBeginning = request.getRevision() == 0 && !request.getSkipSnapshot();
    return hasBeginning
        ? limits.keptEvents()
        : Math.max(limits.maxLagEvents(), events.nextPlace() - watch.place());
  }

  private void checkKept(long revision) {
    if (revision > events.latestRevision() || !events.keepsAfter(revision)) {
      throw Errors.of(
          Status.Code.OUT_OF_RANGE,
          "REVISION_EXPIRED",
          "revision: "
              + revision
              + " (expected: one that is still kept): list again, and watch from there",
          Map.of("revision", Long.toString(revision)));
    }
  }

  /** What a watch reads next. */
  sealed interface Next {
    /** An event. */
    record Event(EventLog.Entry entry) implements Next {}

    /** Nothing for now; all up to this revision is told. */
    record CaughtUp(long revision) implements Next {}

    /** It is forgotten, or the reader is further behind than allowed. */
    record Behind() implements Next {}
  }

  Next next(Watch watch) {
    synchronized (lock) {
      long place = watch.place();
      long lag = events.nextPlace() - place;
      if (!events.keeps(place) || lag > watch.allowedLag()) {
        return new Next.Behind();
      }
      if (lag <= limits.maxLagEvents()) {
        watch.allowedLag(limits.maxLagEvents());
      }
      EventLog.Entry entry = events.at(place);
      return entry == null ? new Next.CaughtUp(events.latestRevision()) : new Next.Event(entry);
    }
  }

  void forget(Watch watch) {
    synchronized (lock) {
      watches.remove(watch);
    }
  }

  /** Sends the bookmarks that are due. To be called about once a second. */
  public void tick(long nowNanos) {
    for (Watch watch : open()) {
      executor.execute(() -> watch.bookmarkIfDue(nowNanos, limits.bookmarkMillis() * 1_000_000));
    }
  }

  /** Watches that are open. */
  public int size() {
    return open().size();
  }

  /** Ends all watches and begins no more. */
  public void close() {
    synchronized (lock) {
      closed = true;
    }
    open().forEach(watch -> watch.fail(stopping()));
  }

  private List<Watch> open() {
    synchronized (lock) {
      return List.copyOf(watches);
    }
  }

  private static StatusRuntimeException stopping() {
    return Errors.retryLater(
        Status.Code.UNAVAILABLE, "STOPPING", "the scheduler stops: resume the watch", 1_000);
  }

  /** The failure of a reader that is too slow. */
  static StatusRuntimeException tooSlow(@Nullable Long revision) {
    String resume = revision == null ? "" : Long.toString(revision);
    return Errors.of(
        Status.Code.RESOURCE_EXHAUSTED,
        "WATCH_TOO_SLOW",
        revision == null
            ? "the reader is too slow for the present state: begin again"
            : "the reader is too slow: resume from revision " + resume,
        revision == null ? Map.of() : Map.of("revision", resume));
  }
}
