package io.quotashare.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * Answers a fault in a handler, and bytes that are no message of the method, with a status that
 * says so, instead of an empty UNKNOWN.
 */
final class FaultInterceptor implements ServerInterceptor {
  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return new Guard<>(call, next.startCall(call, headers));
  }

  private static final class Guard<Q> extends SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, ?> call;
    private boolean closed;

    Guard(ServerCall<Q, ?> call, ServerCall.Listener<Q> handler) {
      super(handler);
      this.call = call;
    }

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
      if (closed) {
        return;
      }
      try {
        handler.run();
      } catch (RuntimeException e) {
        closed = true;
        StatusRuntimeException status =
            e.getCause() instanceof InvalidProtocolBufferException
                ? malformed()
                : Errors.toStatus(e);
        Metadata trailers = status.getTrailers();
        call.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
        // The handler may hold on to the call; it is over.
        super.onCancel();
      }
    }

    private StatusRuntimeException malformed() {
      return Errors.of(
          Status.Code.INVALID_ARGUMENT,
          "MALFORMED_MESSAGE",
          "the bytes are no request of "
              + call.getMethodDescriptor().getFullMethodName()
              + " (expected: its message in the binary form of protobuf)");
    }
  }
}
