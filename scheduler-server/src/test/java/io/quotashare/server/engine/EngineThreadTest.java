package io.quotashare.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.server.FakeClock;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.store.AuditEvent;
import io.quotashare.server.store.MemoryStateStore;
import io.quotashare.server.store.MemoryStateStore.Fault;
import io.quotashare.server.store.StoreLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EngineThreadTest {
  private final MemoryStateStore store = new MemoryStateStore(StoreLimits.DEFAULT);
  private final Engine engine = engine();
  private final CompletableFuture<FatalEngineException> fatal = new CompletableFuture<>();
  private final EngineThread thread = new EngineThread(engine, fatal::complete);

  private Engine engine() {
    Leadership leadership = Leadership.take(store);
    return new Engine(
        store,
        leadership,
        new EngineClock(new FakeClock(), 0),
        new EngineQueue(EngineLimits.DEFAULT),
        List.of(),
        Runnable::run,
        Failpoints.NONE);
  }

  @Test
  void whatWasTakenIsFinishedBeforeTheEnd() {
    engine.start();
    List<CompletableFuture<Integer>> taken = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      taken.add(engine.call(note(i)));
    }
    thread.start();

    thread.stop();

    assertThat(taken).allSatisfy(call -> assertThat(call).isCompleted());
    CompletableFuture<Integer> late = engine.call(note(0));
    assertThat(late).isCompletedExceptionally();
    assertThat(fatal).isNotDone();
  }

  @Test
  void callsFromOtherThreadsAreCarriedOut() {
    engine.start();
    thread.start();

    assertThat(engine.call(note(7)).orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo(7);

    thread.stop();
  }

  @Test
  void failureOfTheStoreEndsTheThreadAndIsTold() {
    engine.start();
    store.failNextCommit(Fault.FAILED);
    CompletableFuture<Integer> call = engine.call(note(1));
    thread.start();

    assertThat(fatal.orTimeout(20, TimeUnit.SECONDS).join()).isNotNull();
    assertThat(call).isCompletedExceptionally();
    thread.stop();
  }

  private static EngineCall<Integer> note(int number) {
    return step -> {
      step.audit(new AuditEvent("me", "NOTE", "n" + number, "", "", "", ""));
      return decided -> number;
    };
  }
}
