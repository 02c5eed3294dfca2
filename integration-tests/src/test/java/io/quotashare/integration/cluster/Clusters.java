package io.quotashare.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts clusters for a test and clears them away after it, whatever happened: no process and no
 * file stays. After a failure it prints what all of them wrote; the whole of it stays in {@code
 * target/cluster-logs}. Registered with {@code @RegisterExtension}.
 */
public final class Clusters implements BeforeEachCallback, AfterEachCallback {
  private static final Path LOGS = Path.of("target/cluster-logs").toAbsolutePath();

  /** Folders in use, for the case that the test run itself is ended. */
  private static final ConcurrentMap<Path, Boolean> IN_USE = new ConcurrentHashMap<>();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> IN_USE.keySet().forEach(Leftovers::kill), "clear-clusters-away"));
  }

  private final List<Cluster> started = new ArrayList<>();
  private final List<Path> folders = new ArrayList<>();

  @Override
  public void beforeEach(ExtensionContext context) {
    Installation.require();
  }

  /** A cluster whose scheduler is ready and all of whose nodes have their devices. */
  public Cluster start(ClusterSpec spec) {
    Cluster cluster = startOnly(spec);
    cluster.awaitNodes();
    return cluster;
  }

  /** A cluster whose scheduler is ready, and whose agents have been started. */
  public Cluster startOnly(ClusterSpec spec) {
    Cluster cluster = Cluster.prepare(folder(), spec);
    started.add(cluster);
    cluster.start();
    return cluster;
  }

  /** A folder that is cleared away with all processes that name it. */
  public Path folder() {
    try {
      Path folder = Files.createTempDirectory("quotashare-it-").toRealPath();
      IN_USE.put(folder, true);
      folders.add(folder);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isPresent() || Boolean.getBoolean("quotashare.report")) {
      started.forEach(cluster -> System.err.println(cluster.report()));
      folders.forEach(folder -> keepLogs(folder, context));
    }
    started.forEach(Cluster::close);
    folders.forEach(
        folder -> {
          Leftovers.kill(folder);
          Folders.delete(folder);
          IN_USE.remove(folder);
        });
    started.clear();
    folders.clear();
  }

  private static void keepLogs(Path folder, ExtensionContext context) {
    Path logs = folder.resolve("logs");
    if (Files.isDirectory(logs)) {
      String test =
          context.getRequiredTestClass().getSimpleName()
              + "-"
              + context.getRequiredTestMethod().getName()
              + "-"
              + folder.getFileName();
      Folders.copy(logs, LOGS.resolve(test));
    }
  }
}
