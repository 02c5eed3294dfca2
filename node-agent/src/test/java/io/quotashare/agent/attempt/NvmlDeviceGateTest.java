package io.quotashare.agent.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.agent.inventory.FakeInventorySource;
import io.quotashare.agent.inventory.Occupancy;
import io.quotashare.agent.nvml.RecoveryAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class NvmlDeviceGateTest {
  private static final String GPU = "GPU-n-0";
  private static final long MIB = 1L << 20;

  private final FakeInventorySource inventory = FakeInventorySource.h100("n", 2);

  private Map<String, String> busy(String... devices) {
    Map<String, String> answer = new HashMap<>(Map.of("not", "answered"));
    new NvmlDeviceGate(inventory, Runnable::run, Runnable::run)
        .probe(
            List.of(devices),
            busy -> {
              answer.clear();
              answer.putAll(busy);
            });
    return answer;
  }

  private void occupancy(Set<Integer> pids, OptionalLong memory, RecoveryAction action) {
    inventory.setOccupancy(GPU, new Occupancy.Known(pids, memory, action));
  }

  @Test
  void shouldPassWhatIsEmpty() {
    assertThat(busy(GPU, "GPU-n-1")).isEmpty();
  }

  @Test
  void shouldHoldWhatAProcessUses() {
    occupancy(Set.of(9, 5), OptionalLong.empty(), RecoveryAction.NONE);
    assertThat(busy(GPU, "GPU-n-1")).containsOnly(Map.entry(GPU, "still used by process [5, 9]"));
  }

  @Test
  void shouldHoldWhatUsesMoreMemoryThanWhenItIsIdle() {
    inventory.setIdleBaselineBytes(GPU, OptionalLong.of(500 * MIB));
    occupancy(Set.of(), OptionalLong.of(564 * MIB), RecoveryAction.NONE);
    assertThat(busy(GPU)).isEmpty();
    occupancy(Set.of(), OptionalLong.of(564 * MIB + 1), RecoveryAction.NONE);
    assertThat(busy(GPU))
        .containsEntry(GPU, "still holding 564 MiB of memory; when idle it holds 500 MiB");
  }

  @Test
  void shouldNotJudgeMemoryWithoutABaseline() {
    inventory.setIdleBaselineBytes(GPU, OptionalLong.empty());
    occupancy(Set.of(), OptionalLong.of(5_000 * MIB), RecoveryAction.NONE);
    assertThat(busy(GPU)).isEmpty();
  }

  @Test
  void shouldHoldWhatNeedsAReset() {
    occupancy(Set.of(), OptionalLong.empty(), RecoveryAction.DRAIN_AND_RESET);
    assertThat(busy(GPU).get(GPU)).startsWith("not usable: the GPU asks to be drained and reset");
    occupancy(Set.of(), OptionalLong.empty(), RecoveryAction.NOT_REPORTED);
    assertThat(busy(GPU)).isEmpty();
  }

  @Test
  void shouldHoldWhatNobodyCanTellAnythingOf() {
    inventory.setOccupancy(GPU, new Occupancy.Unknown("NVML_STUCK"));
    assertThat(busy(GPU)).containsEntry(GPU, "of unknown occupancy: NVML_STUCK");
    assertThat(busy("GPU-x").get("GPU-x")).startsWith("of unknown occupancy: ");
  }

  @Test
  void shouldHoldEverythingWhenTooMuchIsAsked() {
    Map<String, String> answer = new HashMap<>();
    new NvmlDeviceGate(
            inventory,
            task -> {
              throw new RejectedExecutionException();
            },
            Runnable::run)
        .probe(List.of(GPU), answer::putAll);
    assertThat(answer.get(GPU)).startsWith("not looked at");
  }
}
