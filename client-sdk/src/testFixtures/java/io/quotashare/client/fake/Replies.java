package io.quotashare.client.fake;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.v1.SubmitJobError;
import java.util.List;
import java.util.function.Supplier;

/** One answer, or the failure that making it threw. */
final class Replies {
  private Replies() {}

  /** The refusal of one entry of a batch. */
  static SubmitJobError error(StatusRuntimeException e) {
    SubmitJobError.Builder error =
        SubmitJobError.newBuilder()
            .setCode(e.getStatus().getCode().name())
            .setMessage(String.valueOf(e.getStatus().getDescription()));
    com.google.rpc.Status rich = StatusProto.fromThrowable(e);
    for (Any detail : rich == null ? List.<Any>of() : rich.getDetailsList()) {
      if (detail.is(ErrorInfo.class)) {
        error.setReason(info(detail).getReason()).putAllMetadata(info(detail).getMetadataMap());
      }
    }
    return error.build();
  }

  private static ErrorInfo info(Any detail) {
    try {
      return detail.unpack(ErrorInfo.class);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

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
