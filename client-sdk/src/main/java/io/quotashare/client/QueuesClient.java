package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.internal.Blocking;
import io.quotashare.client.internal.Connection;
import io.quotashare.client.internal.QueueCalls;
import java.util.concurrent.CompletableFuture;

/** Queues: configuration, snapshots, the ledger, preemptions. Safe for use by several threads. */
public final class QueuesClient {
  private final QueueCalls calls;

  QueuesClient(Connection connection) {
    this.calls = new QueueCalls(connection.scheduler());
  }

  /**
   * Reads a queue.
   *
   * @throws NotFoundException if there is none
   */
  public Queue get(String queue) {
    return Blocking.get(getAsync(queue));
  }

  /** The form of {@link #get} that does not block. */
  public CompletableFuture<Queue> getAsync(String queue) {
    return calls.queue(queue);
  }

  /** All queues in the order of their names. */
  public PagedIterable<Queue> list() {
    return new PagedIterable<>(calls::queues);
  }

  /** One page of queues; the first for an empty token. */
  public CompletableFuture<Page<Queue>> listAsync(String pageToken) {
    return calls.queues(pageToken);
  }

  /** Fronts, usage and capacity of a queue at one instant. */
  public QueueSnapshot snapshot(String queue) {
    return Blocking.get(snapshotAsync(queue));
  }

  /** The form of {@link #snapshot} that does not block. */
  public CompletableFuture<QueueSnapshot> snapshotAsync(String queue) {
    return calls.snapshot(queue);
  }

  /** Where every device-second of a queue went, since it first had devices. */
  public UsageReport usageReport(String queue) {
    return usageReport(queue, UsageQuery.whole());
  }

  /**
   * Where every device-second of a queue went.
   *
   * @throws NotFoundException if there is no such queue, or no such share in it
   */
  public UsageReport usageReport(String queue, UsageQuery query) {
    return Blocking.get(usageReportAsync(queue, query));
  }

  /** The form of {@link #usageReport(String, UsageQuery)} that does not block. */
  public CompletableFuture<UsageReport> usageReportAsync(String queue, UsageQuery query) {
    return calls.usageReport(queue, requireNonNull(query, "query"));
  }

  /** All preemptions of a queue, newest first, fetched page by page. */
  public PagedIterable<Preemption> preemptions(String queue) {
    return preemptions(queue, PreemptionFilter.all());
  }

  /** Preemptions of a queue, newest first, fetched page by page. */
  public PagedIterable<Preemption> preemptions(String queue, PreemptionFilter filter) {
    requireNonNull(queue, "queue");
    requireNonNull(filter, "filter");
    return new PagedIterable<>(token -> calls.preemptions(queue, filter, token));
  }

  /** One page of preemptions; the first for an empty token. */
  public CompletableFuture<Page<Preemption>> preemptionsAsync(
      String queue, PreemptionFilter filter, String pageToken) {
    return calls.preemptions(queue, requireNonNull(filter, "filter"), pageToken);
  }
}
