package io.quotashare.agent.nvml;

import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;

/**
 * The structs of NVML, one class for each version of each. JNA takes the order of the fields from
 * the annotation and does not check it against anything: a test compares every offset with a C
 * compiler's.
 */
final class NvmlStructs {
  private NvmlStructs() {}

  /**
   * The word that names the version of a struct: its size, and the version in the upper eight bits.
   */
  static int versionWord(int size, int version) {
    return size | version << 24;
  }

  /** {@code nvmlPciInfo_t}. */
  @FieldOrder({"busIdLegacy", "domain", "bus", "device", "pciDeviceId", "pciSubSystemId", "busId"})
  public static final class Pci extends Structure {
    public byte[] busIdLegacy = new byte[16];
    public int domain;
    public int bus;
    public int device;
    public int pciDeviceId;
    public int pciSubSystemId;
    public byte[] busId = new byte[32];
  }

  /** {@code nvmlMemory_t}; used includes what is reserved. */
  @FieldOrder({"total", "free", "used"})
  public static final class MemoryV1 extends Structure {
    public long total;
    public long free;
    public long used;
  }

  /** {@code nvmlMemory_v2_t}, from driver 510 on. */
  @FieldOrder({"version", "total", "reserved", "free", "used"})
  public static final class MemoryV2 extends Structure {
    public int version;
    public long total;
    public long reserved;
    public long free;
    public long used;

    MemoryV2() {
      version = versionWord(size(), 2);
    }
  }

  /** {@code nvmlDeviceAttributes_t}. */
  @FieldOrder({
    "multiprocessorCount",
    "sharedCopyEngineCount",
    "sharedDecoderCount",
    "sharedEncoderCount",
    "sharedJpegCount",
    "sharedOfaCount",
    "gpuInstanceSliceCount",
    "computeInstanceSliceCount",
    "memorySizeMB"
  })
  public static final class Attributes extends Structure {
    public int multiprocessorCount;
    public int sharedCopyEngineCount;
    public int sharedDecoderCount;
    public int sharedEncoderCount;
    public int sharedJpegCount;
    public int sharedOfaCount;
    public int gpuInstanceSliceCount;
    public int computeInstanceSliceCount;
    public long memorySizeMB;
  }

  /** {@code nvmlFieldValue_t}; value is a union, read by its type. */
  @FieldOrder({
    "fieldId",
    "scopeId",
    "timestamp",
    "latencyUsec",
    "valueType",
    "nvmlReturn",
    "value"
  })
  public static final class FieldValue extends Structure {
    /** {@code NVML_FI_DEV_GET_GPU_RECOVERY_ACTION}. */
    static final int RECOVERY_ACTION = 230;

    private static final int TYPE_UNSIGNED_INT = 1;

    public int fieldId;
    public int scopeId;
    public long timestamp;
    public long latencyUsec;
    public int valueType;
    public int nvmlReturn;
    public long value;

    /** The value as a number: an unsigned int fills only half of the union. */
    long number() {
      return valueType == TYPE_UNSIGNED_INT ? value & 0xFFFF_FFFFL : value;
    }
  }
}
