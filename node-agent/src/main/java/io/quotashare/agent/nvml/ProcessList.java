package io.quotashare.agent.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Reads a list of processes, whatever size the driver's records have.
 *
 * <p>The size of a record does not follow from the version of the function: drivers 535 beta wrote
 * 32 bytes through {@code _v3}, where 24 were meant, and R440 wrote 16 where callers expected 24;
 * reading with the wrong size gives process ids that do not exist. So the buffer is filled with a
 * byte that no record ends in, and the size is measured by how far the driver has written. Every
 * record has the process id first.
 */
final class ProcessList {
  /**
   * Sizes of a record of process information: version 1, version 2 (also of the function {@code
   * _v3}), the 535 beta.
   */
  static final List<Integer> STRIDES = List.of(16, 24, 32);

  private static final int STRIDE_MAX = 32;
  private static final byte UNTOUCHED = (byte) 0xAA;

  /** Processes may start between the two calls: this many more are made room for. */
  private static final int SLACK = 8;

  private static final int TRIES_MAX = 5;
  private static final int PROCESSES_MAX = 65_536;

  /** One of the functions that list processes, for one device. */
  @FunctionalInterface
  interface Call {
    /** Fills at most count records, and sets count to the number of processes that there are. */
    int list(IntByReference count, Pointer records);
  }

  private ProcessList() {}

  /** Asks for the number first, then for the list, and again if the list has grown meanwhile. */
  static NvmlResult<List<Integer>> read(Call call) {
    IntByReference count = new IntByReference(0);
    NvmlReturn code = NvmlReturn.of(call.list(count, Pointer.NULL));
    for (int tries = 0; code == NvmlReturn.INSUFFICIENT_SIZE && tries < TRIES_MAX; tries++) {
      int capacity = count.getValue() + SLACK;
      if (capacity < SLACK || capacity > PROCESSES_MAX) {
        return NvmlResult.error(NvmlReturn.UNKNOWN);
      }
      try (Memory records = new Memory((long) capacity * STRIDE_MAX)) {
        records.setMemory(0, records.size(), UNTOUCHED);
        count.setValue(capacity);
        code = NvmlReturn.of(call.list(count, records));
        if (code == NvmlReturn.SUCCESS && count.getValue() > 0) {
          return decode(records, count.getValue());
        }
      }
    }
    return code == NvmlReturn.SUCCESS ? NvmlResult.of(List.of()) : NvmlResult.error(code);
  }

  private static NvmlResult<List<Integer>> decode(Memory records, int count) {
    OptionalInt stride = stride(records, count);
    if (stride.isEmpty()) {
      return NvmlResult.error(NvmlReturn.UNKNOWN);
    }
    List<Integer> pids = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      pids.add(records.getInt((long) i * stride.getAsInt()));
    }
    return NvmlResult.of(List.copyOf(pids));
  }

  /**
   * A list of one needs no size; empty if the bytes written fit no size, so that the list cannot be
   * trusted.
   */
  private static OptionalInt stride(Memory records, int count) {
    if (count == 1) {
      return OptionalInt.of(STRIDE_MAX);
    }
    long written = records.size();
    while (written > 0 && records.getByte(written - 1) == UNTOUCHED) {
      written--;
    }
    long bytes = written;
    return STRIDES.stream()
        .mapToInt(Integer::intValue)
        .filter(s -> s * (long) count == bytes)
        .findFirst();
  }
}
