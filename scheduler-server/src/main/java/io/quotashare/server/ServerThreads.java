package io.quotashare.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads beside the engine's. None of them decides anything. */
final class ServerThreads {
  private static final Logger log = LoggerFactory.getLogger(ServerThreads.class);

  private final ExecutorService calls = pool("call", Math.max(4, processors() * 2));
  private final ExecutorService answers = pool("answer", 2);
  private final ExecutorService watches = pool("watch", 2);
  private final ExecutorService dryRuns = pool("dry-run", 1);
  private final ScheduledExecutorService ticks =
      Executors.newSingleThreadScheduledExecutor(named("tick"));

  /** Runs the handlers of calls. */
  ExecutorService calls() {
    return calls;
  }

  /** Answers the callers of the engine. */
  ExecutorService answers() {
    return answers;
  }

  /** Sends to watchers. */
  ExecutorService watches() {
    return watches;
  }

  /** Decides on copies of the state. */
  ExecutorService dryRuns() {
    return dryRuns;
  }

  /** Does something about once a second; a fault in it is logged, and does not end it. */
  void everySecond(Runnable task) {
    var unused =
        ticks.scheduleWithFixedDelay(
            () -> {
              try {
                task.run();
              } catch (RuntimeException e) {
                log.error("a fault in a task that runs every second", e);
              }
            },
            1,
            1,
            TimeUnit.SECONDS);
  }

  void stop() {
    ticks.shutdownNow();
    calls.shutdown();
    watches.shutdown();
    dryRuns.shutdown();
    answers.shutdown();
    try {
      if (!answers.awaitTermination(2, TimeUnit.SECONDS)) {
        answers.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    calls.shutdownNow();
    watches.shutdownNow();
    dryRuns.shutdownNow();
  }

  private static ExecutorService pool(String name, int threads) {
    return Executors.newFixedThreadPool(threads, named(name));
  }

  private static ThreadFactory named(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }
}
