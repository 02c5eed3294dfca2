package io.quotashare.integration.cluster;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;

/** What the build has made, and what the machine must have for tests on real processes. */
final class Installation {
  /** Failsafe runs in the folder of the module. */
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  /** Small and quick to start: these processes share few cores. */
  private static final String JAVA_OPTIONS =
      "-Xmx192m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Duser.timezone=UTC";

  private Installation() {}

  /** The command that starts a program from the source tree. */
  static List<String> launcher(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(ROOT.resolve("quotashare").toString());
    command.addAll(List.of(arguments));
    return command;
  }

  /** The environment for the launcher: this very Java, and no build inside a test. */
  static Map<String, String> environment() {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("QUOTASHARE_NO_BUILD", "1");
    environment.put("QUOTASHARE_JAVA_OPTS", JAVA_OPTIONS);
    return environment;
  }

  /** The root of the source tree. */
  static Path root() {
    return ROOT;
  }

  /** The stand-in for the device library, as the build compiled it. */
  static Path nvmlStub() {
    return ROOT.resolve("node-agent/target/native/stub/libnvidia-ml.so.1");
  }

  /** The training script of the tests. */
  static Path trainingScript() {
    URL url =
        Objects.requireNonNull(
            Installation.class.getResource("/jobs/train.py"), "jobs/train.py is missing");
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Skips the test, loudly, where the machine cannot run it. */
  static void require() {
    if (!runs("python3", "--version")) {
      skip("there is no python3: the training script of the tests cannot run");
    }
    if (!Files.exists(nvmlStub())
        || !Files.exists(nvmlStub().resolveSibling("../qs-shim").normalize())) {
      skip(
          "there is no C compiler: the supervisor of attempts and the stand-in for NVML were not"
              + " built");
    }
  }

  private static boolean runs(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void skip(String why) {
    System.err.println("***** SKIPPED: " + why + " *****");
    Assumptions.abort(why);
  }
}
