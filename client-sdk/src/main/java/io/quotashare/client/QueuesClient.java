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

  /** Where every device-second of a queue went. */
  public UsageReport usageReport(String queue) {
    return Blocking.get(usageReportAsync(queue));
  }

  /** The form of {@link #usageReport} that does not block. */
  public CompletableFuture<UsageReport> usageReportAsync(String queue) {
    return calls.usageReport(queue);
  }

  /** Preemptions of a queue, newest first. */
  public PagedIterable<Preemption> preemptions(String queue) {
    return preemptions(queue, "");
  }

  /** Preemptions whose victims are of this share, newest first; all for an empty share. */
  public PagedIterable<Preemption> preemptions(String queue, String share) {
    requireNonNull(queue, "queue");
    return new PagedIterable<>(token -> calls.preemptions(queue, share, token));
  }

  /** One page of preemptions; the first for an empty token. */
  public CompletableFuture<Page<Preemption>> preemptionsAsync(
      String queue, String share, String pageToken) {
    return calls.preemptions(queue, share, pageToken);
  }
}
