package io.quotashare.agent.threads;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Threads whose tasks do not fail in silence: what a task throws is handed to the owner. After the
 * shutdown new tasks are dropped.
 */
public final class WatchedExecutor extends ScheduledThreadPoolExecutor {
  private final Consumer<Throwable> onFailure;

  /**
   * Daemon threads.
   *
   * @param onFailure told on the thread that failed
   */
  public WatchedExecutor(String name, int threads, Consumer<Throwable> onFailure) {
    super(
        threads,
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        },
        new DiscardPolicy());
    this.onFailure = requireNonNull(onFailure, "onFailure is null");
    setRemoveOnCancelPolicy(true);
    setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Does a task again and again, until it fails or this is shut down. */
  public void every(long intervalMillis, Runnable task) {
    Future<?> unused =
        scheduleWithFixedDelay(task, intervalMillis, intervalMillis, TimeUnit.MILLISECONDS);
  }

  /** Does a task once, later. */
  public void after(long delayMillis, Runnable task) {
    Future<?> unused = schedule(task, delayMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
    super.afterExecute(task, thrown);
    if (thrown != null) {
      onFailure.accept(thrown);
    } else if (task instanceof Future<?> future && future.isDone()) {
      try {
        future.get();
      } catch (CancellationException cancelled) {
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException e) {
        onFailure.accept(requireNonNull(e.getCause(), "no cause"));
      }
    }
  }
}
