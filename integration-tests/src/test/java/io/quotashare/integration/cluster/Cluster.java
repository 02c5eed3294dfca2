package io.quotashare.integration.cluster;

import io.quotashare.client.Node;
import io.quotashare.client.NodeState;
import io.quotashare.client.QuotaShareClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/**
 * A scheduler and node agents as processes, in a folder of their own, with a client and a watch
 * that records everything from before the first job. Made by {@link Clusters}.
 */
public final class Cluster {
  private static final Duration NODES_AT_MOST = Duration.ofSeconds(60);

  private final Path folder;
  private final Scheduler scheduler;
  private final Map<String, NodeAgent> agents = new LinkedHashMap<>();
  private final QuotaShareClient client;
  private final EventRecorder events;
  private final Training training;

  private Cluster(Path folder, ClusterSpec spec) {
    this.folder = folder;
    this.scheduler =
        new Scheduler(folder, folder.resolve("logs/scheduler.log"), spec.serverSettings());
    spec.nodes()
        .forEach(
            (node, devices) ->
                agents.put(
                    node,
                    new NodeAgent(
                        node, devices, folder, scheduler.agentAddress(), spec.agentFlags())));
    this.client =
        QuotaShareClient.builder(scheduler.address())
            .adminAddress(scheduler.adminAddress())
            .build();
    this.events = new EventRecorder(client);
    this.training = new Training(folder.resolve("training"));
  }

  /** A cluster of which nothing runs yet. */
  static Cluster prepare(Path folder, ClusterSpec spec) {
    make(folder.resolve("logs"));
    return new Cluster(folder, spec);
  }

  /** Starts the agents and the scheduler, and waits for the scheduler. */
  void start() {
    // All at once: an agent looks at its devices first, and by then the scheduler is there.
    agents.values().forEach(NodeAgent::start);
    scheduler.start();
    events.start();
  }

  /** Waits until each node takes work with all the devices that its agent began with. */
  public void awaitNodes() {
    Awaitility.await("all nodes to be ready")
        .atMost(NODES_AT_MOST)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> agents.values().stream().allMatch(this::isReady));
  }

  private boolean isReady(NodeAgent agent) {
    agent.daemon().checkAlive();
    for (Node node : client.nodes().list()) {
      if (node.id().equals(agent.node())) {
        return node.state() == NodeState.READY && node.devices().size() >= agent.devices();
      }
    }
    return false;
  }

  /** The scheduler. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** The agent of a node. */
  public NodeAgent agent(String node) {
    NodeAgent agent = agents.get(node);
    if (agent == null) {
      throw new IllegalArgumentException(node + ": no such node, there are " + agents.keySet());
    }
    return agent;
  }

  /** A client of the scheduler, which outlives restarts of it. */
  public QuotaShareClient client() {
    return client;
  }

  /** What the client's watch saw so far. */
  public EventRecorder events() {
    return events;
  }

  /** The jobs that the tests run: how to submit, steer and read them. */
  public Training training() {
    return training;
  }

  /** A folder for files of the test. */
  public Path folder() {
    return folder;
  }

  /** Runs a command with the scheduler's address in its environment. */
  public CommandResult run(String... arguments) {
    return CommandLine.run(make(folder.resolve("commands")), scheduler.address(), arguments);
  }

  /** Ends everything at once and leaves no process behind. */
  void close() {
    events.close();
    client.close();
    Leftovers.kill(folder);
  }

  /** What the daemons wrote and what the jobs did, for a test that failed. */
  String report() {
    List<Daemon> daemons = new ArrayList<>(List.of(scheduler.daemon()));
    agents.values().forEach(agent -> daemons.add(agent.daemon()));
    StringBuilder text = new StringBuilder();
    daemons.forEach(daemon -> section(text, daemon.name(), tail(daemon.output())));
    section(text, "events", String.join("\n", events.lines()));
    section(text, "jobs", training.report());
    return text.toString();
  }

  private static void section(StringBuilder text, String title, String content) {
    text.append("----- ").append(title).append('\n').append(content).append('\n');
  }

  private static String tail(String output) {
    String[] lines = output.split("\n");
    int from = Math.max(0, lines.length - 150);
    return String.join("\n", Arrays.copyOfRange(lines, from, lines.length));
  }

  private static Path make(Path path) {
    try {
      return Files.createDirectories(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
