package io.quotashare.server.watch;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.quotashare.server.grpc.Errors;
import java.util.Iterator;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One watch. It sends only while the transport has room; what is not sent stays in the hub's log,
 * so a slow reader costs nothing but its place in it.
 *
 * @param <K> key of what something happens to
 * @param <M> message
 */
final class Watch<K, M> {
  /**
   * What a watch is about.
   *
   * @param log what it is told from
   * @param matches whether something that happened concerns it
   * @param bookmark message that only tells a revision
   */
  record Topic<K, M>(WatchLog<K, M> log, Predicate<K> matches, LongFunction<M> bookmark) {}

  private final WatchHub hub;
  private final Topic<K, M> topic;
  private final ServerCallStreamObserver<M> observer;
  private final AtomicBoolean woken = new AtomicBoolean();

  /** Written under this object's lock, read by the hub without it: an old value only waits. */
  private volatile long place;

  /** Guarded by the hub's lock. */
  private long allowedLag;

  // Guarded by this:
  private @Nullable Iterator<M> beginning;
  private boolean greeted;
  private boolean ended;
  private long sentRevision;
  private @Nullable Long lastSentNanos;

  /**
   * @param place place of the first event to send
   * @param revision revision that the reader is at once the beginning is sent
   * @param beginning messages of the present state; null to leave it out
   */
  Watch(
      WatchHub hub,
      Topic<K, M> topic,
      ServerCallStreamObserver<M> observer,
      long place,
      long revision,
      @Nullable Iterator<M> beginning) {
    this.hub = hub;
    this.topic = topic;
    this.observer = observer;
    this.place = place;
    this.sentRevision = revision;
    this.beginning = beginning;
  }

  WatchLog<K, M> log() {
    return topic.log();
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
    try {
      while (!ended && observer.isReady()) {
        if (!sendNext()) {
          return;
        }
      }
    } catch (RuntimeException e) {
      fail(Errors.toStatus(e));
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
    WatchHub.Next<K, M> next = hub.next(this);
    if (next instanceof WatchHub.Next.Event<K, M> event) {
      // Only this thread writes it, under this object's lock.
      place = event.entry().place() + 1;
      sentRevision = event.entry().revision();
      if (topic.matches().test(event.entry().key())) {
        send(event.entry().message());
      }
      return true;
    }
    if (next instanceof WatchHub.Next.CaughtUp<K, M> caughtUp) {
      sentRevision = caughtUp.revision();
      return false;
    }
    fail(WatchHub.tooSlow(sentRevision));
    return false;
  }

  private void sendBeginning(Iterator<M> messages) {
    if (messages.hasNext()) {
      send(messages.next());
    } else {
      beginning = null;
    }
  }

  private void sendBookmark() {
    send(topic.bookmark().apply(sentRevision));
  }

  private void send(M message) {
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
    if (!ended && hub.next(this) instanceof WatchHub.Next.Behind<K, M>) {
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
