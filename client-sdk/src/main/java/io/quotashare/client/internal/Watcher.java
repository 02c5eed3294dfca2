package io.quotashare.client.internal;

import io.quotashare.client.QuotaShareException;
import io.quotashare.client.RevisionExpiredException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A watch that goes on where it broke. The revision advances with events and bookmarks, but not
 * with the present state at the beginning: one that broke in the middle is sent again whole. It
 * ends with the first bookmark.
 *
 * @param <E> event of the client
 */
public final class Watcher<E> implements AutoCloseable {
  /**
   * Who watches. One call at a time.
   *
   * @param <E> event of the client
   */
  public interface Observer<E> {
    /** Something happened. {@link Watcher#consumed} must be called once for each event. */
    void onEvent(E event);

    /** The scheduler has taken the watch up: what happens from now on will be seen. */
    void onEstablished();

    /** A present state begins, the first or one after a break that cannot be resumed. */
    default void onBeginning() {}

    /** The present state has been told completely. */
    default void onBeginningComplete() {}

    /** The watch has ended for good. */
    void onFailed(QuotaShareException why);
  }

  /**
   * How a watch deals with breaks.
   *
   * @param revision resume after this revision; 0: begin with the present state
   * @param restart begin anew where the revision to resume from is no longer kept
   * @param heardBefore the scheduler has answered this client just now: if it does not answer, it
   *     restarts, and is waited for
   */
  public record Settings(long revision, boolean restart, boolean heardBefore) {}

  private final Settings settings;
  private final Observer<E> observer;
  private final ResumingStream<?, ?> stream;

  /** Events that were not sent by the scheduler, and thus make no room for another. */
  private final AtomicInteger ownEvents = new AtomicInteger();

  private volatile long revision;

  private Watcher(Settings settings, Observer<E> observer, StreamMaker<E> maker) {
    this.settings = settings;
    this.observer = observer;
    this.revision = settings.revision();
    this.stream = maker.make(this);
  }

  /** Makes the stream of a watcher; hides the types of its messages. */
  private interface StreamMaker<E> {
    ResumingStream<?, ?> make(Watcher<E> watcher);
  }

  static <Q, R, E> Watcher<E> of(
      Rpc rpc,
      ScheduledExecutorService timers,
      Consumer<String> connectionListener,
      WatchProtocol<Q, R, E> protocol,
      Settings settings,
      Observer<E> observer) {
    return new Watcher<>(
        settings,
        observer,
        watcher ->
            new ResumingStream<>(
                rpc,
                protocol.method(),
                timers,
                Reconnect.SILENCE,
                settings.heardBefore(),
                watcher.new Reader<>(protocol, connectionListener)));
  }

  /** Begins to watch. */
  public void start() {
    stream.start();
  }

  /** The observer is done with one event. */
  public void consumed() {
    if (ownEvents.getAndUpdate(n -> Math.max(0, n - 1)) == 0) {
      stream.consumed();
    }
  }

  /** The revision that a later watch can resume from; 0 before the present state is complete. */
  public long revision() {
    return revision;
  }

  @Override
  public void close() {
    stream.close();
  }

  private final class Reader<Q, R> implements ResumingStream.Reader<Q, R> {
    private final WatchProtocol<Q, R, E> protocol;
    private final Consumer<String> connectionListener;
    private volatile boolean afterBeginning = settings.revision() > 0;
    private volatile boolean begunAnew;
    private boolean established;

    Reader(WatchProtocol<Q, R, E> protocol, Consumer<String> connectionListener) {
      this.protocol = protocol;
      this.connectionListener = connectionListener;
    }

    @Override
    public Q nextRequest() {
      if (afterBeginning) {
        return protocol.resume(revision);
      }
      observer.onBeginning();
      return protocol.begin(begunAnew);
    }

    @Override
    public void onResponse(R response) {
      E event = protocol.event(response);
      if (!afterBeginning && (event == null || protocol.endsBeginning(event))) {
        completeBeginning(protocol.revision(response));
      }
      if (afterBeginning) {
        revision = Math.max(revision, protocol.revision(response));
      }
      if (!established) {
        established = true;
        observer.onEstablished();
      }
      deliver(event);
    }

    private void completeBeginning(long atRevision) {
      // A scheduler that keeps no revisions cannot be resumed: the next break begins anew.
      afterBeginning = atRevision > 0;
      for (E own : protocol.completeBeginning(atRevision)) {
        ownEvents.incrementAndGet();
        observer.onEvent(own);
      }
      observer.onBeginningComplete();
    }

    private void deliver(@Nullable E event) {
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
            "the watch of "
                + protocol.what()
                + " lost its connection, trying again: "
                + why.getMessage());
      }
    }

    @Override
    public void onReconnected() {
      connectionListener.accept("the watch of " + protocol.what() + " goes on");
    }

    @Override
    public boolean onCompleted() {
      // The scheduler is shutting down; its successor goes on with the revision.
      return true;
    }

    @Override
    public boolean onFailed(QuotaShareException why) {
      if (settings.restart() && why instanceof RevisionExpiredException) {
        afterBeginning = false;
        begunAnew = true;
        revision = 0;
        return true;
      }
      observer.onFailed(why);
      return false;
    }
  }
}
