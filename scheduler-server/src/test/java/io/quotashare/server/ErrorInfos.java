package io.quotashare.server;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.List;
import java.util.Optional;

/** Reads the details of errors. */
public final class ErrorInfos {
  private ErrorInfos() {}

  public static String reason(StatusRuntimeException error) {
    return info(error).getReason();
  }

  public static ErrorInfo info(StatusRuntimeException error) {
    return detail(error, ErrorInfo.class).orElseThrow();
  }

  /** Fields that the error names. */
  public static List<String> fields(StatusRuntimeException error) {
    return detail(error, BadRequest.class).stream()
        .flatMap(bad -> bad.getFieldViolationsList().stream())
        .map(BadRequest.FieldViolation::getField)
        .toList();
  }

  public static boolean hasRetry(StatusRuntimeException error) {
    return detail(error, RetryInfo.class).isPresent();
  }

  private static <M extends com.google.protobuf.Message> Optional<M> detail(
      StatusRuntimeException error, Class<M> type) {
    com.google.rpc.Status status = StatusProto.fromThrowable(error);
    for (Any any : status == null ? List.<Any>of() : status.getDetailsList()) {
      if (any.is(type)) {
        try {
          return Optional.of(any.unpack(type));
        } catch (InvalidProtocolBufferException e) {
          throw new AssertionError(e);
        }
      }
    }
    return Optional.empty();
  }
}
