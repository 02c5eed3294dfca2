package io.quotashare.server.grpc;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;

/** Answers a fault in a handler with a status that says so, instead of an empty UNKNOWN. */
final class FaultInterceptor implements ServerInterceptor {
  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      @Override
      public void onMessage(Q message) {
        guard(() -> super.onMessage(message));
      }

      @Override
      public void onHalfClose() {
        guard(super::onHalfClose);
      }

      @Override
      public void onReady() {
        guard(super::onReady);
      }

      private void guard(Runnable handler) {
        try {
          handler.run();
        } catch (RuntimeException e) {
          StatusRuntimeException status = Errors.toStatus(e);
          Metadata trailers = status.getTrailers();
          call.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
        }
      }
    };
  }
}
