package io.quotashare.agent.nvml;

import static java.util.Objects.requireNonNull;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.quotashare.agent.nvml.NvmlUnavailableException.Missing;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds {@code libnvidia-ml.so.1}: the file that the configuration names, and nothing else, if it
 * names one; otherwise where the system looks for libraries, and then where WSL keeps it.
 */
public final class JnaNvmlLoader implements NvmlLoader {
  private static final List<String> PLACES =
      List.of("libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1");

  private final Optional<Path> explicit;

  /**
   * A loader.
   *
   * @param explicit the library to load instead of looking for it
   */
  public JnaNvmlLoader(Optional<Path> explicit) {
    this.explicit = requireNonNull(explicit, "explicit is null");
  }

  @Override
  public Session open() throws NvmlUnavailableException {
    requireJna();
    if (explicit.isPresent() && !Files.isRegularFile(explicit.get())) {
      throw new NvmlUnavailableException(
          Missing.LIBRARY,
          "the configured NVML library "
              + explicit.get()
              + " does not exist; correct its path, or leave it out to look for libnvidia-ml.so.1");
    }
    List<String> places =
        explicit.map(file -> List.of(file.toAbsolutePath().toString())).orElse(PLACES);
    List<String> failures = new ArrayList<>();
    for (String place : places) {
      try {
        return open(place);
      } catch (UnsatisfiedLinkError e) {
        failures.add(place + ": " + firstLine(e));
      }
    }
    throw new NvmlUnavailableException(
        Missing.LIBRARY,
        "no NVML library could be loaded ("
            + String.join("; ", failures)
            + "); install the NVIDIA driver, which brings libnvidia-ml.so.1, or name the file in the"
            + " configuration");
  }

  private static Session open(String place) {
    NvmlLibrary functions = Native.load(place, NvmlLibrary.class);
    // JNA keeps one handle for each set of options: this is the handle that the functions hang on,
    // so closing it unloads.
    NativeLibrary library =
        ((Library.Handler) Proxy.getInvocationHandler(functions)).getNativeLibrary();
    NvmlSymbols symbols = NvmlSymbols.of(library);
    if (!symbols.has("nvmlInit_v2")) {
      library.close();
      throw new UnsatisfiedLinkError("it is no NVML library: it lacks nvmlInit_v2");
    }
    return new JnaSession(new JnaNvml(functions, symbols), library);
  }

  private record JnaSession(NvmlApi api, NativeLibrary library) implements Session {
    @Override
    public void close() {
      library.close();
    }
  }

  /**
   * JNA unpacks a native part of its own when its class is initialised; a second try after a
   * failure only says NoClassDef.
   */
  private static void requireJna() throws NvmlUnavailableException {
    try {
      Native.getNativeSize(long.class);
    } catch (LinkageError e) {
      throw new NvmlUnavailableException(
          Missing.JNA,
          "JNA cannot load its native part ("
              + firstLine(e)
              + "); the folder named by -Djna.tmpdir (else java.io.tmpdir) must be writable and not"
              + " mounted noexec, and the system must use glibc");
    }
  }

  private static String firstLine(Throwable e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return message.lines().findFirst().orElse(message);
  }
}
