package io.quotashare.server.jobs;

import com.google.rpc.ErrorInfo;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.SubmitJobError;
import io.quotashare.proto.v1.SubmitJobOutcome;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.SubmitJobResponse;
import io.quotashare.proto.v1.SubmitJobsRequest;
import io.quotashare.proto.v1.SubmitJobsResponse;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.EngineException;
import io.quotashare.server.engine.TaggedCall;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.view.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Several submissions in one commit. What is wrong with one is told in its own outcome, in the
 * words of SubmitJob, and keeps no other out. If the scheduler can make nothing durable, the whole
 * call fails, so that it can be tried again.
 */
final class BatchSubmit {
  static final int MAX_ENTRIES = 1000;

  private final List<@Nullable SubmitJobOutcome> outcomes = new ArrayList<>();
  private final List<TaggedCall<SubmitJobResponse>> calls = new ArrayList<>();

  private BatchSubmit() {}

  static CompletableFuture<SubmitJobsResponse> submit(
      String principal, SubmitJobsRequest request, Snapshot snapshot, Engine engine, JobIds ids) {
    String queue = Names.queue("parent", request.getParent());
    FieldChecks checks = new FieldChecks();
    checks.check(
        request.getRequestsCount() >= 1 && request.getRequestsCount() <= MAX_ENTRIES,
        "requests",
        request.getRequestsCount() + " entries",
        "1 to " + MAX_ENTRIES);
    checks.throwIfAny();
    boolean queueExists = snapshot.queues().containsKey(queue);
    BatchSubmit batch = new BatchSubmit();
    for (SubmitJobRequest entry : request.getRequestsList()) {
      batch.add(principal, request.getParent(), entry, ids);
    }
    return batch
        .send(engine)
        .thenApply(response -> queueExists ? response : ofUnknownQueue(request, response));
  }

  /** Not before it is known that none of it is a repeat: that has its first answer. */
  private static SubmitJobsResponse ofUnknownQueue(
      SubmitJobsRequest request, SubmitJobsResponse response) {
    if (response.getOutcomesList().stream().noneMatch(SubmitJobOutcome::hasJob)) {
      throw Errors.notFound("queue", request.getParent());
    }
    return response;
  }

  private void add(String principal, String parent, SubmitJobRequest entry, JobIds ids) {
    try {
      if (!entry.getParent().isEmpty() && !entry.getParent().equals(parent)) {
        throw Errors.invalid(
            "parent",
            FieldChecks.shown(entry.getParent())
                + " (expected: "
                + parent
                + " as the batch, or empty)");
      }
      calls.add(SubmitCall.tagged(principal, entry.toBuilder().setParent(parent).build(), ids));
      outcomes.add(null);
    } catch (StatusRuntimeException e) {
      outcomes.add(refused(e));
    }
  }

  private CompletableFuture<SubmitJobsResponse> send(Engine engine) {
    List<CompletableFuture<SubmitJobResponse>> answers =
        calls.isEmpty() ? List.of() : engine.callTogether(calls);
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .handle((all, failure) -> response(answers));
  }

  private SubmitJobsResponse response(List<CompletableFuture<SubmitJobResponse>> answers) {
    answers.forEach(answer -> throwIf(answer, EngineException.Kind.INTERNAL));
    SubmitJobsResponse.Builder response = SubmitJobsResponse.newBuilder();
    int next = 0;
    for (SubmitJobOutcome known : outcomes) {
      response.addOutcomes(known != null ? known : outcome(answers.get(next++)));
    }
    return response.build();
  }

  /** What became of one entry; throws what is not its fault: then nothing of the call was done. */
  private static SubmitJobOutcome outcome(CompletableFuture<SubmitJobResponse> answer) {
    for (EngineException.Kind kind : EngineException.Kind.values()) {
      if (kind != EngineException.Kind.REQUEST_ID_REUSED) {
        throwIf(answer, kind);
      }
    }
    try {
      return SubmitJobOutcome.newBuilder().setJob(answer.join().getJob()).build();
    } catch (CompletionException e) {
      return refused(Errors.toStatus(e));
    }
  }

  private static void throwIf(CompletableFuture<?> answer, EngineException.Kind kind) {
    Throwable failure = answer.handle((value, thrown) -> thrown).join();
    if (failure instanceof EngineException engine && engine.kind() == kind) {
      throw engine;
    }
  }

  private static SubmitJobOutcome refused(StatusRuntimeException status) {
    SubmitJobError.Builder error =
        SubmitJobError.newBuilder()
            .setCode(status.getStatus().getCode().name())
            .setMessage(Optional.ofNullable(status.getStatus().getDescription()).orElse(""));
    ErrorInfo info = Errors.info(status);
    error.setReason(info.getReason()).putAllMetadata(info.getMetadataMap());
    return SubmitJobOutcome.newBuilder().setError(error).build();
  }
}
