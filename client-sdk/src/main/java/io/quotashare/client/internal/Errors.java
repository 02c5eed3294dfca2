package io.quotashare.client.internal;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.PreconditionFailure;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.quotashare.client.AccessDeniedException;
import io.quotashare.client.AlreadyExistsException;
import io.quotashare.client.CallCancelledException;
import io.quotashare.client.CallTimedOutException;
import io.quotashare.client.ConflictException;
import io.quotashare.client.ErrorDetails;
import io.quotashare.client.FieldProblem;
import io.quotashare.client.InfeasibleJobException;
import io.quotashare.client.InvalidRequestException;
import io.quotashare.client.LimitExceededException;
import io.quotashare.client.NotFoundException;
import io.quotashare.client.PreconditionException;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.RequestIdReusedException;
import io.quotashare.client.RevisionExpiredException;
import io.quotashare.client.SchedulerUnavailableException;
import io.quotashare.client.UnsupportedCallException;
import io.quotashare.proto.v1.SubmitJobError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Turns what a call failed with into the exceptions of the client: by reason, else by status. */
final class Errors {
  /** Makes an exception of what the scheduler said and of what gRPC threw. */
  private interface Maker
      extends BiFunction<ErrorDetails, @Nullable Throwable, QuotaShareException> {}

  private static final Map<String, Maker> BY_REASON =
      Map.of(
          "REQUEST_ID_REUSED", RequestIdReusedException::new,
          // The scheduler answers; a node does not.
          "NODE_SILENT", PreconditionException::new,
          "QUEUE_CAPACITY_EXCEEDED", InfeasibleJobException::new,
          "SHARE_LIMIT_EXCEEDED", InfeasibleJobException::new,
          "BORROW_LIMIT_EXCEEDED", InfeasibleJobException::new,
          "NOT_LENDABLE", InfeasibleJobException::new,
          "NO_NODE_FITS", InfeasibleJobException::new);

  private static final Map<Status.Code, Maker> BY_STATUS =
      Map.ofEntries(
          Map.entry(Status.Code.INVALID_ARGUMENT, InvalidRequestException::new),
          Map.entry(Status.Code.NOT_FOUND, NotFoundException::new),
          Map.entry(Status.Code.ALREADY_EXISTS, AlreadyExistsException::new),
          Map.entry(Status.Code.ABORTED, ConflictException::new),
          Map.entry(Status.Code.FAILED_PRECONDITION, PreconditionException::new),
          Map.entry(Status.Code.RESOURCE_EXHAUSTED, LimitExceededException::new),
          Map.entry(Status.Code.OUT_OF_RANGE, RevisionExpiredException::new),
          Map.entry(Status.Code.UNAVAILABLE, SchedulerUnavailableException::new),
          Map.entry(Status.Code.DEADLINE_EXCEEDED, CallTimedOutException::new),
          Map.entry(Status.Code.PERMISSION_DENIED, AccessDeniedException::new),
          Map.entry(Status.Code.UNAUTHENTICATED, AccessDeniedException::new),
          Map.entry(Status.Code.UNIMPLEMENTED, UnsupportedCallException::new),
          Map.entry(Status.Code.CANCELLED, CallCancelledException::new));

  private Errors() {}

  /**
   * The exception for what a call failed with.
   *
   * @param addresses where the scheduler was looked for, for the message
   */
  static QuotaShareException toException(Throwable failure, String addresses) {
    if (failure instanceof QuotaShareException known) {
      return known;
    }
    Status status = Status.fromThrowable(failure);
    if (Reconnect.isBrokenOff(status)) {
      // The scheduler died or was stopped while it answered: to a program that is an absence.
      status = Status.UNAVAILABLE.withDescription(status.getDescription());
    }
    ErrorDetails details = details(status, StatusProto.fromThrowable(failure), addresses);
    return maker(details.reason(), status.getCode()).apply(details, failure);
  }

