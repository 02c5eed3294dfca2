package io.quotashare.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.Policy;
import io.quotashare.core.RejectedException;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.Unassigned;
import io.quotashare.server.FakeClock;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.store.AuditEvent;
import io.quotashare.server.store.AuditQuery;
import io.quotashare.server.store.AuditRecord;
import io.quotashare.server.store.MemoryStateStore;
import io.quotashare.server.store.MemoryStateStore.Fault;
import io.quotashare.server.store.StoreLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EngineTest {
  private final FakeClock machine = new FakeClock();
  private final MemoryStateStore store = new MemoryStateStore(StoreLimits.DEFAULT);
  private final List<String> told = new ArrayList<>();
  private Runnable deciding = () -> {};
  private Engine engine;

  @BeforeEach
  void start() {
    engine = engine(store, new EngineLimits(3, 3, 10));
    engine.start();
    told.clear();
  }

  private Engine engine(MemoryStateStore on, EngineLimits limits) {
    Leadership leadership = Leadership.take(on);
    EngineListener listener =
        new EngineListener() {
          @Override
          public void begin(Step step) {
            deciding.run();
          }

          @Override
          public void committed(Commit commit) {
            told.add("commit " + commit.revision());
          }

          @Override
          public void rebuilt(io.quotashare.core.Scheduler scheduler) {
            told.add("rebuilt");
          }
        };
    return new Engine(
        on,
        leadership,
        new EngineClock(machine, leadership.found().atMillis()),
        new EngineQueue(limits),
        List.of(listener),
        Runnable::run,
        Failpoints.NONE);
  }

  @Test
  void callersAreAnsweredAfterTheCommit() {
    CompletableFuture<String> answer =
        engine.call(makeQueue("a")).whenComplete((value, e) -> told.add("answer " + value));

    assertThat(answer).isNotDone();
    assertThat(engine.step()).isTrue();

    assertThat(told).containsExactly("commit 1", "answer a");
    assertThat(store.lastCommit().revision()).isEqualTo(1);
    assertThat(store.lastCommit().atMillis()).isEqualTo(machine.wallMillis());
    assertThat(engine.step()).isFalse();
  }

  @Test
  void oneCommitCoversABatch() {
    CompletableFuture<String> a = engine.call(makeQueue("a"));
    CompletableFuture<String> b = engine.call(makeQueue("b"));

    engine.step();

    assertThat(a).isCompletedWithValue("a");
    assertThat(b).isCompletedWithValue("b");
    assertThat(told).containsExactly("commit 1");
  }

  @Test
  void questionCommitsNothing() {
    CompletableFuture<Integer> answer =
        engine.call(step -> decided -> decided.scheduler().queues().size());

    engine.step();

    assertThat(answer).isCompletedWithValue(0);
    assertThat(store.lastCommit().revision()).isZero();
  }

  /** Comes again until it is answered, and always faults; says so when it is set aside. */
  private static EngineCall<String> poisonous(String identity) {
    return step -> {
      if (!step.begin(identity)) {
        step.audit(new AuditEvent("agent n1", "REPORT_SET_ASIDE", identity, "", "", "", ""));
        return decided -> "as taken";
      }
      throw new IllegalStateException("a fault on " + identity);
    };
  }

  @Test
  void inputThatAlwaysFaultsIsSetAside() {
    carryOut(makeQueue("a"));
    for (int i = 0; i < FaultyInputs.MAX_FAULTS; i++) {
      CompletableFuture<String> faulted = engine.report(poisonous("bad"));
      engine.step();
      assertThat(faulted).isCompletedExceptionally();
    }
    told.clear();

    CompletableFuture<String> bad = engine.report(poisonous("bad"));
    CompletableFuture<String> good = engine.call(makeQueue("b"));
    engine.step();

    assertThat(bad).isCompletedWithValue("as taken");
    assertThat(good).isCompletedWithValue("b");
    assertThat(told).doesNotContain("rebuilt");
    assertThat(engine.reportsSetAside()).isEqualTo(1);
    assertThat(store.audit(AuditQuery.newest(9)).items())
        .extracting(entry -> entry.event().action())
        .containsExactly("REPORT_SET_ASIDE");
  }

  @Test
  void anotherInputOfTheSameSenderIsStillTaken() {
    for (int i = 0; i < FaultyInputs.MAX_FAULTS; i++) {
      var unused = engine.report(poisonous("bad"));
      engine.step();
    }

    CompletableFuture<String> other =
        engine.report(
            step -> {
              assertThat(step.begin("good")).isTrue();
              step.end();
              return decided -> "taken";
            });
    engine.step();

    assertThat(other).isCompletedWithValue("taken");
    assertThat(engine.reportsSetAside()).isZero();
  }

  @Test
  void refusalConcernsItsCallerAlone() {
    CompletableFuture<String> refused =
        engine.call(
            step -> {
              throw new RejectedException(
                  RejectedException.Kind.NOT_FOUND, "NOT_FOUND", "name", "no such thing");
            });
    CompletableFuture<String> good = engine.call(makeQueue("a"));

    engine.step();

    assertThat(refused).isCompletedExceptionally();
    assertThat(good).isCompletedWithValue("a");
  }

  @Test
  void fullQueueRefuses() {
    List<CompletableFuture<String>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(engine.call(makeQueue("q" + i)));
    }

    CompletableFuture<String> tooMany = engine.call(makeQueue("x"));

    assertThat(kindOf(tooMany)).isEqualTo(EngineException.Kind.QUEUE_FULL);
    engine.step();
    assertThat(waiting).allSatisfy(call -> assertThat(call).isCompleted());
    assertThat(engine.call(makeQueue("x"))).isNotDone();
  }

  @Test
  void fullDiskChangesNothingAndPasses() {
    store.failNextCommit(Fault.FULL);
    CompletableFuture<String> failed = engine.call(makeQueue("a"));
    engine.step();

    assertThat(kindOf(failed)).isEqualTo(EngineException.Kind.STORE_FULL);
    assertThat(told).containsExactly("rebuilt");
    assertThat(engine.storeTrouble()).isNotNull();

    CompletableFuture<String> tooEarly = engine.call(makeQueue("b"));
    engine.step();
    assertThat(kindOf(tooEarly)).isEqualTo(EngineException.Kind.STORE_FULL);

    machine.advance(1_000);
    assertThat(engine.step()).as("tries by itself").isTrue();
    assertThat(engine.storeTrouble()).isNull();
    CompletableFuture<Integer> count =
        engine.call(step -> decided -> decided.scheduler().queues().size());
    engine.step();
    assertThat(count).isCompletedWithValue(0);
  }

  @Test
  void commitOfUnknownOutcomeIsLookedUp() {
    store.failNextCommit(Fault.UNKNOWN_WRITTEN);
    CompletableFuture<String> written = engine.call(makeQueue("a"));
    engine.step();
    assertThat(written).isCompletedWithValue("a");

    store.failNextCommit(Fault.UNKNOWN_LOST);
    CompletableFuture<String> lost = engine.call(makeQueue("b"));
    engine.step();
    assertThat(kindOf(lost)).isEqualTo(EngineException.Kind.STORE_UNAVAILABLE);

    CompletableFuture<String> again = engine.call(makeQueue("b"));
    engine.step();
    assertThat(again).isCompletedWithValue("b");
    assertThat(told).containsExactly("commit 1", "rebuilt", "commit 2");
  }

  @Test
  void fencedEngineStops() {
    MemoryStateStore other = store.reopen();
    Leadership.take(other);
    CompletableFuture<String> late = engine.call(makeQueue("a"));

    assertThatThrownBy(engine::step)
        .isInstanceOf(FatalEngineException.class)
        .hasMessageContaining("another scheduler leads");
    assertThat(kindOf(late)).isEqualTo(EngineException.Kind.STOPPING);
    assertThat(kindOf(engine.call(makeQueue("b")))).isEqualTo(EngineException.Kind.STOPPING);
  }

  @Test
  void failedStoreStopsTheEngine() {
    store.failNextCommit(Fault.FAILED);
    CompletableFuture<String> last = engine.call(makeQueue("a"));

    assertThatThrownBy(engine::step).isInstanceOf(FatalEngineException.class);
    assertThat(kindOf(last)).isEqualTo(EngineException.Kind.STOPPING);
  }

  @Test
  void faultInACallIsToldAndUndone() {
    carryOut(makeQueue("a"));

    CompletableFuture<String> faulty =
        engine.call(
            step -> {
              makeQueue("half").apply(step);
              throw new IllegalStateException("a bug");
            });
    CompletableFuture<String> neighbour = engine.call(makeQueue("b"));
    engine.step();

    assertThat(kindOf(faulty)).isEqualTo(EngineException.Kind.INTERNAL);
    assertThat(kindOf(neighbour)).isEqualTo(EngineException.Kind.STORE_UNAVAILABLE);
    CompletableFuture<List<String>> names =
        engine.call(
            step -> decided -> decided.scheduler().queues().stream().map(Queue::name).toList());
    engine.step();
    assertThat(names).isCompletedWithValue(List.of("a"));
  }

  @Test
  void decisionThatFailsAgainAndAgainStopsTheEngine() {
    deciding =
        () -> {
          throw new IllegalStateException("a bug in a decision");
        };
    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      calls.add(engine.call(makeQueue("q" + i)));
      engine.step();
    }
    CompletableFuture<String> last = engine.call(makeQueue("last"));

    assertThatThrownBy(engine::step)
        .isInstanceOf(FatalEngineException.class)
        .hasMessageContaining("a bug in a decision");
    assertThat(calls)
        .allSatisfy(
            call -> assertThat(kindOf(call)).isEqualTo(EngineException.Kind.STORE_UNAVAILABLE));
    assertThat(kindOf(last)).isEqualTo(EngineException.Kind.STOPPING);
  }

  @Test
  void auditIsDurableWithTheChange() {
    carryOut(
        step -> {
          makeQueue("a").apply(step);
          step.audit(new AuditEvent("me", "MAKE", "queues/a", "", "", "", ""));
          return decided -> "done";
        });

    assertThat(store.audit(AuditQuery.newest(10)).items())
        .singleElement()
        .extracting(AuditRecord::revision)
        .isEqualTo(1L);
  }

  @Test
  void nextLeaderFindsTheState() {
    carryOut(makeQueue("a"));

    Engine next = engine(store.reopen(), EngineLimits.DEFAULT);
    next.start();
    CompletableFuture<Integer> count =
        next.call(step -> decided -> decided.scheduler().queues().size());
    next.step();

    assertThat(next.epoch()).isEqualTo(2);
    assertThat(count).isCompletedWithValue(1);
  }

  private void carryOut(EngineCall<String> call) {
    CompletableFuture<String> answer = engine.call(call);
    engine.step();
    assertThat(answer).isCompleted();
  }

  private static EngineCall<String> makeQueue(String name) {
    return step -> {
      Queue queue =
          new Queue(
              name,
              AdminState.ENABLED,
              new TreeMap<>(java.util.Map.of("pool", name)),
              IdleAssignment.FIFO,
              Unassigned.BORROWABLE,
              1_000,
              1_000,
              1_000,
              List.of(),
              PreemptionMode.ENFORCE);
      step.scheduler()
          .applyPolicy(
              new Policy(List.of(new Policy.QueuePolicy(queue, List.of()))),
              false,
              step.nowMillis());
      return decided -> name;
    };
  }

  private static EngineException.Kind kindOf(CompletableFuture<?> failed) {
    return failed.handle((value, e) -> ((EngineException) e).kind()).join();
  }
}
