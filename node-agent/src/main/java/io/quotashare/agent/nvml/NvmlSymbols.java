package io.quotashare.agent.nvml;

import com.sun.jna.NativeLibrary;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.TreeSet;

/**
 * The functions that a loaded library has, asked once when it is loaded: which of several versions
 * to call is decided before the call, not by a failure.
 *
 * @param names names of the functions of {@link NvmlLibrary} that it exports
 */
record NvmlSymbols(Set<String> names) {

  /** Copies the set. */
  NvmlSymbols {
    names = Set.copyOf(names);
  }

  /** Asks a library for every function that the agent binds. */
  static NvmlSymbols of(NativeLibrary library) {
    Set<String> names = new TreeSet<>();
    for (Method function : NvmlLibrary.class.getDeclaredMethods()) {
      if (exports(library, function.getName())) {
        names.add(function.getName());
      }
    }
    return new NvmlSymbols(names);
  }

  /** Whether the library has this function. */
  boolean has(String name) {
    return names.contains(name);
  }

  private static boolean exports(NativeLibrary library, String name) {
    try {
      return library.getFunction(name) != null;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }
}