  /** The exception for one refused entry of a batch: the one that the call alone would throw. */
  static QuotaShareException toException(SubmitJobError error) {
    ErrorDetails details =
        new ErrorDetails(
            error.getMessage(), error.getReason(), error.getMetadataMap(), List.of(), null);
    return maker(details.reason(), code(error.getCode())).apply(details, null);
  }

  private static Maker maker(String reason, Status.Code code) {
    Maker maker = BY_REASON.get(reason);
    return maker == null ? BY_STATUS.getOrDefault(code, QuotaShareException::new) : maker;
  }

  private static Status.Code code(String name) {
    for (Status.Code code : Status.Code.values()) {
      if (code.name().equals(name)) {
        return code;
      }
    }
    return Status.Code.UNKNOWN;
  }

  private static ErrorDetails details(
      Status status, com.google.rpc.@Nullable Status rich, String addresses) {
    String message = status.getDescription() == null ? "" : status.getDescription();
    String reason = "";
    Map<String, String> metadata = Map.of();
    List<FieldProblem> fields = new ArrayList<>();
    Duration retryAfter = null;
    for (Any detail : rich == null ? List.<Any>of() : rich.getDetailsList()) {
      Optional<ErrorInfo> info = unpack(detail, ErrorInfo.class);
      if (info.isPresent()) {
        reason = info.get().getReason();
        metadata = info.get().getMetadataMap();
      }
      Optional<RetryInfo> retry = unpack(detail, RetryInfo.class);
      if (retry.isPresent()) {
        retryAfter = Times.duration(retry.get().getRetryDelay());
      }
      fields.addAll(fields(detail));
    }
    if (reason.isEmpty()) {
      message = plainMessage(status, message, addresses);
    }
    return new ErrorDetails(message, reason, metadata, fields, retryAfter);
  }

  private static List<FieldProblem> fields(Any detail) {
    List<FieldProblem> fields = new ArrayList<>();
    unpack(detail, BadRequest.class)
        .ifPresent(
            bad ->
                bad.getFieldViolationsList()
                    .forEach(v -> fields.add(new FieldProblem(v.getField(), v.getDescription()))));
    unpack(detail, PreconditionFailure.class)
        .ifPresent(
            failed ->
                failed
                    .getViolationsList()
                    .forEach(
                        v -> fields.add(new FieldProblem(v.getSubject(), v.getDescription()))));
    unpack(detail, QuotaFailure.class)
        .ifPresent(
            quota ->
                quota
                    .getViolationsList()
                    .forEach(
                        v -> fields.add(new FieldProblem(v.getSubject(), v.getDescription()))));
    return fields;
  }

  /** A sentence for failures that no scheduler has worded. */
  private static String plainMessage(Status status, String message, String addresses) {
    return switch (status.getCode()) {
      case UNAVAILABLE ->
          "no scheduler answers at " + addresses + ": " + rootCause(status, message);
      case DEADLINE_EXCEEDED -> "the scheduler at " + addresses + " did not answer in time";
      case CANCELLED -> "the call was cancelled";
      case UNIMPLEMENTED ->
          "the scheduler at "
              + addresses
              + " does not know this call; it may be older than the client";
      default ->
          message.isEmpty()
              ? "the scheduler at "
                  + addresses
                  + " failed: "
                  + rootCause(status, status.getCode().name())
              : message;
    };
  }

  private static String rootCause(Status status, String message) {
    Throwable cause = status.getCause();
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause == null || cause.getMessage() == null) {
      return message;
    }
    return cause.getMessage();
  }

  private static <M extends Message> Optional<M> unpack(Any detail, Class<M> type) {
    try {
      return detail.is(type) ? Optional.of(detail.unpack(type)) : Optional.empty();
    } catch (InvalidProtocolBufferException e) {
      // A detail that cannot be read is a detail less; the status itself still says what happened.
      return Optional.empty();
    }
  }
}
