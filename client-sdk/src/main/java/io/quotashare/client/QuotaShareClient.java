package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.internal.Connection;
import io.quotashare.client.internal.HostPort;
import io.quotashare.client.internal.Rpc;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The client of a scheduler. One client serves a whole program; it is safe for use by several
 * threads, opens its connections with the first call and is closed at the end.
 *
 * <pre>{@code
 * try (QuotaShareClient client = QuotaShareClient.connect("scheduler:7070")) {
 *   JobHandle job = client.jobs().submit(JobSpec.builder("research", "background")
 *       .gpus(4).priority(10).command("python", "train.py")
 *       .checkpointEvery(Duration.ofMinutes(10)).build());
 *   job.updatePriority(50);
 *   System.out.println(job.explain().summary());
 *   JobResult result = job.await();
 * }
 * }</pre>
 */
public final class QuotaShareClient implements AutoCloseable {
  private final Connection connection;
  private final JobsClient jobs;
  private final SharesClient shares;
  private final QueuesClient queues;
  private final NodesClient nodes;

  QuotaShareClient(Connection connection) {
    this.connection = connection;
    this.jobs = new JobsClient(connection);
    this.shares = new SharesClient(connection);
    this.queues = new QueuesClient(connection);
    this.nodes = new NodesClient(connection);
  }

  /**
   * A client for the schedulers at these addresses, without encryption.
   *
   * @param addresses {@code host:port} or {@code [ipv6]:port}; several, also as one text with
   *     commas, where one leads and the others stand by: the client finds the one that serves
   * @throws IllegalArgumentException if an address is not of that form
   */
  public static QuotaShareClient connect(String... addresses) {
    return builder(addresses).build();
  }

  /** Starts the description of a client, see {@link #connect}. */
  public static Builder builder(String... addresses) {
    return new Builder(Arrays.asList(addresses));
  }

  /** Jobs. */
  public JobsClient jobs() {
    return jobs;
  }

  /** Quota shares, loans and policies. */
  public SharesClient shares() {
    return shares;
  }

  /** Queues, the ledger, preemptions. */
  public QueuesClient queues() {
    return queues;
  }

  /** Nodes. */
  public NodesClient nodes() {
    return nodes;
  }

  /**
   * What an operator does.
   *
   * @throws IllegalStateException if the client was built without an admin address
   */
  public AdminClient admin() {
    Rpc admin = connection.admin();
    if (admin == null) {
      throw new IllegalStateException(
          "the client has no admin address: build it with QuotaShareClient.builder(...)"
              + ".adminAddress(\"host:7072\")");
    }
    return new AdminClient(admin);
  }

  /** Ends what is under way: blocked calls, watches and output end with an exception. */
  @Override
  public void close() {
    connection.close();
  }

  /** Describes a client. */
  public static final class Builder {
    private final List<HostPort> addresses;
    private List<HostPort> admin = List.of();
    private String userAgent = "quotashare-java";
    private Consumer<String> connectionListener = message -> {};

    private Builder(List<String> addresses) {
      this.addresses = HostPort.parseAll(addresses);
    }

    /**
     * Addresses of the admin listeners, in the form of {@link #connect}. Needed for {@link
     * QuotaShareClient#admin}.
     */
    public Builder adminAddress(String... hostPorts) {
      admin = HostPort.parseAll(Arrays.asList(hostPorts));
      return this;
    }

    /** Name of the program, for the logs of the scheduler. */
    public Builder userAgent(String name) {
      userAgent = requireNonNull(name, "name");
      return this;
    }

    /**
     * Hears when a watch or an output lost its connection, and when it goes on: a sentence for
     * people. Called on a thread of the client; must not block.
     */
    public Builder connectionListener(Consumer<String> listener) {
      connectionListener = requireNonNull(listener, "listener");
      return this;
    }

    /** The client. */
    public QuotaShareClient build() {
      return new QuotaShareClient(
          Connection.plaintext(addresses, admin, userAgent, connectionListener));
    }
  }
}
