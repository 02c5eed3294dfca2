package io.quotashare.client.internal;

import static java.util.Objects.requireNonNull;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.client.QuotaShareException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One logical stream of responses over as many connections as it takes. When a connection breaks,
 * the reader says what to ask for next, so that nothing is lost and nothing comes twice. At most
 * {@link #WINDOW} responses are under way that the reader has not consumed: a reader that stops
 * reading stops the scheduler's sending.
 *
 * <p>Guarded by its own lock; the reader is called without it, one call at a time.
 *
 * @param <Q> request
 * @param <R> response
 */
final class ResumingStream<Q, R> implements AutoCloseable {
  /** What the stream is for. */
  interface Reader<Q, R> {
    /** The request that goes on after what was read so far. */
    Q nextRequest();

    /** A response; the reader calls {@link ResumingStream#consumed} once for each. */
    void onResponse(R response);

    /** The connection broke, or could not be opened for the second time and more; a try follows. */
    void onDisconnected(QuotaShareException why, int failures);

    /** The first response after that. */
    void onReconnected();

    /** The scheduler ended the stream well. True: open it again. */
    boolean onCompleted();

    /**
     * What no other try can heal. False: the stream has ended; true: open it again all the same.
     */
    boolean onFailed(QuotaShareException why);
  }

  /** Responses under way and not consumed. */
  static final int WINDOW = 64;

  private final Rpc rpc;
  private final MethodDescriptor<Q, R> method;
  private final Reader<Q, R> reader;
  private final ScheduledExecutorService timers;
  private final LongSupplier nanoClock;
  private final @Nullable Duration silenceLimit;

  private @Nullable ClientCall<Q, R> call;
  private int generation;
  private int failures;
  private boolean everHeard;
  private long lastHeardNanos;
  private boolean closed;
  private @Nullable ScheduledFuture<?> silenceCheck;

  /**
   * @param silenceLimit a connection without a response for this long is given up; null: never, for
   *     streams that may be silent
   * @param heardBefore true if the scheduler has just answered: from the beginning it is waited for
   *     as long as after a break
   */
  ResumingStream(
      Rpc rpc,
      MethodDescriptor<Q, R> method,
      ScheduledExecutorService timers,
      @Nullable Duration silenceLimit,
      boolean heardBefore,
      Reader<Q, R> reader) {
    this.rpc = requireNonNull(rpc, "rpc");
    this.method = requireNonNull(method, "method");
    this.timers = requireNonNull(timers, "timers");
    this.reader = requireNonNull(reader, "reader");
    this.silenceLimit = silenceLimit;
    this.everHeard = heardBefore;
    this.nanoClock = System::nanoTime;
  }

  /** Opens the first connection. */
  void start() {
    synchronized (this) {
      lastHeardNanos = nanoClock.getAsLong();
      if (silenceLimit != null) {
        long period = Math.max(1, silenceLimit.toMillis() / 4);
        silenceCheck =
            timers.scheduleWithFixedDelay(
                this::checkSilence, period, period, TimeUnit.MILLISECONDS);
      }
    }
    connect();
  }

  /** The reader is done with one response: the scheduler may send another. */
  void consumed() {
    ClientCall<Q, R> current;
    synchronized (this) {
      current = call;
    }
    if (current != null) {
      current.request(1);
    }
  }

  /** Ends the stream; the reader hears nothing more. */
  @Override
  public void close() {
    ClientCall<Q, R> current;
    synchronized (this) {
      closed = true;
      generation++;
      current = call;
      call = null;
      if (silenceCheck != null) {
        silenceCheck.cancel(false);
      }
    }
    if (current != null) {
      current.cancel("closed by the reader", null);
    }
  }

  private void connect() {
    ClientCall<Q, R> next;
    int mine;
    synchronized (this) {
      if (closed) {
        return;
      }
      mine = ++generation;
      next = rpc.newCall(method, CallOptions.DEFAULT);
      call = next;
    }
    next.start(new Listener(mine), new Metadata());
    next.request(WINDOW);
    next.sendMessage(reader.nextRequest());
    next.halfClose();
  }

  private synchronized boolean isCurrent(int mine) {
    return !closed && mine == generation;
  }

  /** True if this is the first response after a break. */
  private synchronized boolean heard() {
    boolean reconnected = everHeard && failures > 0;
    everHeard = true;
    failures = 0;
    lastHeardNanos = nanoClock.getAsLong();
    return reconnected;
  }

  /** Bookmarks come regularly: silence means that the connection is dead without saying so. */
  private void checkSilence() {
    ClientCall<Q, R> silent = null;
    synchronized (this) {
      Duration limit = requireNonNull(silenceLimit, "silenceLimit");
      if (!closed && call != null && nanoClock.getAsLong() - lastHeardNanos > limit.toNanos()) {
        silent = call;
        lastHeardNanos = nanoClock.getAsLong();
      }
    }
    if (silent != null) {
      silent.cancel("nothing heard for " + silenceLimit + ", the connection is closed", null);
    }
  }

  private void ended(int mine, Status status, @Nullable Metadata trailers) {
    if (!isCurrent(mine)) {
      return;
    }
    if (status.isOk()) {
      completed();
      return;
    }
    StatusRuntimeException failure = new StatusRuntimeException(status, trailers);
    Duration delay = null;
    int count;
    synchronized (this) {
      call = null;
      count = ++failures;
      if (Reconnect.isPassing(failure) && !tooLong()) {
        delay = Reconnect.delay(failures);
      }
    }
    QuotaShareException why = rpc.toException(failure);
    if (delay != null) {
      reader.onDisconnected(why, count);
      connectAfter(delay);
    } else if (reader.onFailed(why)) {
      connectAfter(Reconnect.delay(1));
    } else {
      close();
    }
  }

  private void completed() {
    if (reader.onCompleted()) {
      int count;
      synchronized (this) {
        call = null;
        count = ++failures;
      }
      connectAfter(Reconnect.delay(count));
    } else {
      close();
    }
  }

  private boolean tooLong() {
    if (!everHeard) {
      return failures >= Reconnect.FIRST_TRIES;
    }
    return nanoClock.getAsLong() - lastHeardNanos > Reconnect.GIVE_UP_AFTER.toNanos();
  }

  private void connectAfter(Duration delay) {
    try {
      var unused = timers.schedule(this::connect, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // The client was closed in between, which closes every stream.
      close();
    }
  }

  /** Hears one connection; what comes from an older one is dropped. */
  private final class Listener extends ClientCall.Listener<R> {
    private final int mine;

    Listener(int mine) {
      this.mine = mine;
    }

    @Override
    public void onMessage(R response) {
      if (isCurrent(mine)) {
        if (heard()) {
          reader.onReconnected();
        }
        reader.onResponse(response);
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      ended(mine, status, trailers);
    }
  }
}
