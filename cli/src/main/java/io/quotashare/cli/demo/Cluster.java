package io.quotashare.cli.demo;

import io.quotashare.cli.console.Outside;
import io.quotashare.client.DeviceState;
import io.quotashare.client.Job;
import io.quotashare.client.JobFilter;
import io.quotashare.client.Node;
import io.quotashare.client.NodeState;
import io.quotashare.client.QuotaShareClient;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.SchedulerUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One scheduler and three agents as processes on loopback, in a folder of their own. Closing
 * cancels the jobs first, so that their agents stop them, then ends the processes, then kills what
 * is left.
 */
final class Cluster implements AutoCloseable {
  /** File in the folder that names the scheduler, for {@code --stop}. */
  static final String ADDRESS_FILE = "scheduler.address";

  private static final long READY_MILLIS = 60_000;
  private static final long LOOK_MILLIS = 100;
  private static final long JOBS_END_MILLIS = 8_000;
  private static final long DAEMONS_END_MILLIS = 5_000;

  /** Small programs that start fast: four JVMs share the machine with the jobs. */
  private static final String JVM_OPTIONS =
      "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:CICompilerCount=1";

  private final DemoHome home;
  private final Path folder;
  private final Ports ports;
  private final Outside outside;
  private final Consumer<String> notes;
  private final List<Daemon> daemons = new ArrayList<>();
  private final QuotaShareClient client;
  private final AtomicBoolean closing = new AtomicBoolean();

  private Cluster(
      DemoHome home, Path folder, Ports ports, Outside outside, Consumer<String> notes) {
    this.home = home;
    this.folder = folder;
    this.ports = ports;
    this.outside = outside;
    this.notes = notes;
    this.client = QuotaShareClient.builder(scheduler()).adminAddress(admin()).build();
  }

  /** A cluster that is not started yet, in a fresh folder. */
  static Cluster inFreshFolder(DemoHome home, Outside outside, Consumer<String> notes) {
    try {
      Path folder = Files.createTempDirectory("quotashare-demo-").toRealPath();
      return new Cluster(home, folder, Ports.free(), outside, notes);
    } catch (IOException e) {
      throw new DemoException("no folder can be made for the demo: " + e.getMessage(), e);
    }
  }

  Path folder() {
    return folder;
  }

  String scheduler() {
    return Ports.loopback(ports.api());
  }

  String admin() {
    return Ports.loopback(ports.admin());
  }

  QuotaShareClient client() {
    return client;
  }

  /** Starts the processes and waits until every node offers its GPU. */
  void start() throws InterruptedException {
    synchronized (this) {
      if (closing.get()) {
        throw new DemoException("the demo is being stopped");
      }
      write(folder.resolve(ADDRESS_FILE), scheduler());
      daemons.add(startScheduler());
      for (int i = 1; i <= ThreeTeams.GPUS; i++) {
        daemons.add(startAgent("n" + i));
      }
    }
    long waited = 0;
    while (!isReady()) {
      daemons.forEach(Daemon::requireAlive);
      if (waited > READY_MILLIS) {
        throw new DemoException(
            "the nodes are not ready after a minute; the logs are in "
                + folder
                + ". "
                + "The scheduler's ends with:\n"
                + daemons.get(0).tail());
      }
      outside.pauses().pause(LOOK_MILLIS);
      waited += LOOK_MILLIS;
    }
  }

  private Daemon startScheduler() {
    return Daemon.start(
        "scheduler",
        folder,
        environment(),
        List.of(
            home.launcher().toString(),
            "server",
            "--dev",
            "--data",
            folder.resolve("scheduler").toString(),
            "--listen",
            scheduler(),
            "--agent-listen",
            Ports.loopback(ports.agents()),
            "--admin-listen",
            admin(),
            "--http-listen",
            Ports.loopback(ports.http())));
  }

