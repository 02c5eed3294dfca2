package io.quotashare.server.watch;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.quotashare.proto.v1.WatchJobsResponse;
import io.quotashare.server.jobs.JobEventWriter;
import io.quotashare.server.view.JobView;
import io.quotashare.server.view.Snapshot;
import java.util.Iterator;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One watch. It sends only while the transport has room; what is not sent stays in the hub's log,
 * so a slow reader costs nothing but its place in it.
 */
final class Watch {
  /** The state that a watch begins with. */
  record Beginning(Snapshot snapshot, long atMillis) {}

  private final WatchHub hub;
  private final WatchFilter filter;
  private final ServerCallStreamObserver<WatchJobsResponse> observer;
  private final AtomicBoolean woken = new AtomicBoolean();

  /** Written under this object's lock, read by the hub without it: an old value only waits. */
  private volatile long place;

  /** Guarded by the hub's lock. */
  private long allowedLag;

  // Guarded by this:
  private @Nullable Iterator<JobView> beginning;
  private final long beginningMillis;
  private boolean greeted;
  private boolean ended;
  private long sentRevision;
  private @Nullable Long lastSentNanos;

  /**
   * @param place place of the first event to send
   * @param revision revision that the reader is at once the beginning is sent
   * @param beginning the present state; null to leave it out
   */
  Watch(
      WatchHub hub,
      WatchFilter filter,
      ServerCallStreamObserver<WatchJobsResponse> observer,
      long place,
      long revision,
      @Nullable Beginning beginning) {
    this.hub = hub;
    this.filter = filter;
    this.observer = observer;
    this.place = place;
    this.sentRevision = revision;
    this.beginning = beginning == null ? null : filter.candidates(beginning.snapshot()).iterator();
    this.beginningMillis = beginning == null ? 0 : beginning.atMillis();
  }

  long place() {
    return place;
  }

  /** Events that it may be behind; only under the hub's lock. */
  long allowedLag() {
    return allowedLag;
  }

  void allowedLag(long events) {
    allowedLag = events;
  }

  /** Begins to send. To be called before the call's handler returns. */
  void start() {
    observer.setOnCancelHandler(this::cancelled);
    observer.setOnReadyHandler(this::send);
    send();
  }

  /** Sends soon, on another thread. */
  void wake(Executor executor) {
    if (woken.compareAndSet(false, true)) {
      executor.execute(this::send);
    }
  }

  private synchronized void send() {
    woken.set(false);
    while (!ended && observer.isReady()) {
      if (!sendNext()) {
        return;
      }
    }
  }

  /** Sends one message; false if there is nothing to send. */
  private boolean sendNext() {
    if (beginning != null) {
      sendBeginning(beginning);
      return true;
    }
    if (!greeted) {
      greeted = true;
      sendBookmark();
      return true;
    }
    WatchHub.Next next = hub.next(this);
    if (next instanceof WatchHub.Next.Event event) {
      advance();
      sentRevision = event.entry().revision();
      if (filter.matches(event.entry().event().job().key())) {
        send(event.entry().message());
      }
      return true;
    }
    if (next instanceof WatchHub.Next.CaughtUp caughtUp) {
      sentRevision = caughtUp.revision();
      return false;
    }
    fail(WatchHub.tooSlow(sentRevision));
    return false;
  }

  // Only this thread writes it, under this object's lock.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  private void advance() {
    place++;
  }

  private void sendBeginning(Iterator<JobView> jobs) {
    while (jobs.hasNext()) {
      JobView view = jobs.next();
      if (filter.isPast(view.job().key())) {
        break;
      }
      if (filter.matches(view.job().key())) {
        // Without a revision: a reader that breaks off here has only part of it, and begins again.
        send(
            WatchJobsResponse.newBuilder()
                .setEvent(JobEventWriter.snapshot(view, beginningMillis))
                .build());
        return;
      }
    }
    beginning = null;
  }

  private void sendBookmark() {
    send(WatchJobsResponse.newBuilder().setRevision(sentRevision).build());
  }

  private void send(WatchJobsResponse message) {
    lastSentNanos = null;
    observer.onNext(message);
  }

  /** Tells a reader that nothing happened for a while. */
  synchronized void bookmarkIfDue(long nowNanos, long everyNanos) {
    Long since = lastSentNanos;
    if (since == null) {
      lastSentNanos = nowNanos;
      return;
    }
    if (ended || beginning != null || nowNanos - since < everyNanos || !observer.isReady()) {
      return;
    }
    send();
    sendBookmark();
    lastSentNanos = nowNanos;
  }

  /** Ends the watch of a reader that is too far behind. */
  synchronized void cutIfBehind() {
    if (!ended && hub.next(this) instanceof WatchHub.Next.Behind) {
      fail(WatchHub.tooSlow(beginning == null ? sentRevision : null));
    }
  }

  synchronized void fail(StatusRuntimeException why) {
    if (!ended) {
      ended = true;
      hub.forget(this);
      observer.onError(why);
    }
  }

  private synchronized void cancelled() {
    ended = true;
    hub.forget(this);
  }
}
