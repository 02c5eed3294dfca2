package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.internal.AdminCalls;
import io.quotashare.client.internal.Blocking;
import io.quotashare.client.internal.Rpc;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What an operator does to nodes and to the scheduler. Every change has a request id, which makes a
 * repeat return the first answer; the client makes one for a call that is given none, so that its
 * own retries never have their effect twice. Failures are {@link QuotaShareException}s. Safe for
 * use by several threads.
 */
public final class AdminClient {
  private final AdminCalls calls;

  AdminClient(Rpc admin) {
    this.calls = new AdminCalls(admin);
  }

  /**
   * Places nothing new on a node; what runs goes on.
   *
   * @throws NotFoundException if there is no such node
   */
  public void cordon(String node) {
    Blocking.get(cordonAsync(node, null));
  }

  /** The same with a request id that a later repeat can send again. */
  public void cordon(String node, UUID requestId) {
    Blocking.get(cordonAsync(node, requireNonNull(requestId, "requestId")));
  }

  /** The form of {@link #cordon} that does not block. */
  public CompletableFuture<Void> cordonAsync(String node, @Nullable UUID requestId) {
    return calls.cordon(requireNonNull(node, "node"), requestId);
  }

  /**
   * Ends cordoning or draining.
   *
   * @throws NotFoundException if there is no such node
   */
  public void uncordon(String node) {
    Blocking.get(uncordonAsync(node, null));
  }

  /** The same with a request id that a later repeat can send again. */
  public void uncordon(String node, UUID requestId) {
    Blocking.get(uncordonAsync(node, requireNonNull(requestId, "requestId")));
  }

  /** The form of {@link #uncordon} that does not block. */
  public CompletableFuture<Void> uncordonAsync(String node, @Nullable UUID requestId) {
    return calls.uncordon(requireNonNull(node, "node"), requestId);
  }

  /**
   * Moves the attempts of a node elsewhere, checkpoint first; uses no preemption budget.
   *
   * @throws NotFoundException if there is no such node
   */
  public void drain(String node) {
    Blocking.get(drainAsync(node, null));
  }

  /** The same with a request id that a later repeat can send again. */
  public void drain(String node, UUID requestId) {
    Blocking.get(drainAsync(node, requireNonNull(requestId, "requestId")));
  }

  /** The form of {@link #drain} that does not block. */
  public CompletableFuture<Void> drainAsync(String node, @Nullable UUID requestId) {
    return calls.drain(requireNonNull(node, "node"), requestId);
  }

  /**
   * Declares that nothing runs on a silent node any more, so that its attempts may be started
   * elsewhere at once.
   *
   * @throws PreconditionException while the node's agent is heard
   * @throws NotFoundException if there is no such node
   */
  public void fence(String node) {
    Blocking.get(fenceAsync(node, null));
  }

  /** The same with a request id that a later repeat can send again. */
  public void fence(String node, UUID requestId) {
    Blocking.get(fenceAsync(node, requireNonNull(requestId, "requestId")));
  }

  /** The form of {@link #fence} that does not block. */
  public CompletableFuture<Void> fenceAsync(String node, @Nullable UUID requestId) {
    return calls.fence(requireNonNull(node, "node"), requestId);
  }

  /**
   * Starts and stops nothing from now on, in all queues; submissions are accepted and what runs
   * goes on.
   *
   * @param reason shown to those who wait, up to 512 characters; may be empty
   */
  public void pause(String reason) {
    Blocking.get(pauseAsync(reason, null));
  }

  /** The same with a request id that a later repeat can send again. */
  public void pause(String reason, UUID requestId) {
    Blocking.get(pauseAsync(reason, requireNonNull(requestId, "requestId")));
  }

  /** The form of {@link #pause} that does not block. */
  public CompletableFuture<Void> pauseAsync(String reason, @Nullable UUID requestId) {
    return calls.pause(Texts.checkReason(reason), requestId);
  }

  /** Ends {@link #pause}. */
  public void resume() {
    Blocking.get(resumeAsync(null));
  }

  /** The same with a request id that a later repeat can send again. */
  public void resume(UUID requestId) {
    Blocking.get(resumeAsync(requireNonNull(requestId, "requestId")));
  }

  /** The form of {@link #resume} that does not block. */
  public CompletableFuture<Void> resumeAsync(@Nullable UUID requestId) {
    return calls.resume(requestId);
  }

  /**
   * Reads the whole durable state, checks every row and the invariants, and compares it with the
   * state in memory. Takes up to two minutes.
   */
  public StateVerification verify() {
    return Blocking.get(verifyAsync());
  }

  /** The form of {@link #verify} that does not block. */
  public CompletableFuture<StateVerification> verifyAsync() {
    return calls.verify();
  }

  /** Who changed what, newest first, fetched page by page. */
  public PagedIterable<AuditEvent> auditEvents(AuditFilter filter) {
    requireNonNull(filter, "filter");
    return new PagedIterable<>(token -> calls.auditEvents(filter, token));
  }

  /** One page of audit events; the first for an empty token. */
  public CompletableFuture<Page<AuditEvent>> auditEventsAsync(
      AuditFilter filter, String pageToken) {
    return calls.auditEvents(
        requireNonNull(filter, "filter"), requireNonNull(pageToken, "pageToken"));
  }

  /** Who leads, since when, and how much there is. */
  public SchedulerStatus status() {
    return Blocking.get(statusAsync());
  }

  /** The form of {@link #status} that does not block. */
  public CompletableFuture<SchedulerStatus> statusAsync() {
    return calls.status();
  }
}