  private Daemon startAgent(String node) {
    Path stub = folder.resolve(node + ".gpus");
    // Of this run alone: devices of the same name would see the processes of another demo.
    String seed = folder.getFileName() + "-" + node;
    write(stub, "model h100\nseed " + seed + "\nscan_processes on\ndevices 1\n");
    Map<String, String> environment = environment();
    environment.put("QS_NVML_STUB_CONFIG", stub.toString());
    return Daemon.start(
        node,
        folder,
        environment,
        List.of(
            home.launcher().toString(),
            "agent",
            "--dev",
            "--node",
            node,
            "--scheduler",
            Ports.loopback(ports.agents()),
            "--state",
            folder.resolve(node).toString(),
            "--checkpoint-root",
            folder.resolve("checkpoints").toString(),
            "--lock-dir",
            folder.resolve("locks").toString(),
            "--sweep-interval",
            "1s",
            "--nvml-library",
            home.nvmlStub().toString()));
  }

  /** What every process of the cluster is started with. */
  private static Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("QUOTASHARE_NO_BUILD", "1");
    environment.put("QUOTASHARE_JAVA_OPTS", JVM_OPTIONS);
    return environment;
  }

  private boolean isReady() {
    try {
      List<Node> nodes = client.nodes().list().stream().toList();
      return nodes.size() == ThreeTeams.GPUS && nodes.stream().allMatch(Cluster::isReady);
    } catch (SchedulerUnavailableException e) {
      // It has not come up yet.
      return false;
    }
  }

  private static boolean isReady(Node node) {
    return node.state() == NodeState.READY
        && node.devices().size() == 1
        && node.devices().get(0).state() == DeviceState.FREE;
  }

  /** True once {@link #close} has begun. */
  boolean isClosing() {
    return closing.get();
  }

  /**
   * Ends everything and deletes the folder. Only the first call does something; a later one returns
   * when that is done.
   */
  @Override
  public synchronized void close() {
    if (closing.getAndSet(true)) {
      return;
    }
    try {
      stop(client, folder, outside, daemons);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      client.close();
    }
    List<ProcessHandle> left = LeftOvers.processes(folder);
    notes.accept(left.isEmpty() ? "stopped; nothing is left running" : "still running: " + left);
  }

  /** Ends a cluster that an earlier demo left running in this folder. */
  static void stopKept(QuotaShareClient client, Path folder, Outside outside)
      throws InterruptedException {
    stop(client, folder, outside, List.of());
  }

  private static void stop(
      QuotaShareClient client, Path folder, Outside outside, List<Daemon> daemons)
      throws InterruptedException {
    cancelJobs(client, outside);
    List<ProcessHandle> processes = LeftOvers.processes(folder);
    processes.forEach(ProcessHandle::destroy);
    daemons.forEach(Daemon::terminate);
    for (Daemon daemon : daemons) {
      daemon.end(DAEMONS_END_MILLIS);
    }
    awaitEnd(folder, outside);
    LeftOvers.processes(folder).forEach(ProcessHandle::destroyForcibly);
    awaitEnd(folder, outside);
    try {
      LeftOvers.delete(folder);
    } catch (IOException e) {
      throw new DemoException(folder + " cannot be deleted: " + e.getMessage(), e);
    }
  }

  private static void awaitEnd(Path folder, Outside outside) throws InterruptedException {
    for (long waited = 0; waited < DAEMONS_END_MILLIS; waited += LOOK_MILLIS) {
      if (LeftOvers.processes(folder).isEmpty()) {
        return;
      }
      outside.pauses().pause(LOOK_MILLIS);
    }
  }

  /**
   * Cancels what runs and waits for its end. A scheduler that is gone cannot, and is no problem.
   */
  private static void cancelJobs(QuotaShareClient client, Outside outside)
      throws InterruptedException {
    try {
      for (long waited = 0; waited < JOBS_END_MILLIS; waited += LOOK_MILLIS) {
        List<Job> live =
            client.jobs().list(JobFilter.all()).stream()
                .filter(job -> !job.state().isTerminal())
                .toList();
        if (live.isEmpty()) {
          return;
        }
        if (waited == 0) {
          live.forEach(job -> client.jobs().cancel(job.name(), "the demo ends"));
        }
        outside.pauses().pause(LOOK_MILLIS);
      }
    } catch (QuotaShareException e) {
      // Killing the processes is what is left to do.
      return;
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new DemoException(file + " cannot be written: " + e.getMessage(), e);
    }
  }
}
