package io.quotashare.server.grpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Answers calls with one request and one response. */
public final class Unary {
  private Unary() {}

  /** Answers with what the supplier makes, or with its failure. */
  public static <T> void now(StreamObserver<T> observer, Supplier<T> answer) {
    later(observer, () -> CompletableFuture.completedFuture(answer.get()));
  }

  /** Answers when the future is there. */
  public static <T> void later(StreamObserver<T> observer, Supplier<CompletableFuture<T>> answer) {
    CompletableFuture<T> future;
    try {
      future = answer.get();
    } catch (RuntimeException e) {
      fail(observer, e);
      return;
    }
    var unused =
        future.whenComplete(
            (value, failure) -> {
              if (failure != null) {
                fail(observer, failure);
              } else if (!isCancelled(observer)) {
                observer.onNext(value);
                observer.onCompleted();
              }
            });
  }

  private static void fail(StreamObserver<?> observer, Throwable failure) {
    if (!isCancelled(observer)) {
      observer.onError(Errors.toStatus(failure));
    }
  }

  private static boolean isCancelled(StreamObserver<?> observer) {
    return observer instanceof ServerCallStreamObserver<?> call && call.isCancelled();
  }
}
