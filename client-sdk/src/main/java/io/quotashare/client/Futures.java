package io.quotashare.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;

/** Futures that follow one another. */
final class Futures {
  private Futures() {}

  /** Cancels a step once the whole is done: its outcome is of no use any more. */
  static void cancelWith(CompletableFuture<?> whole, CompletableFuture<?> step) {
    var unused = whole.whenComplete((value, failure) -> step.cancel(true));
  }

  /** One step after another; cancelling the whole cancels the step that is under way. */
  static <A, B> CompletableFuture<B> compose(
      CompletableFuture<A> first, Function<A, CompletableFuture<B>> next) {
    CompletableFuture<B> whole = new CompletableFuture<>();
    cancelWith(whole, first);
    then(
        first,
        whole,
        value -> {
          CompletableFuture<B> second = next.apply(value);
          cancelWith(whole, second);
          then(second, whole, whole::complete);
        });
    return whole;
  }

  /**
   * Goes on with what the step gave; what it, or the going on, fails with is the whole's failure.
   */
  static <T> void then(CompletableFuture<T> step, CompletableFuture<?> whole, Consumer<T> next) {
    var unused =
        step.whenComplete(
            (value, failure) -> {
              if (failure != null) {
                whole.completeExceptionally(
                    failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure);
                return;
              }
              try {
                next.accept(value);
              } catch (RuntimeException e) {
                whole.completeExceptionally(e);
              }
            });
  }
}
