package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.internal.Blocking;
import io.quotashare.client.internal.Connection;
import io.quotashare.client.internal.QueueCalls;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Quota shares, loans and policies. Safe for use by several threads. */
public final class SharesClient {
  private final QueueCalls calls;

  SharesClient(Connection connection) {
    this.calls = new QueueCalls(connection.scheduler());
  }

  /**
   * Reads a share with its usage.
   *
   * @throws NotFoundException if there is none
   */
  public ShareStatus get(String queue, String share) {
    return Blocking.get(getAsync(queue, share));
  }

  /** The form of {@link #get} that does not block. */
  public CompletableFuture<ShareStatus> getAsync(String queue, String share) {
    return calls.share(queue, share);
  }

  /** The shares of a queue, or of all with {@link ResourceNames#ALL_QUEUES}, with their usage. */
  public PagedIterable<ShareStatus> list(String queue) {
    requireNonNull(queue, "queue");
    return new PagedIterable<>(token -> calls.shares(queue, token));
  }

  /** One page of shares; the first for an empty token. */
  public CompletableFuture<Page<ShareStatus>> listAsync(String queue, String pageToken) {
    return calls.shares(queue, pageToken);
  }

  /** Who lends what to whom in a queue. */
  public List<Loan> loans(String queue) {
    return Blocking.get(loansAsync(queue));
  }

  /** The form of {@link #loans} that does not block. */
  public CompletableFuture<List<Loan>> loansAsync(String queue) {
    return calls.loans(queue);
  }

  /**
   * Makes and changes queues and shares as the policy says, all or nothing. What it does not name
   * is left as it is.
   *
   * @throws IllegalArgumentException if a share contradicts itself; nothing is sent then
   */
  public PolicyResult applyPolicy(List<PolicyQueue> policy) {
    return Blocking.get(applyPolicyAsync(policy, false, false));
  }

  /** Only says what {@link #applyPolicy} would change. */
  public PolicyResult checkPolicy(List<PolicyQueue> policy) {
    return Blocking.get(applyPolicyAsync(policy, true, false));
  }

  /**
   * The form of {@link #applyPolicy} that does not block.
   *
   * @param validateOnly only say what would change
   * @param drainNow stop at once what a lowered limit leaves above, instead of on demand
   */
  public CompletableFuture<PolicyResult> applyPolicyAsync(
      List<PolicyQueue> policy, boolean validateOnly, boolean drainNow) {
    for (PolicyQueue queue : policy) {
      for (QuotaShare share : queue.shares()) {
        List<FieldProblem> problems = share.problems();
        if (!problems.isEmpty()) {
          throw new IllegalArgumentException(share.name() + ": " + problems.get(0));
        }
      }
    }
    return calls.applyPolicy(policy, validateOnly, drainNow);
  }

  /** {@link #applyPolicy} that also stops at once what a lowered limit leaves above. */
  public PolicyResult applyPolicyAndDrain(List<PolicyQueue> policy) {
    return Blocking.get(applyPolicyAsync(policy, false, true));
  }
}
