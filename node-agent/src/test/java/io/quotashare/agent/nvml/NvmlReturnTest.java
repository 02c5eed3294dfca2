package io.quotashare.agent.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.agent.nvml.NvmlReturn.Meaning;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NvmlReturnTest {

  @Test
  void codesOfTheDocumentationAreAllThereOnce() {
    assertThat(Arrays.stream(NvmlReturn.values()).mapToInt(NvmlReturn::code).toArray())
        .isEqualTo(IntStream.concat(IntStream.rangeClosed(0, 30), IntStream.of(999)).toArray());
  }

  @Test
  void everyCodeIsItself() {
    for (NvmlReturn value : NvmlReturn.values()) {
      assertThat(NvmlReturn.of(value.code())).isEqualTo(value);
    }
  }

  @Test
  void codeThatIsNotDocumentedIsUnknown() {
    assertThat(NvmlReturn.of(31)).isEqualTo(NvmlReturn.UNKNOWN);
    assertThat(NvmlReturn.of(-1)).isEqualTo(NvmlReturn.UNKNOWN);
  }

  @Test
  void onlySuccessIsAnAnswer() {
    assertThat(Arrays.stream(NvmlReturn.values()).filter(v -> v.meaning() == Meaning.OK))
        .containsExactly(NvmlReturn.SUCCESS);
  }

  @Test
  void resultHasAValueOrAReason() {
    assertThat(NvmlResult.of(1).get()).isEqualTo(1);
    assertThat(NvmlResult.of(1).map(i -> i + 1)).isEqualTo(NvmlResult.of(2));
    NvmlResult<Integer> lost = NvmlResult.error(NvmlReturn.GPU_IS_LOST);
    assertThat(lost.optional()).isEmpty();
    assertThat(lost.map(i -> i + 1).code()).isEqualTo(NvmlReturn.GPU_IS_LOST);
    assertThatThrownBy(lost::get)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no value: NVML GPU_IS_LOST (15)");
    assertThatThrownBy(() -> NvmlResult.error(NvmlReturn.SUCCESS))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void recoveryActionsHaveTheNumbersOfTheField() {
    assertThat(IntStream.rangeClosed(0, 5).mapToObj(RecoveryAction::of))
        .containsExactly(
            RecoveryAction.NONE,
            RecoveryAction.RESET,
            RecoveryAction.REBOOT,
            RecoveryAction.DRAIN_P2P,
            RecoveryAction.DRAIN_AND_RESET,
            RecoveryAction.RECOVER_IMEX_DOMAIN);
    assertThat(RecoveryAction.of(6)).isEqualTo(RecoveryAction.OTHER);
    assertThat(RecoveryAction.of(-1)).isEqualTo(RecoveryAction.OTHER);
    assertThat(Arrays.stream(RecoveryAction.values()).filter(RecoveryAction::allowsUse))
        .containsExactly(RecoveryAction.NONE, RecoveryAction.NOT_REPORTED);
  }
}
