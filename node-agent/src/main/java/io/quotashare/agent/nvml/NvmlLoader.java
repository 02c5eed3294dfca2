package io.quotashare.agent.nvml;

/** Opens the library. */
@FunctionalInterface
public interface NvmlLoader {

  /**
   * Opens it. Each call finds the library anew, so that one that was installed or replaced
   * meanwhile is found.
   *
   * @throws NvmlUnavailableException if there is none
   */
  Session open() throws NvmlUnavailableException;

  /** An open library. */
  interface Session {
    /**
     * Its functions. Not to be called after {@link #close}, nor during it: the process would crash.
     */
    NvmlApi api();

    /** Unloads it. */
    void close();
  }
}
