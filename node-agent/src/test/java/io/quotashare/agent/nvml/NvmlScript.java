package io.quotashare.agent.nvml;

/**
 * A library that does what a script says, in the language of src/main/c/nvml-stub.h. One is the C
 * library behind JNA, the other is in memory; the same scripts drive both.
 */
public interface NvmlScript {
  /**
   * Replaces the script; it holds from the next call on, and releases the calls that hang by the
   * old one.
   */
  void config(String... lines);

  /** A loader of the library. */
  NvmlLoader loader();
}
