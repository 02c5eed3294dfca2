package io.quotashare.agent.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The measured size of a record (node-agent 1.5). */
class ProcessListTest {

  @Property(tries = 300)
  void readsEveryListWhateverTheSizeOfItsRecords(
      @ForAll @Size(max = 40) List<@IntRange(min = 1) Integer> pids,
      @ForAll("strides") int stride) {
    assertThat(ProcessList.read(driver(pids, stride)).get()).isEqualTo(pids);
  }

  @Provide
  Arbitrary<Integer> strides() {
    return Arbitraries.of(ProcessList.STRIDES);
  }

  @Test
  void listThatGrowsBetweenTheCallsIsReadAgain() {
    List<Integer> all = IntStream.rangeClosed(1, 30).boxed().toList();
    int[] visible = {2};
    NvmlResult<List<Integer>> result =
        ProcessList.read(
            (count, records) -> {
              int code = driver(all.subList(0, visible[0]), 24).list(count, records);
              visible[0] = 30;
              return code;
            });
    assertThat(result.get()).isEqualTo(all);
  }

  @Test
  void listThatAlwaysGrowsIsGivenUp() {
    int[] calls = {0};
    NvmlResult<List<Integer>> result =
        ProcessList.read(
            (count, records) -> {
              calls[0]++;
              count.setValue(count.getValue() + 1);
              return NvmlReturn.INSUFFICIENT_SIZE.code();
            });
    assertThat(result.code()).isEqualTo(NvmlReturn.INSUFFICIENT_SIZE);
    assertThat(calls[0]).isEqualTo(6);
  }

  @Test
  void countBeyondReasonIsNotAllocated() {
    NvmlResult<List<Integer>> result =
        ProcessList.read(
            (count, records) -> {
              count.setValue(Integer.MAX_VALUE);
              return NvmlReturn.INSUFFICIENT_SIZE.code();
            });
    assertThat(result.code()).isEqualTo(NvmlReturn.UNKNOWN);
  }

  @Test
  void recordsOfNoKnownSizeAreNotTrusted() {
    assertThat(ProcessList.read(driver(List.of(111, 222, 333), 20)).code())
        .isEqualTo(NvmlReturn.UNKNOWN);
  }

  @Test
  void errorOfTheDriverIsPassedOn() {
    assertThat(ProcessList.read((count, records) -> NvmlReturn.GPU_IS_LOST.code()).code())
        .isEqualTo(NvmlReturn.GPU_IS_LOST);
  }

  /**
   * A driver with these processes that writes records of this size: id, memory, and none for the
   * two instance ids.
   */
  private static ProcessList.Call driver(List<Integer> pids, int stride) {
    return (IntByReference count, Pointer records) -> {
      boolean fits = pids.size() <= (records == null ? 0 : count.getValue());
      count.setValue(pids.size());
      for (int i = 0; fits && i < pids.size(); i++) {
        long at = (long) i * stride;
        records.setInt(at, pids.get(i));
        records.setLong(at + 8, 1L << 30);
        for (long rest = at + 16; rest < at + stride; rest += 4) {
          records.setInt(rest, -1);
        }
      }
      return (fits ? NvmlReturn.SUCCESS : NvmlReturn.INSUFFICIENT_SIZE).code();
    };
  }
}
