package io.quotashare.core.replay;

import io.quotashare.core.Batch;
import io.quotashare.core.Scheduler;

/** Looks at the scheduler after every step of a replay; it must not change it. */
@FunctionalInterface
public interface ReplayObserver {
  /**
   * Called after every step.
   *
   * @param scheduler as the step left it
   * @param step what came of the step
   * @param nowMillis the instant, in the scheduler's time
   */
  void afterStep(Scheduler scheduler, Batch step, long nowMillis);

  /**
   * Called at the end of every instant, when nothing is left to decide or to happen in it.
   *
   * @param nowMillis the instant, in the scheduler's time
   */
  default void atRest(Scheduler scheduler, long nowMillis) {}
}
