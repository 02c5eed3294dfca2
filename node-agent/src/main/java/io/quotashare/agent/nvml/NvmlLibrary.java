package io.quotashare.agent.nvml;

import com.sun.jna.Library;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;

/**
 * The functions of {@code libnvidia-ml.so.1} that the agent binds, by their exported names: the
 * names without a suffix are old versions with an old ABI, not the newest ones.
 *
 * <p>JNA looks a function up at its first call, so a library that lacks one can be used for all the
 * others.
 */
@SuppressWarnings("MemberName")
interface NvmlLibrary extends Library {
  int nvmlInit_v2();

  int nvmlShutdown();

  int nvmlSystemGetDriverVersion(byte[] version, int length);

  int nvmlSystemGetNVMLVersion(byte[] version, int length);

  int nvmlDeviceGetCount_v2(IntByReference count);

  int nvmlDeviceGetHandleByIndex_v2(int index, PointerByReference device);

  int nvmlDeviceGetHandleByUUID(String uuid, PointerByReference device);

  int nvmlDeviceGetUUID(Pointer device, byte[] uuid, int length);

  int nvmlDeviceGetName(Pointer device, byte[] name, int length);

  int nvmlDeviceGetMinorNumber(Pointer device, IntByReference minor);

  int nvmlDeviceGetPciInfo_v3(Pointer device, NvmlStructs.Pci pci);

  int nvmlDeviceGetMemoryInfo(Pointer device, NvmlStructs.MemoryV1 memory);

  int nvmlDeviceGetMemoryInfo_v2(Pointer device, NvmlStructs.MemoryV2 memory);

  int nvmlDeviceGetComputeRunningProcesses(Pointer device, IntByReference count, Pointer infos);

  int nvmlDeviceGetComputeRunningProcesses_v2(Pointer device, IntByReference count, Pointer infos);

  int nvmlDeviceGetComputeRunningProcesses_v3(Pointer device, IntByReference count, Pointer infos);

  int nvmlDeviceGetGraphicsRunningProcesses(Pointer device, IntByReference count, Pointer infos);

  int nvmlDeviceGetGraphicsRunningProcesses_v2(Pointer device, IntByReference count, Pointer infos);

  int nvmlDeviceGetGraphicsRunningProcesses_v3(Pointer device, IntByReference count, Pointer infos);

  int nvmlDeviceGetMPSComputeRunningProcesses(Pointer device, IntByReference count, Pointer infos);

  int nvmlDeviceGetMPSComputeRunningProcesses_v2(
      Pointer device, IntByReference count, Pointer infos);

  int nvmlDeviceGetMPSComputeRunningProcesses_v3(
      Pointer device, IntByReference count, Pointer infos);

  int nvmlDeviceGetMigMode(Pointer device, IntByReference current, IntByReference pending);

  int nvmlDeviceGetMaxMigDeviceCount(Pointer device, IntByReference count);

  int nvmlDeviceGetMigDeviceHandleByIndex(Pointer device, int index, PointerByReference mig);

  int nvmlDeviceGetAttributes_v2(Pointer device, NvmlStructs.Attributes attributes);

  int nvmlDeviceGetRemappedRows(
      Pointer device,
      IntByReference corrected,
      IntByReference uncorrected,
      IntByReference pending,
      IntByReference failed);

  int nvmlDeviceGetFieldValues(Pointer device, int count, NvmlStructs.FieldValue values);
}
