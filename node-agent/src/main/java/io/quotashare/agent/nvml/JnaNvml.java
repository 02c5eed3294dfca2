package io.quotashare.agent.nvml;

import static java.util.Objects.requireNonNull;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;
import io.quotashare.agent.nvml.NvmlReturn.Meaning;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * NVML through JNA.
 *
 * <p>Where a function has several versions, the newest that the library exports is called first; if
 * it says that it does not know the call or its struct, the next older one is called. A function
 * may even vanish from a running process when the library is replaced under it: that is {@link
 * NvmlReturn#FUNCTION_NOT_FOUND} too.
 */
final class JnaNvml implements NvmlApi {
  private static final int VERSION_LENGTH = 80;
  private static final int NAME_LENGTH = 96;
  private static final int UUID_LENGTH = 96;

  private static final List<ProcessFunction> COMPUTE =
      List.of(
          new ProcessFunction(
              "nvmlDeviceGetComputeRunningProcesses_v3",
              NvmlLibrary::nvmlDeviceGetComputeRunningProcesses_v3),
          new ProcessFunction(
              "nvmlDeviceGetComputeRunningProcesses_v2",
              NvmlLibrary::nvmlDeviceGetComputeRunningProcesses_v2),
          new ProcessFunction(
              "nvmlDeviceGetComputeRunningProcesses",
              NvmlLibrary::nvmlDeviceGetComputeRunningProcesses));
  private static final List<ProcessFunction> GRAPHICS =
      List.of(
          new ProcessFunction(
              "nvmlDeviceGetGraphicsRunningProcesses_v3",
              NvmlLibrary::nvmlDeviceGetGraphicsRunningProcesses_v3),
          new ProcessFunction(
              "nvmlDeviceGetGraphicsRunningProcesses_v2",
              NvmlLibrary::nvmlDeviceGetGraphicsRunningProcesses_v2),
          new ProcessFunction(
              "nvmlDeviceGetGraphicsRunningProcesses",
              NvmlLibrary::nvmlDeviceGetGraphicsRunningProcesses));
  private static final List<ProcessFunction> MPS =
      List.of(
          new ProcessFunction(
              "nvmlDeviceGetMPSComputeRunningProcesses_v3",
              NvmlLibrary::nvmlDeviceGetMPSComputeRunningProcesses_v3),
          new ProcessFunction(
              "nvmlDeviceGetMPSComputeRunningProcesses_v2",
              NvmlLibrary::nvmlDeviceGetMPSComputeRunningProcesses_v2),
          new ProcessFunction(
              "nvmlDeviceGetMPSComputeRunningProcesses",
              NvmlLibrary::nvmlDeviceGetMPSComputeRunningProcesses));

  private final NvmlLibrary library;
  private final NvmlSymbols symbols;

  JnaNvml(NvmlLibrary library, NvmlSymbols symbols) {
    this.library = requireNonNull(library, "library is null");
    this.symbols = requireNonNull(symbols, "symbols is null");
  }

  /** One version of a function that lists processes. */
  private record ProcessFunction(String symbol, Binding binding) {
    @FunctionalInterface
    interface Binding {
      int list(NvmlLibrary library, Pointer device, IntByReference count, Pointer records);
    }
  }

  @Override
  public NvmlReturn init() {
    return code(library::nvmlInit_v2);
  }

  @Override
  public NvmlReturn shutdown() {
    return code(library::nvmlShutdown);
  }

  @Override
  public NvmlResult<String> driverVersion() {
    byte[] text = new byte[VERSION_LENGTH];
    NvmlReturn code = code(() -> library.nvmlSystemGetDriverVersion(text, text.length));
    return result(code, () -> string(text));
  }

  @Override
  public NvmlResult<String> libraryVersion() {
    byte[] text = new byte[VERSION_LENGTH];
    NvmlReturn code = code(() -> library.nvmlSystemGetNVMLVersion(text, text.length));
    return result(code, () -> string(text));
  }

  @Override
  public NvmlResult<Integer> deviceCount() {
    IntByReference count = new IntByReference();
    return result(code(() -> library.nvmlDeviceGetCount_v2(count)), count::getValue);
  }

  @Override
  public NvmlResult<NvmlDevice> deviceByIndex(int index) {
    PointerByReference device = new PointerByReference();
    return handle(code(() -> library.nvmlDeviceGetHandleByIndex_v2(index, device)), device);
  }

  @Override
  public NvmlResult<NvmlDevice> deviceByUuid(String uuid) {
    PointerByReference device = new PointerByReference();
    return handle(code(() -> library.nvmlDeviceGetHandleByUUID(uuid, device)), device);
  }

  @Override
  public NvmlResult<String> uuid(NvmlDevice device) {
    byte[] text = new byte[UUID_LENGTH];
    NvmlReturn code = code(() -> library.nvmlDeviceGetUUID(pointer(device), text, text.length));
    return result(code, () -> string(text));
  }

  @Override
  public NvmlResult<String> name(NvmlDevice device) {
    byte[] text = new byte[NAME_LENGTH];
    NvmlReturn code = code(() -> library.nvmlDeviceGetName(pointer(device), text, text.length));
    return result(code, () -> string(text));
  }

  @Override
  public NvmlResult<Integer> minorNumber(NvmlDevice device) {
    IntByReference minor = new IntByReference();
    NvmlReturn code = code(() -> library.nvmlDeviceGetMinorNumber(pointer(device), minor));
    return result(code, minor::getValue);
  }

  @Override
  public NvmlResult<PciInfo> pciInfo(NvmlDevice device) {
    NvmlStructs.Pci pci = new NvmlStructs.Pci();
    NvmlReturn code = code(() -> library.nvmlDeviceGetPciInfo_v3(pointer(device), pci));
    return result(code, () -> PciInfo.of(string(pci.busId), pci.pciDeviceId));
  }

  @Override
  public NvmlResult<MemoryInfo> memory(NvmlDevice device) {
    if (symbols.has("nvmlDeviceGetMemoryInfo_v2")) {
      NvmlStructs.MemoryV2 v2 = new NvmlStructs.MemoryV2();
      NvmlReturn code = code(() -> library.nvmlDeviceGetMemoryInfo_v2(pointer(device), v2));
      // WSL answers UNKNOWN to version 2, and knows version 1.
      if (code != NvmlReturn.UNKNOWN && code.meaning() != Meaning.FALL_BACK) {
        return result(code, () -> new MemoryInfo(v2.total, v2.used, false));
      }
    }
    NvmlStructs.MemoryV1 v1 = new NvmlStructs.MemoryV1();
    NvmlReturn code = code(() -> library.nvmlDeviceGetMemoryInfo(pointer(device), v1));
    return result(code, () -> new MemoryInfo(v1.total, v1.used, true));
  }

  @Override
  public NvmlResult<List<Integer>> computeProcesses(NvmlDevice device) {
    return processes(COMPUTE, device);
  }

  @Override
  public NvmlResult<List<Integer>> graphicsProcesses(NvmlDevice device) {
    return processes(GRAPHICS, device);
  }

  @Override
  public NvmlResult<List<Integer>> mpsProcesses(NvmlDevice device) {
    return processes(MPS, device);
  }

  private NvmlResult<List<Integer>> processes(List<ProcessFunction> versions, NvmlDevice device) {
    NvmlResult<List<Integer>> result = NvmlResult.error(NvmlReturn.FUNCTION_NOT_FOUND);
    for (ProcessFunction version : versions) {
      if (symbols.has(version.symbol())) {
        result =
            ProcessList.read(
                (count, records) ->
                    code(() -> version.binding().list(library, pointer(device), count, records))
                        .code());
        if (result.code().meaning() != Meaning.FALL_BACK) {
          return result;
        }
      }
    }
    return result;
  }

  @Override
  public NvmlResult<MigMode> migMode(NvmlDevice device) {
    IntByReference current = new IntByReference();
    IntByReference pending = new IntByReference();
    NvmlReturn code = code(() -> library.nvmlDeviceGetMigMode(pointer(device), current, pending));
    return result(code, () -> new MigMode(current.getValue() != 0, pending.getValue() != 0));
  }

  @Override
  public NvmlResult<Integer> maxMigDevices(NvmlDevice device) {
    IntByReference count = new IntByReference();
    NvmlReturn code = code(() -> library.nvmlDeviceGetMaxMigDeviceCount(pointer(device), count));
    return result(code, count::getValue);
  }

  @Override
  public NvmlResult<NvmlDevice> migDeviceByIndex(NvmlDevice device, int index) {
    PointerByReference mig = new PointerByReference();
    return handle(
        code(() -> library.nvmlDeviceGetMigDeviceHandleByIndex(pointer(device), index, mig)), mig);
  }

  @Override
  public NvmlResult<MigAttributes> migAttributes(NvmlDevice device) {
    NvmlStructs.Attributes a = new NvmlStructs.Attributes();
    NvmlReturn code = code(() -> library.nvmlDeviceGetAttributes_v2(pointer(device), a));
    return result(
        code,
        () ->
            new MigAttributes(
                a.gpuInstanceSliceCount, a.computeInstanceSliceCount, a.memorySizeMB));
  }

  @Override
  public NvmlResult<RecoveryAction> recoveryAction(NvmlDevice device) {
    NvmlStructs.FieldValue field = new NvmlStructs.FieldValue();
    field.fieldId = NvmlStructs.FieldValue.RECOVERY_ACTION;
    NvmlReturn code = code(() -> library.nvmlDeviceGetFieldValues(pointer(device), 1, field));
    // The call succeeds whenever it could try; whether the field is known stands in the field.
    NvmlReturn ofField = code == NvmlReturn.SUCCESS ? NvmlReturn.of(field.nvmlReturn) : code;
    return result(ofField, () -> RecoveryAction.of(field.number()));
  }

  @Override
  public NvmlResult<RemappedRows> remappedRows(NvmlDevice device) {
    IntByReference corrected = new IntByReference();
    IntByReference uncorrected = new IntByReference();
    IntByReference pending = new IntByReference();
    IntByReference failed = new IntByReference();
    NvmlReturn code =
        code(
            () ->
                library.nvmlDeviceGetRemappedRows(
                    pointer(device), corrected, uncorrected, pending, failed));
    return result(code, () -> new RemappedRows(pending.getValue() != 0, failed.getValue() != 0));
  }

  private static NvmlReturn code(IntSupplier call) {
    try {
      return NvmlReturn.of(call.getAsInt());
    } catch (UnsatisfiedLinkError e) {
      return NvmlReturn.FUNCTION_NOT_FOUND;
    }
  }

  private static <T> NvmlResult<T> result(NvmlReturn code, Supplier<T> value) {
    return code == NvmlReturn.SUCCESS ? NvmlResult.of(value.get()) : NvmlResult.error(code);
  }

  private static NvmlResult<NvmlDevice> handle(NvmlReturn code, PointerByReference device) {
    Pointer pointer = device.getValue();
    if (code == NvmlReturn.SUCCESS && pointer == null) {
      return NvmlResult.error(NvmlReturn.UNKNOWN);
    }
    return result(code, () -> new NvmlDevice(Pointer.nativeValue(pointer)));
  }

  private static Pointer pointer(NvmlDevice device) {
    return new Pointer(device.address());
  }

  private static String string(byte[] text) {
    int length = 0;
    while (length < text.length && text[length] != 0) {
      length++;
    }
    return new String(text, 0, length, StandardCharsets.UTF_8);
  }
}
