package io.quotashare.agent.nvml;

/**
 * The return codes of NVML ({@code nvmlReturn_t}), and what each means for the agent. {@code
 * docs/nvml.md} has the same table in words.
 */
public enum NvmlReturn {
  SUCCESS(0, Meaning.OK),
  UNINITIALIZED(1, Meaning.REINITIALIZE),
  INVALID_ARGUMENT(2, Meaning.ABSENT),
  NOT_SUPPORTED(3, Meaning.ABSENT),
  NO_PERMISSION(4, Meaning.RESTRICTED),
  ALREADY_INITIALIZED(5, Meaning.TRANSIENT),
  NOT_FOUND(6, Meaning.ABSENT),
  INSUFFICIENT_SIZE(7, Meaning.GROW),
  INSUFFICIENT_POWER(8, Meaning.DEVICE_FAULT),
  DRIVER_NOT_LOADED(9, Meaning.LIBRARY_FAULT),
  TIMEOUT(10, Meaning.TRANSIENT),
  IRQ_ISSUE(11, Meaning.DEVICE_FAULT),
  LIBRARY_NOT_FOUND(12, Meaning.LIBRARY_FAULT),
  FUNCTION_NOT_FOUND(13, Meaning.FALL_BACK),
  CORRUPTED_INFOROM(14, Meaning.DEVICE_FAULT),
  GPU_IS_LOST(15, Meaning.DEVICE_FAULT),
  RESET_REQUIRED(16, Meaning.DEVICE_FAULT),
  OPERATING_SYSTEM(17, Meaning.DEVICE_FAULT),
  LIB_RM_VERSION_MISMATCH(18, Meaning.LIBRARY_FAULT),
  IN_USE(19, Meaning.TRANSIENT),
  MEMORY(20, Meaning.TRANSIENT),
  NO_DATA(21, Meaning.ABSENT),
  VGPU_ECC_NOT_SUPPORTED(22, Meaning.ABSENT),
  INSUFFICIENT_RESOURCES(23, Meaning.TRANSIENT),
  FREQ_NOT_SUPPORTED(24, Meaning.ABSENT),
  ARGUMENT_VERSION_MISMATCH(25, Meaning.FALL_BACK),
  DEPRECATED(26, Meaning.FALL_BACK),
  NOT_READY(27, Meaning.TRANSIENT),
  GPU_NOT_FOUND(28, Meaning.ABSENT),
  INVALID_STATE(29, Meaning.ABSENT),
  RESET_TYPE_NOT_SUPPORTED(30, Meaning.ABSENT),
  /** Also stands for every code that is not in this table. */
  UNKNOWN(999, Meaning.UNEXPLAINED);

  /** What a code means for the caller. */
  public enum Meaning {
    /** The answer is there. */
    OK,
    /** The library has to be initialised again, as after a release of the GPUs. */
    REINITIALIZE,
    /** This device or driver has no such thing; normal, and no fault of anything. */
    ABSENT,
    /** The agent may not see it; normal in a container and for an unprivileged user. */
    RESTRICTED,
    /** The buffer was too small. */
    GROW,
    /** The device cannot be used; the others can. */
    DEVICE_FAULT,
    /** The whole library cannot be used. */
    LIBRARY_FAULT,
    /** The driver is older than the call: an older call may work. */
    FALL_BACK,
    /** May go away by itself. */
    TRANSIENT,
    /** Nobody can say; a fault if it stays. */
    UNEXPLAINED
  }

  private final int code;
  private final Meaning meaning;

  NvmlReturn(int code, Meaning meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /** The constant of a code; {@link #UNKNOWN} for a code that is not in the table. */
  public static NvmlReturn of(int code) {
    for (NvmlReturn value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    return UNKNOWN;
  }

  /** The number, as NVML returns it. */
  public int code() {
    return code;
  }

  /** What it means for the caller. */
  public Meaning meaning() {
    return meaning;
  }

  /** Name and number, for messages. */
  public String text() {
    return "NVML " + name() + " (" + code + ")";
  }
}
