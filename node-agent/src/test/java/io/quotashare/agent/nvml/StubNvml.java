package io.quotashare.agent.nvml;

import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.jna.Library;
import com.sun.jna.Native;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The stand-in library of src/main/c, as the build made it or compiled for an older driver, in a
 * file of its own, so that each test has a library that no other has touched. Only one test of a
 * process may use it at a time.
 */
public final class StubNvml implements NvmlScript {
  private static final String CONFIG = "QS_NVML_STUB_CONFIG";
  private static final Path BUILT = Path.of("target/native/stub/libnvidia-ml.so.1");
  private static final List<String> SOURCES =
      List.of("nvml-stub.c", "nvml-stub-config.c", "nvml-stub-proc.c");

  private final Path library;
  private final Path config;

  private StubNvml(Path library, Path config) {
    this.library = library;
    this.config = config;
  }

  /**
   * setenv of this process: the stub asks its environment for its configuration, which Java cannot
   * change.
   */
  private interface LibC extends Library {
    int setenv(String name, String value, int overwrite);
  }

  /** A copy of the built stub in this folder, with this configuration. */
  public static StubNvml in(Path folder, String... lines) throws IOException {
    if (!Files.exists(BUILT)) {
      skip("the stand-in for NVML was not built");
    }
    Path library = folder.resolve("libnvidia-ml.so.1");
    Files.copy(BUILT, library);
    return configured(folder, library, lines);
  }

  /** The stub compiled with the functions of this driver generation. */
  public static StubNvml generation(int generation, Path folder, String... lines)
      throws IOException {
    Path library = folder.resolve("libnvidia-ml.so.1");
    List<String> options =
        new ArrayList<>(List.of("-shared", "-fPIC", "-DQS_STUB_GENERATION=" + generation));
    SOURCES.forEach(source -> options.add(source(source)));
    compile(library, options);
    return configured(folder, library, lines);
  }

  private static StubNvml configured(Path folder, Path library, String... lines)
      throws IOException {
    StubNvml stub = new StubNvml(library, folder.resolve("stub.conf"));
    stub.config(lines);
    Native.load("c", LibC.class).setenv(CONFIG, stub.config.toString(), 1);
    return stub;
  }

  /** Path of a file of src/main/c. */
  static String source(String name) {
    return Path.of("src/main/c", name).toAbsolutePath().toString();
  }

  /** Compiles a C program or library, or skips the test loudly where there is no C compiler. */
  static void compile(Path target, List<String> options) throws IOException {
    List<String> command = new ArrayList<>(List.of("cc", "-D_GNU_SOURCE", "-o", target.toString()));
    command.addAll(options);
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      skip("there is no C compiler: " + e.getMessage());
      return;
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new AssertionError(String.join(" ", command) + "\n" + output);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void skip(String why) {
    System.err.println("***** SKIPPED: " + why + " *****");
    abort(why);
  }

  @Override
  public void config(String... lines) {
    try {
      Path next = config.resolveSibling("stub.conf.new");
      Files.write(next, List.of(lines));
      Files.move(next, config, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The library file. */
  public Path library() {
    return library;
  }

  @Override
  public NvmlLoader loader() {
    return new JnaNvmlLoader(Optional.of(library));
  }

  /** The library loaded and initialised. */
  NvmlApi open() throws NvmlUnavailableException {
    NvmlApi api = loader().open().api();
    NvmlReturn code = api.init();
    if (code != NvmlReturn.SUCCESS) {
      throw new AssertionError("init: " + code.text());
    }
    return api;
  }
}
