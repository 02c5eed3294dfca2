package io.quotashare.cli.demo;

import io.quotashare.cli.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The source tree that the demo runs from: the launcher gives its root.
 *
 * @param root the root
 */
record DemoHome(Path root) {
  private static final String PROPERTY = "quotashare.home";
  private static final String VARIABLE = "QUOTASHARE_HOME";

  /**
   * The tree of the launcher, or of QUOTASHARE_HOME.
   *
   * @throws UsageException if there is none, or if something that the demo needs is missing
   */
  static DemoHome find(Map<String, String> variables) {
    String property = System.getProperty(PROPERTY, "");
    String root = property.isEmpty() ? variables.getOrDefault(VARIABLE, "") : property;
    if (root.isEmpty()) {
      throw new UsageException(
          "the demo needs the source tree: start it with its launcher, ./quotashare demo, or set "
              + VARIABLE);
    }
    DemoHome home = new DemoHome(Path.of(root).toAbsolutePath());
    home.require(home.launcher(), "the launcher");
    home.require(home.training(), "the training script");
    home.require(home.nvmlStub(), "the stand-in for NVML; it needs a C compiler (cc)");
    requirePython();
    return home;
  }

  Path launcher() {
    return root.resolve("quotashare");
  }

  Path nvmlStub() {
    return root.resolve("node-agent/target/native/stub/libnvidia-ml.so.1");
  }

  Path training() {
    return root.resolve("examples/three-teams/train.py");
  }

  Path policy(Variant variant) {
    return root.resolve("examples/three-teams").resolve(variant.policy());
  }

  private void require(Path file, String what) {
    if (!Files.exists(file)) {
      throw new UsageException("the demo needs " + file + ": " + what + " is missing");
    }
  }

  private static void requirePython() {
    try {
      Process python =
          new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 8))")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!python.waitFor(20, TimeUnit.SECONDS)) {
        python.destroyForcibly();
        throw new UsageException("the demo needs python3: it is there, but does not answer");
      }
      if (python.exitValue() != 0) {
        throw new UsageException("the demo needs python3 of version 3.8 or newer");
      }
    } catch (IOException e) {
      throw new UsageException("the demo needs python3 on the PATH: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DemoException("interrupted", e);
    }
  }
}
