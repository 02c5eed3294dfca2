package io.quotashare.agent.nvml;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that calls the device library, each call with a deadline.
 *
 * <p>A call into the driver can hang for ever, and neither an interrupt nor a signal brings it
 * back. So nobody waits for one longer than its deadline: when that passes, the library counts as
 * stuck, every further call is refused at once, and the thread is left where it is. Should the call
 * return after all, calls are taken again. It is a daemon, so that a stuck call does not keep the
 * agent from ending.
 *
 * <p>One thread is enough, since the driver takes a lock of its own, and it makes one caller's
 * closing of the library safe against another's call.
 */
public final class NvmlThread implements AutoCloseable {
  private static final int WAITING_MAX = 256;

  private final ThreadPoolExecutor executor;
  private volatile @Nullable Call<?> stuck;

  /** A thread; it starts with the first call. */
  public NvmlThread() {
    executor =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            body -> {
              Thread thread = new Thread(body, "nvml");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Runs a call on the thread and waits for it.
   *
   * @param what what it is, for messages
   * @param deadline how long it may take, its waiting for its turn included
   * @throws NvmlStuckException if it has not returned by then, or if an earlier one still has not
   * @throws NvmlBusyException if its turn has not come by then, or too many wait already; it will
   *     not run
   */
  public <T> T call(String what, Duration deadline, Supplier<T> body) {
    Call<?> before = stuck;
    if (before != null) {
      throw new NvmlStuckException(before.what);
    }
    Call<T> call = new Call<>(what, body);
    try {
      executor.execute(call);
    } catch (RejectedExecutionException e) {
      throw new NvmlBusyException(
          what + ": " + WAITING_MAX + " calls wait already, or it is closed");
    }
    if (!call.await(deadline)) {
      giveUp(call, deadline);
    }
    return call.result();
  }

  /** A view of the library whose every method is a {@link #call}. */
  public NvmlApi guard(NvmlApi api, Duration deadline) {
    return (NvmlApi)
        Proxy.newProxyInstance(
            NvmlApi.class.getClassLoader(),
            new Class<?>[] {NvmlApi.class},
            (proxy, method, arguments) ->
                call(
                    method.getName(),
                    deadline,
                    () -> {
                      try {
                        return method.invoke(api, arguments);
                      } catch (IllegalAccessException | InvocationTargetException e) {
                        throw new IllegalStateException(method.getName() + " failed", e);
                      }
                    }));
  }

  /** Takes no further calls. Does not wait. */
  @Override
  public void close() {
    executor.shutdown();
  }

  private synchronized void giveUp(Call<?> call, Duration deadline) {
    if (call.done()) {
      return;
    }
    if (call.abandon()) {
      throw new NvmlBusyException(call.what + ": no turn within " + deadline.toMillis() + " ms");
    }
    stuck = call;
    throw new NvmlStuckException(call.what);
  }

  private synchronized void ended(Call<?> call) {
    call.finished.countDown();
    if (stuck == call) {
      stuck = null;
    }
  }

  /**
   * One call; its fields are written by one thread before the latch opens and read by the other
   * after.
   */
  private final class Call<T> implements Runnable {
    private final String what;
    private final Supplier<T> body;
    private final CountDownLatch finished = new CountDownLatch(1);
    private boolean taken;
    private @Nullable T value;
    private @Nullable RuntimeException failure;

    Call(String what, Supplier<T> body) {
      this.what = requireNonNull(what, "what is null");
      this.body = requireNonNull(body, "body is null");
    }

    @Override
    public void run() {
      if (!take()) {
        return;
      }
      try {
        value = body.get();
      } catch (RuntimeException e) {
        failure = e;
      } catch (Error e) {
        failure = new IllegalStateException(what + " failed", e);
      } finally {
        ended(this);
      }
    }

    /** Whoever takes it first decides: the thread to run it, or the caller to give it up. */
    private synchronized boolean take() {
      boolean first = !taken;
      taken = true;
      return first;
    }

    boolean abandon() {
      return take();
    }

    boolean done() {
      return finished.getCount() == 0;
    }

    boolean await(Duration deadline) {
      try {
        return finished.await(deadline.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new NvmlBusyException(what + ": interrupted");
      }
    }

    T result() {
      if (failure != null) {
        throw failure;
      }
      return requireNonNull(value, "a call returned null");
    }
  }
}
