package io.quotashare.server.engine;

/**
 * Something to be done on the engine thread.
 *
 * @param <T> what the caller is answered
 */
@FunctionalInterface
public interface EngineCall<T> {
  /**
   * Changes the state, or does nothing for a question.
   *
   * @return makes the answer from the state after the decision of the same batch
   * @throws io.quotashare.core.RejectedException for this caller alone; nothing was changed
   */
  Answer<T> apply(Step step);

  /** Reads the answer from the state after the decision. It must not change anything. */
  @FunctionalInterface
  interface Answer<T> {
    T read(Step step);
  }
}
