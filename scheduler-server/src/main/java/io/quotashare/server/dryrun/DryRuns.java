package io.quotashare.server.dryrun;

import static java.util.Objects.requireNonNull;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.core.Scheduler;
import io.quotashare.core.SchedulerCopy;
import io.quotashare.server.engine.Clock;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.grpc.Errors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Answers what-if questions. The engine's thread only hands out references to its rows; the state
 * is made from them, and decided about, on another thread. Nothing of it is durable or told to
 * anybody.
 *
 * <p>One dry run goes on at a time; the others wait, a bounded number of them, and each fails when
 * its time is over, whether it waits or runs. A run that is given up still ends by itself: its
 * searches are bounded.
 */
public final class DryRuns {
  /** A question to a copy, which is of no more use afterwards. */
  @FunctionalInterface
  public interface Question<T> {
    /**
     * @param copy decides as the scheduler would
     * @param nowMillis the instant of the copy
     */
    T ask(Scheduler copy, long nowMillis);
  }

  private record Taken(SchedulerCopy copy, long nowMillis) {}

  private record Run<T>(Question<T> question, CompletableFuture<T> answer, long deadlineNanos) {
    void fail(Throwable why) {
      answer.completeExceptionally(why);
    }

    void ask(Taken taken) {
      answer.complete(question.ask(taken.copy().open(), taken.nowMillis()));
    }
  }

  private final Engine engine;
  private final Clock clock;
  private final DryRunLimits limits;
  private final Executor executor;

  private final Object lock = new Object();
  // Guarded by lock:
  private final Queue<Run<?>> waiting = new ArrayDeque<>();
  private final Set<Run<?>> open = new LinkedHashSet<>();
  private boolean running;

  /**
   * @param executor runs one dry run after the other; the engine's thread never does
   */
  public DryRuns(Engine engine, Clock clock, DryRunLimits limits, Executor executor) {
    this.engine = requireNonNull(engine, "engine is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.limits = requireNonNull(limits, "limits is null");
    this.executor = requireNonNull(executor, "executor is null");
  }

  /**
   * Asks a copy of the state as it is once the calls before this one have been decided about.
   *
   * @throws StatusRuntimeException RESOURCE_EXHAUSTED if too many wait
   */
  public <T> CompletableFuture<T> run(Question<T> question) {
    Run<T> run =
        new Run<>(
            question,
            new CompletableFuture<>(),
            clock.monotonicNanos() + limits.timeoutMillis() * 1_000_000);
    synchronized (lock) {
      if (open.size() >= limits.maxWaiting()) {
        throw Errors.retryLater(
            Status.Code.RESOURCE_EXHAUSTED,
            "TOO_MANY_DRY_RUNS",
            limits.maxWaiting() + " dry runs wait already",
            1_000);
      }
      open.add(run);
      waiting.add(run);
    }
    startNext();
    return run.answer();
  }

  /** Dry runs that wait or run. */
  public int size() {
    synchronized (lock) {
      return open.size();
    }
  }

  /** Fails those whose time is over. To be called about once a second. */
  public void tick(long nowNanos) {
    List<Run<?>> late = new ArrayList<>();
    synchronized (lock) {
      for (Run<?> run : open) {
        if (run.deadlineNanos() - nowNanos <= 0) {
          late.add(run);
        }
      }
    }
    late.forEach(run -> run.fail(tooLate()));
  }

  private void startNext() {
    Run<?> next;
    synchronized (lock) {
      next = running ? null : waiting.poll();
      running |= next != null;
    }
    if (next != null) {
      start(next);
    }
  }

  private void start(Run<?> run) {
    if (run.answer().isDone()) {
      finished(run);
      return;
    }
    var unused =
        engine
            .call(step -> decided -> new Taken(decided.scheduler().copy(), decided.nowMillis()))
            .whenCompleteAsync((taken, failure) -> go(run, taken, failure), executor);
  }

  private void go(Run<?> run, @Nullable Taken taken, @Nullable Throwable failure) {
    try {
      if (failure != null || taken == null) {
        run.fail(requireNonNull(failure, "neither a copy nor a failure"));
      } else if (taken.copy().rows().size() > limits.maxRows()) {
        run.fail(tooLarge(taken.copy().rows().size()));
      } else if (!run.answer().isDone()) {
        run.ask(taken);
      }
    } catch (RuntimeException e) {
      run.fail(e);
    } finally {
      finished(run);
    }
  }

  private void finished(Run<?> run) {
    synchronized (lock) {
      open.remove(run);
      running = false;
    }
    startNext();
  }

  private StatusRuntimeException tooLate() {
    return Errors.of(
        Status.Code.DEADLINE_EXCEEDED,
        "DRY_RUN_TOO_SLOW",
        "the dry run did not end within " + limits.timeoutMillis() + " ms; nothing was changed");
  }

  private StatusRuntimeException tooLarge(int rows) {
    return Errors.of(
        Status.Code.RESOURCE_EXHAUSTED,
        "STATE_TOO_LARGE",
        "the state has "
            + rows
            + " rows (expected for dry runs: at most "
            + limits.maxRows()
            + ")");
  }
}
