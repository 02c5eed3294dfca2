package io.quotashare.agent.inventory;

import static java.util.Map.entry;
import static java.util.Objects.requireNonNull;

import io.quotashare.agent.nvml.NvmlReturn;
import io.quotashare.agent.nvml.NvmlUnavailableException;
import java.util.Map;

/**
 * Why the device library cannot be used.
 *
 * @param state state of the library, not {@link NvmlState#OK}
 * @param detail the same in words, with what an operator can do
 */
record Unusable(NvmlState state, String detail) {
  private static final String GOES_ON = "; attempts that run go on, none is started";

  private static final Map<NvmlReturn, NvmlState> STATES =
      Map.ofEntries(
          entry(NvmlReturn.DRIVER_NOT_LOADED, NvmlState.DRIVER_NOT_LOADED),
          entry(NvmlReturn.LIBRARY_NOT_FOUND, NvmlState.LIBRARY_NOT_FOUND),
          entry(NvmlReturn.LIB_RM_VERSION_MISMATCH, NvmlState.DRIVER_MISMATCH));

  private static final Map<NvmlReturn, String> ADVICE =
      Map.ofEntries(
          entry(
              NvmlReturn.DRIVER_NOT_LOADED,
              "the NVIDIA kernel driver is not loaded: load it (modprobe nvidia), or wait for its upgrade to end"),
          entry(
              NvmlReturn.LIBRARY_NOT_FOUND,
              "a part of the NVIDIA driver's libraries is missing: reinstall the driver"),
          entry(
              NvmlReturn.LIB_RM_VERSION_MISMATCH,
              "the NVIDIA library and the kernel driver are of different versions, as after an upgrade:"
                  + " reload the kernel driver, or reboot"),
          entry(
              NvmlReturn.NO_PERMISSION,
              "the agent may not talk to the NVIDIA driver: check the rights on /dev/nvidia*"),
          entry(
              NvmlReturn.OPERATING_SYSTEM,
              "the operating system keeps the agent from the NVIDIA driver: check its device cgroup and"
                  + " the rights on /dev/nvidia*"));

  Unusable {
    requireNonNull(detail, "detail is null");
    if (requireNonNull(state, "state is null") == NvmlState.OK) {
      throw new IllegalArgumentException("state: OK (expected: any other)");
    }
  }

  /** The library could not be loaded. */
  static Unusable of(NvmlUnavailableException e, HostEvidence host) {
    NvmlState state =
        switch (e.missing()) {
          case LIBRARY -> NvmlState.LIBRARY_NOT_FOUND;
          case JNA -> NvmlState.NVML_FAILED;
        };
    return new Unusable(state, e.getMessage() + "; " + host.text());
  }

  /**
   * The library says that it does not work.
   *
   * @param libraryVersion version of the library; empty if unknown
   */
  static Unusable of(NvmlReturn code, String libraryVersion, HostEvidence host) {
    NvmlState state = STATES.getOrDefault(code, NvmlState.NVML_FAILED);
    String advice =
        ADVICE.getOrDefault(code, "the NVIDIA library does not work: check the kernel log");
    String library = libraryVersion.isEmpty() ? "" : "; library " + libraryVersion;
    return new Unusable(
        state, advice + GOES_ON + " (" + code.text() + library + "; " + host.text() + ")");
  }

  /** The library works and lists no GPU. */
  static Unusable noDevices(HostEvidence host) {
    String advice =
        host.pciGpus() == 0
            ? "this host has no NVIDIA GPU"
            : "the driver has taken none of them: check the kernel log, and whether another driver"
                + " holds them; after a boot, nvidia-modprobe -u -c0 may be needed";
    return new Unusable(
        NvmlState.NO_DEVICES, "NVML lists no GPU: " + advice + " (" + host.text() + ")");
  }

  /** A call does not return. */
  static Unusable stuck(String what) {
    return new Unusable(
        NvmlState.NVML_STUCK,
        what
            + ": no further call is made until it does"
            + GOES_ON
            + "; look for hung tasks in the kernel log (nvidia-smi would hang too), and reboot if it stays");
  }
}
