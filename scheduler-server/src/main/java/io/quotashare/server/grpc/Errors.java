package io.quotashare.server.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.quotashare.core.RejectedException;
import io.quotashare.server.engine.EngineException;
import io.quotashare.server.store.InvalidPageTokenException;
import io.quotashare.server.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes every error a gRPC status with a {@code google.rpc.ErrorInfo} of the domain {@value
 * #DOMAIN}, so that programs act on its reason and people on its message.
 */
public final class Errors {
  /** Domain of all reasons. */
  public static final String DOMAIN = "quotashare";

  private static final Logger log = LoggerFactory.getLogger(Errors.class);

  private static final Map<RejectedException.Kind, Status.Code> CODES =
      Map.of(
          RejectedException.Kind.INVALID_ARGUMENT, Status.Code.INVALID_ARGUMENT,
          RejectedException.Kind.NOT_FOUND, Status.Code.NOT_FOUND,
          RejectedException.Kind.ALREADY_EXISTS, Status.Code.ALREADY_EXISTS,
          RejectedException.Kind.FAILED_PRECONDITION, Status.Code.FAILED_PRECONDITION,
          RejectedException.Kind.RESOURCE_EXHAUSTED, Status.Code.RESOURCE_EXHAUSTED);

  private record Shown(Status.Code code, String reason) {}

  private static final Map<EngineException.Kind, Shown> ENGINE =
      Map.of(
          EngineException.Kind.QUEUE_FULL,
          new Shown(Status.Code.RESOURCE_EXHAUSTED, "QUEUE_FULL"),
          EngineException.Kind.STORE_FULL,
          new Shown(Status.Code.RESOURCE_EXHAUSTED, "STORE_FULL"),
          EngineException.Kind.STORE_UNAVAILABLE,
          new Shown(Status.Code.UNAVAILABLE, "STORE_UNAVAILABLE"),
          EngineException.Kind.STOPPING,
          new Shown(Status.Code.UNAVAILABLE, "STOPPING"),
          EngineException.Kind.REQUEST_ID_REUSED,
          new Shown(Status.Code.INVALID_ARGUMENT, "REQUEST_ID_REUSED"),
          EngineException.Kind.ETAG_MISMATCH,
          new Shown(Status.Code.ABORTED, "ETAG_MISMATCH"),
          EngineException.Kind.INTERNAL,
          new Shown(Status.Code.INTERNAL, "INTERNAL"));

  private Errors() {}

  /** An error without a field. */
  public static StatusRuntimeException of(Status.Code code, String reason, String message) {
    return of(code, reason, message, Map.of());
  }

  /**
   * @param reason UPPER_SNAKE
   * @param metadata numbers and names of the error, for programs
   */
  public static StatusRuntimeException of(
      Status.Code code, String reason, String message, Map<String, String> metadata) {
    return status(code, reason, message, metadata, List.of());
  }

  /** Same, with the time after which a retry may help. */
  public static StatusRuntimeException retryLater(
      Status.Code code, String reason, String message, long afterMillis) {
    return status(code, reason, message, Map.of(), List.of(retryInfo(afterMillis)));
  }

  /** One field of the request is wrong. */
  public static StatusRuntimeException invalid(String field, String message) {
    FieldChecks checks = new FieldChecks();
    checks.reject(field, message);
    return checks.toError();
  }

  /**
   * A job does not exist, or no longer.
   *
   * @param rule how long ended jobs are kept, in words; may be empty
   */
  public static StatusRuntimeException jobNotFound(String name, String rule) {
    return of(
        Status.Code.NOT_FOUND,
        "NOT_FOUND",
        "job " + name + " does not exist" + (rule.isEmpty() ? "" : " (" + rule + ")"),
        Map.of("name", name));
  }

  /** Something does not exist. */
  public static StatusRuntimeException notFound(String what, String name) {
    return of(
        Status.Code.NOT_FOUND,
        "NOT_FOUND",
        what + " " + name + " does not exist",
        Map.of("name", name));
  }

  /** The status that a failure of any kind is answered with. */
  public static StatusRuntimeException toStatus(Throwable failure) {
    if (failure instanceof CompletionException && failure.getCause() != null) {
      return toStatus(failure.getCause());
    }
    if (failure instanceof StatusRuntimeException status) {
      return status;
    }
    if (failure instanceof InvalidFieldsException invalid) {
      return invalid.status();
    }
    if (failure instanceof RejectedException rejected) {
      return rejected(rejected);
    }
    if (failure instanceof EngineException engine) {
      return engine(engine);
    }
    if (failure instanceof InvalidPageTokenException invalid) {
      return Pages.foreign(invalid.token());
    }
    if (failure instanceof StoreUnavailableException) {
      return retryLater(
          Status.Code.UNAVAILABLE, "STORE_UNAVAILABLE", "the scheduler's store is busy", 1000);
    }
    log.error("a fault while answering a call", failure);
    return of(Status.Code.INTERNAL, "INTERNAL", "a fault of the scheduler; its log says more");
  }

  private static StatusRuntimeException rejected(RejectedException e) {
    List<Message> details = new ArrayList<>();
    if (!e.field().isEmpty()) {
      details.add(
          BadRequest.newBuilder()
              .addFieldViolations(violation(e.field(), String.valueOf(e.getMessage())))
              .build());
    }
    return status(
        CODES.getOrDefault(e.kind(), Status.Code.INTERNAL),
        e.reason(),
        String.valueOf(e.getMessage()),
        e.metadata(),
        details);
  }

  private static StatusRuntimeException engine(EngineException e) {
    Shown shown = ENGINE.getOrDefault(e.kind(), new Shown(Status.Code.INTERNAL, "INTERNAL"));
    List<Message> details =
        e.retryAfterMillis() == 0 ? List.of() : List.of(retryInfo(e.retryAfterMillis()));
    return status(shown.code(), shown.reason(), String.valueOf(e.getMessage()), Map.of(), details);
  }

  /** Reason and metadata of a status; without any if it was not made here. */
  public static ErrorInfo info(StatusRuntimeException failure) {
    com.google.rpc.Status status = StatusProto.fromThrowable(failure);
    try {
      for (Any detail : status == null ? List.<Any>of() : status.getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          return detail.unpack(ErrorInfo.class);
        }
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("an unreadable detail in " + failure, e);
    }
    return ErrorInfo.getDefaultInstance();
  }

  static BadRequest.FieldViolation violation(String field, String description) {
    return BadRequest.FieldViolation.newBuilder()
        .setField(field)
        .setDescription(description)
        .build();
  }

  /**
   * An error of the contract.
   *
   * @param reason UPPER_SNAKE, of the domain {@code quotashare}
   */
  public static StatusRuntimeException status(
      Status.Code code,
      String reason,
      String message,
      Map<String, String> metadata,
      List<Message> details) {
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder()
            .setCode(code.value())
            .setMessage(message)
            .addDetails(
                Any.pack(
                    ErrorInfo.newBuilder()
                        .setDomain(DOMAIN)
                        .setReason(reason)
                        .putAllMetadata(metadata)
                        .build()));
    details.forEach(detail -> status.addDetails(Any.pack(detail)));
    return StatusProto.toStatusRuntimeException(status.build());
  }

  private static RetryInfo retryInfo(long afterMillis) {
    return RetryInfo.newBuilder().setRetryDelay(Times.duration(afterMillis)).build();
  }
}
