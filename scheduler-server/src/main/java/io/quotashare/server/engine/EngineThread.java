package io.quotashare.server.engine;

import static java.util.Objects.requireNonNull;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that drives the {@link Engine} of a running server. */
public final class EngineThread {
  private static final Logger log = LoggerFactory.getLogger(EngineThread.class);

  private final Engine engine;
  private final Consumer<FatalEngineException> onFatal;
  private final Thread thread;
  private volatile boolean stopping;

  /**
   * @param onFatal told when the engine cannot go on; runs on the engine's thread
   */
  public EngineThread(Engine engine, Consumer<FatalEngineException> onFatal) {
    this.engine = requireNonNull(engine, "engine is null");
    this.onFatal = requireNonNull(onFatal, "onFatal is null");
    this.thread = new Thread(this::run, "engine");
  }

  /** Starts the thread. {@link Engine#start} was called before. */
  public void start() {
    thread.start();
  }

  /** Refuses new calls, carries out those that wait, and returns when that is done. */
  public void stop() {
    stopping = true;
    engine.close();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.warn("interrupted while the engine finished its queue");
    }
  }

  private void run() {
    try {
      while (true) {
        boolean worked = engine.step();
        if (!worked && stopping) {
          return;
        }
        if (!worked) {
          engine.await();
        }
      }
    } catch (FatalEngineException e) {
      onFatal.accept(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      onFatal.accept(new FatalEngineException("the engine's thread was interrupted", e));
    } catch (RuntimeException | Error e) {
      onFatal.accept(new FatalEngineException("a fault of the engine: " + e, e));
    }
  }
}
