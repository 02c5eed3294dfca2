package io.quotashare.server.engine;

import static io.quotashare.core.model.Check.checkState;
import static java.util.Objects.requireNonNull;

import com.google.protobuf.MessageLite;
import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.Scheduler;
import io.quotashare.server.engine.EngineException.Kind;
import io.quotashare.server.engine.EngineQueue.Lane;
import io.quotashare.server.failpoint.Failpoint;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.store.CommitBatch;
import io.quotashare.server.store.OutcomeUnknownException;
import io.quotashare.server.store.RequestAnswer;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.store.StoreException;
import io.quotashare.server.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer. {@link #step} is the main loop's body: take a batch, read the time once, apply
 * each call, decide once, make it durable, and only then answer callers and tell everybody else.
 *
 * <p>{@link #step}, {@link #start} and {@link #nextNanos} belong to one thread, which may be a
 * test's; the other methods may be called from anywhere.
 */
public final class Engine {
  private static final Logger log = LoggerFactory.getLogger(Engine.class);

  private static final int MAX_FAULTS_IN_A_ROW = 2;

  private final StateStore store;
  private final Leadership leadership;
  private final EngineClock clock;
  private final EngineQueue queue;
  private final List<EngineListener> listeners;
  private final Executor answers;
  private final Failpoints failpoints;

  private @Nullable Scheduler scheduler;
  private long revision;
  private final FaultyInputs faulty = new FaultyInputs();
  private int faultsInARow;
  private volatile @Nullable EngineException storeTrouble;
  private long storeRetryNanos;

  /**
   * @param listeners in the order in which they are to be told
   * @param answers completes callers' futures
   * @param failpoints told of every step of a call
   */
  public Engine(
      StateStore store,
      Leadership leadership,
      EngineClock clock,
      EngineQueue queue,
      List<EngineListener> listeners,
      Executor answers,
      Failpoints failpoints) {
    this.store = requireNonNull(store, "store is null");
    this.leadership = requireNonNull(leadership, "leadership is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.queue = requireNonNull(queue, "queue is null");
    this.listeners = List.copyOf(listeners);
    this.answers = requireNonNull(answers, "answers is null");
    this.failpoints = requireNonNull(failpoints, "failpoints is null");
    this.revision = leadership.found().revision();
  }

  /**
   * Reads the state from the store. To be called once, before the first {@link #step}.
   *
   * @throws FatalEngineException if the state contradicts itself
   * @throws StoreException if it cannot be read or trusted
   */
  public void start() {
    checkState(scheduler == null, "the engine was started before");
    List<Change> rows = new ArrayList<>();
    store.load().forEach(rows::add);
    Scheduler restored = restore(rows);
    scheduler = restored;
    long nanos = clock.monotonicNanos();
    Restored state = new Restored(restored, rows, revision, clock.atNanos(nanos), nanos);
    listeners.forEach(listener -> listener.started(state));
  }

  private static Scheduler restore(Iterable<Change> rows) {
    try {
      return Scheduler.restore(rows);
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new FatalEngineException("the durable state contradicts itself: " + e.getMessage(), e);
    }
  }

  /** Epoch of this leader. */
  public long epoch() {
    return leadership.epoch();
  }

  /** Calls of users and operators that wait, and reports of agents. */
  public int queued() {
    return queue.size();
  }

  /** Reports of agents that faulted again and again, and were set aside, since the start. */
  public long reportsSetAside() {
    return faulty.setAside();
  }

  /** Why nothing can be made durable for the moment; null if it can. */
  public @Nullable EngineException storeTrouble() {
    return storeTrouble;
  }

  /** Puts a question or a change of a user or operator into the queue. */
  public <T> CompletableFuture<T> call(EngineCall<T> call) {
    return offer(new PendingCall<>(call, null), Lane.CALLS);
  }

  /**
   * Puts a change into the queue; where {@code tag} is not null, a repeat is given the first
   * answer.
   */
  public <T extends MessageLite> CompletableFuture<T> call(
      EngineCall<T> call, @Nullable RequestTag<T> tag) {
    return offer(new PendingCall<>(call, tag), Lane.CALLS);
  }

  /**
   * Puts several changes into the queue that are made durable by one commit, each with an answer of
   * its own.
   */
  public <T extends MessageLite> List<CompletableFuture<T>> callTogether(
      List<TaggedCall<T>> calls) {
    List<PendingCall<T>> group = new ArrayList<>();
    calls.forEach(call -> group.add(new PendingCall<>(call.call(), call.tag())));
    offer(List.copyOf(group), Lane.CALLS);
    return group.stream().map(PendingCall::future).toList();
  }

  /** Puts something that an agent said into the queue. */
  public <T> CompletableFuture<T> report(EngineCall<T> call) {
    return offer(new PendingCall<>(call, null), Lane.REPORTS);
  }

  /** Makes the next step begin soon, so that listeners see what changed outside the engine. */
  public void wake() {
    queue.wake();
  }

  /** Refuses new calls. What waits is still carried out by further steps. */
  public void close() {
    queue.close();
  }

  /** Waits until something waits in the queue or is due. */
  void await() throws InterruptedException {
    OptionalLong next = nextNanos();
    long wait = EngineQueue.IDLE_NANOS;
    if (next.isPresent()) {
      wait = Math.min(wait, next.getAsLong() - clock.monotonicNanos());
    }
    queue.await(wait);
  }

  /**
   * Does one round, if there is anything to do.
   *
   * @return false if there was not
   * @throws FatalEngineException if the process must stop; callers have been told
   */
  public boolean step() {
    Scheduler current = requireNonNull(scheduler, "the engine was not started");
    long nanos = clock.monotonicNanos();
    boolean due = isDue(nanos);
    List<PendingCall<?>> calls = queue.drain();
    if (calls.isEmpty() && !due) {
      return false;
    }
    failpoints.reach(Failpoint.DRAINED);
    Round round = new Round(calls, store, answers);
    EngineException trouble = storeTrouble;
    if (trouble != null && nanos - storeRetryNanos < 0) {
      round.fail(trouble);
      return true;
    }
    Step step = new Step(current, clock.atNanos(nanos), nanos, faulty);
    try {
      decide(step, round);
    } catch (RuntimeException e) {
      faulty.faulted();
      recoverFromFault(round, e);
      return true;
    }
    finish(step, round, current.drain(), clock.monotonicNanos() - nanos);
    return true;
  }

  /** When {@link #step} is next due although nothing is put in, by the monotonic clock. */
  public OptionalLong nextNanos() {
    if (storeTrouble != null) {
      return OptionalLong.of(storeRetryNanos);
    }
    OptionalLong next = OptionalLong.empty();
    OptionalLong wake = requireNonNull(scheduler, "the engine was not started").nextWakeMillis();
    if (wake.isPresent()) {
      next = OptionalLong.of(clock.nanosAt(wake.getAsLong()));
    }
    for (EngineListener listener : listeners) {
      next = earlier(next, listener.nextNanos());
    }
    return next;
  }

  private void decide(Step step, Round round) {
    listeners.forEach(listener -> listener.begin(step));
    round.apply(step);
    failpoints.reach(Failpoint.APPLIED);
    step.scheduler().decide(step.nowMillis());
    round.readAnswers(step);
    failpoints.reach(Failpoint.DECIDED);
  }

  private void finish(Step step, Round round, Batch batch, long decisionNanos) {
    List<RequestAnswer> toStore = round.answersToStore();
    boolean nothing =
        batch.isEmpty() && toStore.isEmpty() && step.auditEvents().isEmpty() && !step.commits();
    // A store in trouble is tried even so: an empty batch shows whether it is well again.
    if (nothing && storeTrouble == null) {
      faultsInARow = 0;
      round.succeed();
      return;
    }
    long begun = clock.monotonicNanos();
    CommitBatch commit =
        new CommitBatch(
            leadership.epoch(),
            revision + 1,
            step.nowMillis(),
            batch.changes(),
            Audits.of(batch, step.auditEvents(), step.nowMillis()),
            toStore);
    failpoints.reach(Failpoint.BEFORE_COMMIT);
    if (!commit(commit, round)) {
      return;
    }
    failpoints.reach(Failpoint.COMMITTED);
    revision = commit.revision();
    faulty.committed();
    faultsInARow = 0;
    storeTrouble = null;
    Commit done =
        new Commit(
            revision,
            step.nowMillis(),
            batch,
            step.scheduler(),
            decisionNanos,
            clock.monotonicNanos() - begun);
    for (EngineListener listener : listeners) {
      listener.committed(done);
      failpoints.reach(Failpoint.LISTENER_TOLD);
    }
    failpoints.reach(Failpoint.BEFORE_ANSWER);
    round.succeed();
    failpoints.reach(Failpoint.ANSWERED);
  }

  /** Makes the batch durable; false if it is not, and all is as before. */
  private boolean commit(CommitBatch commit, Round round) {
    try {
      store.commit(commit);
      return true;
    } catch (StoreUnavailableException e) {
      log.warn("revision {} is not durable: {}", commit.revision(), e.getMessage());
      EngineException trouble = StoreTrouble.toEngineException(e);
      storeTrouble = trouble;
      storeRetryNanos = clock.monotonicNanos() + StoreTrouble.RETRY_MILLIS * 1_000_000;
      round.fail(trouble);
      rebuild();
      return false;
    } catch (OutcomeUnknownException e) {
      log.warn("it is not known whether revision {} is durable", commit.revision(), e);
      if (isDurable(commit, round)) {
        return true;
      }
      round.fail(
          new EngineException(
              Kind.STORE_UNAVAILABLE,
              "the scheduler's store failed: nothing was changed",
              StoreTrouble.RETRY_MILLIS,
              e));
      rebuild();
      return false;
    } catch (StoreException e) {
      throw fatal(round, e.getMessage(), e);
    }
  }

  private boolean isDurable(CommitBatch commit, Round round) {
    try {
      return store.lastCommit().revision() == commit.revision();
    } catch (StoreException e) {
      throw fatal(round, "the store does not say what is durable: " + e.getMessage(), e);
    }
  }

  /** After a fault in a call or a decision the state in memory may be half-changed. */
  private void recoverFromFault(Round round, RuntimeException fault) {
    log.error("a fault while deciding; the state is read again from the store", fault);
    // A call that fails is told so and is gone; a decision that fails would fail for ever.
    faultsInARow = fault instanceof Round.CallFault ? 0 : faultsInARow + 1;
    if (faultsInARow > MAX_FAULTS_IN_A_ROW) {
      throw fatal(round, "the same fault again and again: " + fault, fault);
    }
    round.fail(
        new EngineException(
            Kind.STORE_UNAVAILABLE,
            "another call of the same batch failed: nothing was changed",
            StoreTrouble.RETRY_MILLIS,
            fault));
    rebuild();
  }

  private void rebuild() {
    try {
      Scheduler rebuilt = restore(store.load());
      scheduler = rebuilt;
      listeners.forEach(listener -> listener.rebuilt(rebuilt));
    } catch (StoreException | FatalEngineException e) {
      throw fatal(new Round(List.of(), store, answers), e.getMessage(), e);
    }
  }

  private FatalEngineException fatal(Round round, @Nullable String why, RuntimeException cause) {
    queue.close();
    EngineException stopping = stopping();
    round.fail(stopping);
    for (List<PendingCall<?>> rest = queue.drain(); !rest.isEmpty(); rest = queue.drain()) {
      new Round(rest, store, answers).fail(stopping);
    }
    return new FatalEngineException(why == null ? cause.toString() : why, cause);
  }

  private boolean isDue(long nanos) {
    OptionalLong next = nextNanos();
    return next.isPresent() && next.getAsLong() - nanos <= 0;
  }

  private <T> CompletableFuture<T> offer(PendingCall<T> call, Lane lane) {
    offer(List.of(call), lane);
    return call.future();
  }

  private void offer(List<PendingCall<?>> group, Lane lane) {
    failpoints.reach(Failpoint.RECEIVED);
    switch (queue.offer(group, lane)) {
      case TAKEN -> failpoints.reach(Failpoint.QUEUED);
      case FULL ->
          group.forEach(
              call ->
                  call.fail(
                      new EngineException(
                          Kind.QUEUE_FULL,
                          "the scheduler has more calls than it can take",
                          200,
                          null)));
      case CLOSED -> group.forEach(call -> call.fail(stopping()));
    }
  }

  private static EngineException stopping() {
    return new EngineException(
        Kind.STOPPING,
        "the scheduler stops, or another one leads",
        StoreTrouble.RETRY_MILLIS,
        null);
  }

  private static OptionalLong earlier(OptionalLong a, OptionalLong b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() ? b : a;
    }
    return a.getAsLong() - b.getAsLong() <= 0 ? a : b;
  }
}
