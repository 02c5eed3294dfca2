package io.quotashare.server.engine;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.quotashare.core.RejectedException;
import io.quotashare.server.engine.EngineException.Kind;
import io.quotashare.server.store.RequestAnswer;
import io.quotashare.server.store.RequestKey;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The calls of one batch on their way from the queue to their answers. */
final class Round {
  private final List<PendingCall<?>> unanswered;
  private final List<PendingCall<?>> applied = new ArrayList<>();
  private final Map<RequestKey, PendingCall<?>> tagged = new LinkedHashMap<>();
  private final StateStore store;
  private final Executor answers;

  Round(List<PendingCall<?>> calls, StateStore store, Executor answers) {
    this.unanswered = new ArrayList<>(calls);
    this.store = store;
    this.answers = answers;
  }

  /**
   * Applies every call in its turn; answers those that change nothing: refused, and repeats of
   * requests that are durable.
   *
   * @throws CallFault a fault in a call, whose caller is told; the state is not to be used
   */
  void apply(Step step) {
    for (PendingCall<?> call : List.copyOf(unanswered)) {
      try {
        if (!isRepeat(call)) {
          call.apply(step);
        }
        applied.add(call);
        RequestTag<?> tag = call.tag();
        if (tag != null) {
          tagged.putIfAbsent(tag.key(), call);
        }
      } catch (AlreadyAnswered e) {
        answer(call, () -> call.succeedWith(e.answer));
      } catch (RejectedException | EngineException e) {
        answer(call, () -> call.fail(e));
      } catch (RuntimeException e) {
        throw faultOf(call, e);
      }
    }
  }

  /** Reads the answers from the decided state. */
  void readAnswers(Step step) {
    for (PendingCall<?> call : List.copyOf(applied)) {
      try {
        call.readAnswer(step);
      } catch (RejectedException e) {
        applied.remove(call);
        answer(call, () -> call.fail(e));
      } catch (RuntimeException e) {
        throw faultOf(call, e);
      }
    }
  }

  /** Answers that are to be durable with the batch. */
  List<RequestAnswer> answersToStore() {
    List<RequestAnswer> result = new ArrayList<>();
    tagged.forEach(
        (key, call) -> {
          RequestTag<?> tag = call.tag();
          if (tag != null) {
            result.add(new RequestAnswer(key, tag.hash(), call.storedAnswer().toByteString()));
          }
        });
    return result;
  }

  void succeed() {
    List<PendingCall<?>> done = List.copyOf(applied);
    unanswered.clear();
    if (!done.isEmpty()) {
      answers.execute(() -> done.forEach(PendingCall::succeed));
    }
  }

  void fail(Throwable why) {
    List<PendingCall<?>> failed = List.copyOf(unanswered);
    unanswered.clear();
    if (!failed.isEmpty()) {
      answers.execute(() -> failed.forEach(call -> call.fail(why)));
    }
  }

  private CallFault faultOf(PendingCall<?> call, RuntimeException cause) {
    answer(
        call,
        () ->
            call.fail(
                new EngineException(
                    Kind.INTERNAL, "a fault of the scheduler; its log says more", 0, cause)));
    return new CallFault(cause);
  }

  private void answer(PendingCall<?> call, Runnable how) {
    unanswered.remove(call);
    answers.execute(how);
  }

  /** Whether the same request is in this batch already. */
  private boolean isRepeat(PendingCall<?> call) {
    RequestTag<?> tag = call.tag();
    if (tag == null) {
      return false;
    }
    PendingCall<?> first = tagged.get(tag.key());
    if (first != null) {
      if (first.tag() == null || !first.tag().hash().equals(tag.hash())) {
        throw reused(tag.key());
      }
      call.repeats(first);
      return true;
    }
    Optional<RequestAnswer> stored = storedAnswer(tag.key());
    if (stored.isPresent()) {
      if (!stored.get().requestHash().equals(tag.hash())) {
        throw reused(tag.key());
      }
      throw new AlreadyAnswered(parse(tag, stored.get()));
    }
    return false;
  }

  private Optional<RequestAnswer> storedAnswer(RequestKey key) {
    try {
      return store.answer(key);
    } catch (StoreUnavailableException e) {
      throw StoreTrouble.toEngineException(e);
    }
  }

  private static MessageLite parse(RequestTag<?> tag, RequestAnswer stored) {
    try {
      return tag.parser().parseFrom(stored.answer());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("unreadable answer to request " + tag.key().requestId(), e);
    }
  }

  private static EngineException reused(RequestKey key) {
    return new EngineException(
        Kind.REQUEST_ID_REUSED,
        "request_id: "
            + key.requestId()
            + " was used before for another request (expected: a new"
            + " UUID for every request)",
        0,
        null);
  }

  /** A call failed in a way that it must not. */
  static final class CallFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CallFault(RuntimeException cause) {
      super(cause);
    }
  }

  /** The request was carried out long ago. */
  private static final class AlreadyAnswered extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient MessageLite answer;

    AlreadyAnswered(MessageLite answer) {
      super(null, null, false, false);
      this.answer = answer;
    }
  }
}
