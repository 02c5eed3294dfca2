package io.quotashare.server.watch;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchJobsResponse;
import io.quotashare.proto.v1.WatchQuotaSharesRequest;
import io.quotashare.proto.v1.WatchQuotaSharesResponse;
import io.quotashare.server.engine.Commit;
import io.quotashare.server.engine.EngineListener;
import io.quotashare.server.engine.Restored;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.shares.LastDay;
import io.quotashare.server.view.ReadModel;
import io.quotashare.server.view.Snapshot;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
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
  private final ShareMessages shareMessages;
  private final Executor executor;

  private final Object lock = new Object();
  // Guarded by lock:
  private EventLog events;
  private ShareLog shares;
  private Snapshot snapshot;
  private long snapshotMillis;
  private final Set<Watch<?, ?>> watches = new LinkedHashSet<>();
  private boolean closed;

  /**
   * @param executor sends to watchers; the engine's thread never does
   */
  public WatchHub(ReadModel readModel, LastDay lastDay, WatchLimits limits, Executor executor) {
    this.readModel = requireNonNull(readModel, "readModel is null");
    this.limits = requireNonNull(limits, "limits is null");
    this.shareMessages = new ShareMessages(lastDay);
    this.executor = requireNonNull(executor, "executor is null");
    this.events = new EventLog(limits.keptEvents(), 0);
    this.shares = new ShareLog(limits.keptEvents(), 0);
    this.snapshot = readModel.current();
  }

  @Override
  public void started(Restored restored) {
    synchronized (lock) {
      events = new EventLog(limits.keptEvents(), restored.revision());
      shares = new ShareLog(limits.keptEvents(), restored.revision());
      snapshot = readModel.current();
      snapshotMillis = restored.nowMillis();
    }
  }

  @Override
  public void committed(Commit commit) {
    List<Watch<?, ?>> behind = new ArrayList<>();
    List<Watch<?, ?>> awake = new ArrayList<>();
    synchronized (lock) {
      Snapshot before = snapshot;
      snapshot = readModel.current();
      snapshotMillis = commit.atMillis();
      long placeOfEvents = events.nextPlace();
      long placeOfShares = shares.nextPlace();
      events.append(commit.revision(), commit.batch().events());
      shares.append(commit.revision(), shareMessages.changes(before, snapshot, commit.atMillis()));
      for (Watch<?, ?> watch : watches) {
        long nextPlace = watch.log().nextPlace();
        if (nextPlace - watch.place() > watch.allowedLag()) {
          behind.add(watch);
        }
        if (nextPlace > (watch.log() == events ? placeOfEvents : placeOfShares)) {
          awake.add(watch);
        }
      }
    }
    behind.forEach(watch -> executor.execute(watch::cutIfBehind));
    awake.forEach(watch -> watch.wake(executor));
  }

  /** Begins a watch of jobs. */
  public void watch(WatchJobsRequest request, StreamObserver<WatchJobsResponse> observer) {
    begin(
        observer,
        () -> {
          WatchFilter filter = WatchFilter.of(request);
          synchronized (lock) {
            checkOpen(filter.queue());
            Iterator<WatchJobsResponse> beginning =
                request.getSkipSnapshot() || request.getRevision() != 0
                    ? null
                    : filter.present(snapshot, snapshotMillis);
            return open(
                new Watch.Topic<>(events, filter::matches, WatchHub::bookmark),
                request.getRevision(),
                beginning,
                observer);
          }
        });
  }

  /** Begins a watch of shares. */
  public void watch(
      WatchQuotaSharesRequest request, StreamObserver<WatchQuotaSharesResponse> observer) {
    begin(
        observer,
        () -> {
          ShareFilter filter = ShareFilter.of(request);
          synchronized (lock) {
            checkOpen(filter.queue());
            Iterator<WatchQuotaSharesResponse> beginning =
                request.getRevision() != 0
                    ? null
                    : shareMessages.present(filter, snapshot, snapshotMillis);
            return open(
                new Watch.Topic<>(shares, filter::matches, ShareMessages::bookmark),
                request.getRevision(),
                beginning,
                observer);
          }
        });
  }

  private static WatchJobsResponse bookmark(long revision) {
    return WatchJobsResponse.newBuilder().setRevision(revision).build();
  }

  private static <M> void begin(StreamObserver<M> observer, Supplier<Watch<?, M>> opened) {
    Watch<?, M> watch;
    try {
      watch = opened.get();
    } catch (StatusRuntimeException e) {
      observer.onError(e);
      return;
    }
    watch.start();
  }

  private void checkOpen(Optional<String> queue) {
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
    if (queue.isPresent() && !snapshot.queues().containsKey(queue.get())) {
      throw Errors.notFound("queue", "queues/" + queue.get());
    }
  }

  /**
   * Opens a watch. It may be further behind than others until it has caught up: while it reads the
   * present state, by all that are kept, or else a large state could never be read where much
   * happens; and where it resumes, by as much as it is behind now.
   */
  private <K, M> Watch<K, M> open(
      Watch.Topic<K, M> topic,
      long revision,
      @Nullable Iterator<M> beginning,
      StreamObserver<M> observer) {
    WatchLog<K, M> log = topic.log();
    long place = log.nextPlace();
    if (revision != 0) {
      checkKept(log, revision);
      place = log.placeAfter(revision);
    }
    Watch<K, M> watch =
        new Watch<>(
            this,
            topic,
            (ServerCallStreamObserver<M>) observer,
            place,
            revision == 0 ? log.latestRevision() : revision,
            beginning);
    watch.allowedLag(
        beginning != null
            ? limits.keptEvents()
            : Math.max(limits.maxLagEvents(), log.nextPlace() - place));
    watches.add(watch);
    return watch;
  }

  private static void checkKept(WatchLog<?, ?> log, long revision) {
    if (revision > log.latestRevision() || !log.keepsAfter(revision)) {
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
  sealed interface Next<K, M> {
    /** Something that happened. */
    record Event<K, M>(WatchLog.Entry<K, M> entry) implements Next<K, M> {}

    /** Nothing for now; all up to this revision is told. */
    record CaughtUp<K, M>(long revision) implements Next<K, M> {}

    /** It is forgotten, or the reader is further behind than allowed. */
    record Behind<K, M>() implements Next<K, M> {}
  }

  <K, M> Next<K, M> next(Watch<K, M> watch) {
    synchronized (lock) {
      WatchLog<K, M> log = watch.log();
      long place = watch.place();
      long lag = log.nextPlace() - place;
      if (!log.keeps(place) || lag > watch.allowedLag()) {
        return new Next.Behind<>();
      }
      if (lag <= limits.maxLagEvents()) {
        watch.allowedLag(limits.maxLagEvents());
      }
      WatchLog.Entry<K, M> entry = log.from(place);
      return entry == null ? new Next.CaughtUp<>(log.latestRevision()) : new Next.Event<>(entry);
    }
  }

  void forget(Watch<?, ?> watch) {
    synchronized (lock) {
      watches.remove(watch);
    }
  }

  /** Sends the bookmarks that are due. To be called about once a second. */
  public void tick(long nowNanos) {
    for (Watch<?, ?> watch : open()) {
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

  private List<Watch<?, ?>> open() {
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
