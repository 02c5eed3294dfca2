package io.quotashare.client;

import io.quotashare.client.internal.Watcher;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What happens, event by event. A watch survives a break of the connection and a restart of the
 * scheduler: it goes on after the last event that it delivered. At most 64 events are buffered; a
 * program that stops reading stops the scheduler's sending.
 *
 * <p>For one reading thread. {@link #close} may be called from any thread and ends a waiting {@link
 * #next}.
 *
 * @param <E> event
 */
public abstract sealed class Watch<E> implements Iterable<E>, AutoCloseable
    permits JobWatch, ShareWatch {
  /** An event, or the end of the watch: without a failure where it was closed. */
  private record Item<E>(@Nullable E event, @Nullable QuotaShareException failure) {}

  /** Bounded by the events that the watcher lets be under way. */
  private final LinkedBlockingQueue<Item<E>> items = new LinkedBlockingQueue<>();

  private final CountDownLatch established = new CountDownLatch(1);
  private final Watcher<E> watcher;
  private volatile @Nullable Item<E> end;

  Watch(Function<Watcher.Observer<E>, Watcher<E>> open) {
    watcher = open.apply(new Feed());
    watcher.start();
  }

  /**
   * Waits until the scheduler has taken the watch up: what happens from then on is seen.
   *
   * @return false if that took longer than {@code timeout}
   * @throws QuotaShareException if the watch could not be opened
   */
  public boolean awaitEstablished(Duration timeout) {
    try {
      boolean done = established.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
      Item<E> last = end;
      if (last != null && last.failure() != null) {
        throw last.failure();
      }
      return done;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * The next event, waiting at most {@code timeout} for it.
   *
   * @return empty if none came in that time, or if the watch was closed
   * @throws RevisionExpiredException if the scheduler no longer keeps the revision to resume from
   * @throws QuotaShareException what else the watch failed with
   */
  public Optional<E> next(Duration timeout) {
    try {
      return take(items.poll(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * The next event, waiting for it as long as it takes.
   *
   * @return empty if the watch was closed
   * @throws RevisionExpiredException if the scheduler no longer keeps the revision to resume from
   * @throws QuotaShareException what else the watch failed with
   */
  public Optional<E> next() {
    try {
      return take(items.take());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** The revision that a later watch can resume from; 0 before the present state is complete. */
  public long revision() {
    return watcher.revision();
  }

  /** Events until the watch is closed; each step waits as {@link #next()} does. */
  @Override
  public Iterator<E> iterator() {
    return new Iterator<>() {
      private Optional<E> ahead = Optional.empty();

      @Override
      public boolean hasNext() {
        if (ahead.isEmpty()) {
          ahead = Watch.this.next();
        }
        return ahead.isPresent();
      }

      @Override
      public E next() {
        if (!hasNext()) {
          throw new NoSuchElementException("the watch was closed");
        }
        E event = ahead.orElseThrow();
        ahead = Optional.empty();
        return event;
      }
    };
  }

  /** Ends the watch. */
  @Override
  public void close() {
    watcher.close();
    finish(new Item<>(null, null));
  }

  private Optional<E> take(@Nullable Item<E> item) {
    if (item == null) {
      return Optional.empty();
    }
    if (item.event() != null) {
      watcher.consumed();
      return Optional.of(item.event());
    }
    // Stays at the end of the queue for whoever asks again.
    items.add(item);
    if (item.failure() != null) {
      throw item.failure();
    }
    return Optional.empty();
  }

  private void finish(Item<E> last) {
    end = last;
    items.add(last);
    established.countDown();
  }

  private CallCancelledException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new CallCancelledException(ErrorDetails.of("interrupted while watching"), e);
  }

  private final class Feed implements Watcher.Observer<E> {
    @Override
    public void onEvent(E event) {
      items.add(new Item<>(event, null));
    }

    @Override
    public void onEstablished() {
      established.countDown();
    }

    @Override
    public void onFailed(QuotaShareException why) {
      finish(new Item<>(null, why));
    }
  }
}
