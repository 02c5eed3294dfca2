package io.quotashare.server.engine;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.MessageLite;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A call that waits for its turn. */
final class PendingCall<T> {
  private final EngineCall<T> call;
  private final @Nullable RequestTag<?> tag;
  private final CompletableFuture<T> future = new CompletableFuture<>();

  private EngineCall.@Nullable Answer<T> reader;
  private @Nullable T answer;
  private @Nullable PendingCall<?> original;

  PendingCall(EngineCall<T> call, @Nullable RequestTag<?> tag) {
    this.call = requireNonNull(call, "call is null");
    this.tag = tag;
  }

  CompletableFuture<T> future() {
    return future;
  }

  @Nullable RequestTag<?> tag() {
    return tag;
  }

  void apply(Step step) {
    reader = call.apply(step);
  }

  void readAnswer(Step step) {
    if (reader != null) {
      answer = reader.read(step);
    }
  }

  /** Marks this as a repeat of a call of the same batch. */
  void repeats(PendingCall<?> first) {
    original = first;
  }

  /** The answer as it is stored. Only for calls with a tag. */
  MessageLite storedAnswer() {
    return (MessageLite) requireNonNull(answer, "answer is null");
  }

  /** Gives the caller what was read. */
  @SuppressWarnings("unchecked") // Same method and same request, so the same type of answer.
  void succeed() {
    future.complete(original == null ? answer : (T) original.answer);
  }

  /** Gives the caller the answer of long ago. */
  @SuppressWarnings("unchecked") // The parser of the tag makes what the call would answer.
  void succeedWith(MessageLite stored) {
    future.complete((T) stored);
  }

  void fail(Throwable why) {
    future.completeExceptionally(why);
  }
}
