package io.quotashare.client.fake;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/** One answer, or the failure that making it threw. */
final class Replies {
  private Replies() {}

  static <R> void answer(StreamObserver<R> to, Supplier<R> make) {
    R response;
    try {
      response = make.get();
    } catch (StatusRuntimeException e) {
      to.onError(e);
      return;
    }
    to.onNext(response);
    to.onCompleted();
  }
}
