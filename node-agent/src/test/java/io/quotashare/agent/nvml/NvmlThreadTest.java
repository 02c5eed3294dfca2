package io.quotashare.agent.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NvmlThreadTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(30);

  private final NvmlThread thread = new NvmlThread();
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void end() {
    release.countDown();
    thread.close();
  }

  @Test
  void callRunsOnADaemonThreadAndItsResultComesBack() {
    assertThat(thread.call("name", LONG, () -> Thread.currentThread().getName())).isEqualTo("nvml");
    assertThat(thread.call("daemon", LONG, () -> Thread.currentThread().isDaemon())).isTrue();
  }

  @Test
  void failureOfACallIsTheCallersFailure() {
    assertThatThrownBy(
            () ->
                thread.call(
                    "bad",
                    LONG,
                    () -> {
                      throw new IllegalStateException("broken");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("broken");
    assertThatThrownBy(
            () ->
                thread.call(
                    "worse",
                    LONG,
                    () -> {
                      throw new Error("Invalid memory access");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("worse failed");
    assertThat(thread.call("next", LONG, () -> 1)).isEqualTo(1);
  }

  @Test
  void callThatHangsIsLeftAndNoFurtherOneIsMade() {
    assertThatThrownBy(() -> thread.call("hanging", SHORT, this::hang))
        .isInstanceOf(NvmlStuckException.class)
        .hasMessageContaining("hanging");
    AtomicBoolean ran = new AtomicBoolean();
    assertThatThrownBy(() -> thread.call("next", LONG, () -> ran.getAndSet(true)))
        .isInstanceOf(NvmlStuckException.class)
        .hasMessageContaining("hanging");
    assertThat(ran).isFalse();
  }

  @Test
  void callsAreTakenAgainOnceTheHangingOneHasReturned() {
    assertThatThrownBy(() -> thread.call("hanging", SHORT, this::hang))
        .isInstanceOf(NvmlStuckException.class);
    release.countDown();
    await()
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(thread.call("next", LONG, () -> 1)).isEqualTo(1));
  }

  @Test
  void callWhoseTurnDoesNotComeIsGivenUpAndDoesNotRunLater() {
    CompletableFuture<Boolean> first =
        CompletableFuture.supplyAsync(() -> thread.call("slow", LONG, this::hang));
    AtomicBoolean ran = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    await()
        .untilAsserted(
            () -> {
              try {
                thread.call("waiting", SHORT, () -> ran.getAndSet(true));
                ran.set(false);
              } catch (NvmlBusyException e) {
                failure.set(e);
              }
              assertThat(failure.get()).hasMessageContaining("waiting: no turn");
            });
    release.countDown();
    assertThat(first.join()).isTrue();
    assertThat(thread.call("last", LONG, () -> 1)).isEqualTo(1);
    assertThat(ran).isFalse();
  }

  @Test
  void closedThreadRefusesCalls() {
    thread.close();
    assertThatThrownBy(() -> thread.call("late", LONG, () -> 1))
        .isInstanceOf(NvmlBusyException.class);
  }

  private boolean hang() {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return true;
  }
}
