package io.quotashare.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import com.google.rpc.PreconditionFailure;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.Status.Code;
import io.grpc.protobuf.StatusProto;
import io.quotashare.client.FieldProblem;
import io.quotashare.client.InfeasibleJobException;
import io.quotashare.client.LimitExceededException;
import io.quotashare.client.NotFoundException;
import io.quotashare.client.PreconditionException;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.RequestIdReusedException;
import io.quotashare.proto.v1.SubmitJobError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scheduler says about a failure reaches the program whole. */
class ErrorsTest {
  private static final ErrorInfo QUEUE_FULL =
      ErrorInfo.newBuilder()
          .setDomain("quotashare")
          .setReason("QUEUE_FULL")
          .putMetadata("limit", "10000")
          .build();

  private static QuotaShareException exception(Code code, Message... details) {
    Status.Builder status = Status.newBuilder().setCode(code.value()).setMessage("a sentence");
    for (Message detail : details) {
      status.addDetails(Any.pack(detail));
    }
    return Errors.toException(StatusProto.toStatusRuntimeException(status.build()), "host:7070");
  }

  @Test
  void reasonMetadataAndTimeToTryAgainAreKept() {
    QuotaShareException failure =
        exception(
            Code.RESOURCE_EXHAUSTED,
            QUEUE_FULL,
            RetryInfo.newBuilder()
                .setRetryDelay(Duration.newBuilder().setSeconds(1).setNanos(500_000_000))
                .build());

    assertThat(failure).isInstanceOf(LimitExceededException.class).hasMessage("a sentence");
    assertThat(failure.reason()).isEqualTo("QUEUE_FULL");
    assertThat(failure.metadata()).containsEntry("limit", "10000");
    assertThat(failure.retryAfter()).isEqualTo(java.time.Duration.ofMillis(1500));
  }

  @Test
  void violationsOfPreconditionsAndQuotasNameTheirSubject() {
    QuotaShareException failure =
        exception(
            Code.FAILED_PRECONDITION,
            PreconditionFailure.newBuilder()
                .addViolations(
                    PreconditionFailure.Violation.newBuilder()
                        .setSubject("queues/q/shares/a")
                        .setDescription("is disabled"))
                .build(),
            QuotaFailure.newBuilder()
                .addViolations(
                    QuotaFailure.Violation.newBuilder()
                        .setSubject("queues/q")
                        .setDescription("is full"))
                .build());

    assertThat(failure).isInstanceOf(PreconditionException.class);
    assertThat(failure.fields())
        .containsExactly(
            new FieldProblem("queues/q/shares/a", "is disabled"),
            new FieldProblem("queues/q", "is full"));
  }

  @Test
  void aDetailThatCannotBeReadIsADetailLess() {
    Any broken =
        Any.pack(QUEUE_FULL).toBuilder().setValue(ByteString.copyFromUtf8("no message")).build();
    Status status =
        Status.newBuilder()
            .setCode(Code.NOT_FOUND.value())
            .setMessage("gone")
            .addDetails(broken)
            .build();

    QuotaShareException failure =
        Errors.toException(StatusProto.toStatusRuntimeException(status), "host:7070");

    assertThat(failure).isInstanceOf(NotFoundException.class).hasMessage("gone");
    assertThat(failure.reason()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "QUEUE_CAPACITY_EXCEEDED",
        "SHARE_LIMIT_EXCEEDED",
        "BORROW_LIMIT_EXCEEDED",
        "NOT_LENDABLE",
        "NO_NODE_FITS"
      })
  void aReasonThatNeverPassesIsAnInfeasibleJobInABatchToo(String reason) {
    SubmitJobError error =
        SubmitJobError.newBuilder()
            .setCode("FAILED_PRECONDITION")
            .setReason(reason)
            .setMessage("too large")
            .putMetadata("limit", "8")
            .build();

    QuotaShareException failure = Errors.toException(error);

    assertThat(failure).isInstanceOf(InfeasibleJobException.class).hasMessage("too large");
    assertThat(failure.metadata()).containsEntry("limit", "8");
  }

  @Test
  void aBatchSaysWhatACallAloneWouldSay() {
    assertThat(Errors.toException(error("INVALID_ARGUMENT", "REQUEST_ID_REUSED")))
        .isInstanceOf(RequestIdReusedException.class);
    assertThat(Errors.toException(error("NOT_FOUND", "NOT_FOUND")))
        .isInstanceOf(NotFoundException.class);
    assertThat(Errors.toException(error("A_CODE_OF_A_NEWER_SCHEDULER", "")))
        .isExactlyInstanceOf(QuotaShareException.class);
  }

  private static SubmitJobError error(String code, String reason) {
    return SubmitJobError.newBuilder().setCode(code).setReason(reason).build();
  }
}
