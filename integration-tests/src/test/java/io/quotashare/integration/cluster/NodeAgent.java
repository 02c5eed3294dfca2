package io.quotashare.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The agent of one node, on the stand-in for NVML or on nothing. */
public final class NodeAgent {
  private static final String STUB_CONFIG = "QS_NVML_STUB_CONFIG";

  private final String node;
  private final int devices;
  private final Path library;
  private final Path stubConfig;
  private final Daemon daemon;

  /**
   * An agent that does not run yet.
   *
   * @param devices devices of the node; 0: there is no device library at first
   * @param cluster folder of the cluster
   */
  NodeAgent(String node, int devices, Path cluster, String scheduler, Map<String, String> flags) {
    this.node = node;
    this.devices = devices;
    Path folder = folder(cluster.resolve(node));
    this.library = folder.resolve("libnvidia-ml.so.1");
    this.stubConfig = folder.resolve("devices.conf");
    if (devices > 0) {
      plugIn(devices);
    }
    List<String> command =
        new ArrayList<>(
            Installation.launcher(
                "agent",
                "--dev",
                "--node=" + node,
                "--scheduler=" + scheduler,
                "--state=" + folder.resolve("state"),
                "--checkpoint-root=" + cluster.resolve("checkpoints"),
                "--lock-dir=" + cluster.resolve("locks"),
                "--nvml-library=" + library));
    flags.forEach((flag, value) -> command.add("--" + flag + "=" + value));
    Map<String, String> environment = Installation.environment();
    environment.put(STUB_CONFIG, stubConfig.toString());
    daemon =
        new Daemon("agent " + node, command, environment, cluster.resolve("logs/" + node + ".log"));
  }

  /** Starts it and does not wait. */
  public void start() {
    daemon.start();
  }

  /** Puts a device library with this many GPUs in the place where the agent looks for one. */
  public void plugIn(int count) {
    try {
      Path config = stubConfig.resolveSibling("devices.conf.new");
      Files.writeString(
          config, "model h100%nseed %s%ndevices %d%nscan_processes on%n".formatted(library, count));
      Files.move(config, stubConfig, StandardCopyOption.ATOMIC_MOVE);
      if (!Files.exists(library)) {
        Path copy = library.resolveSibling("library.new");
        Files.copy(Installation.nvmlStub(), copy);
        Files.move(copy, library, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its process. */
  public Daemon daemon() {
    return daemon;
  }

  /** Name of its node. */
  public String node() {
    return node;
  }

  /** Devices that the node had from the beginning. */
  int devices() {
    return devices;
  }

  private static Path folder(Path path) {
    try {
      return Files.createDirectories(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
