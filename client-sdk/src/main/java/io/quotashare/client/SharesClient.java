package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.internal.Blocking;
import io.quotashare.client.internal.Connection;
import io.quotashare.client.internal.ShareCalls;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Quota shares, loans and policies. Every call has a blocking form and one that returns a {@link
 * CompletableFuture}; cancelling the future cancels the call. Failures are {@link
 * QuotaShareException}s. Safe for use by several threads.
 */
public final class SharesClient {
  private final Connection connection;
  private final ShareCalls calls;

  SharesClient(Connection connection) {
    this.connection = connection;
    this.calls = new ShareCalls(connection.scheduler());
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
    return calls.get(queue, share);
  }

  /** The shares of a queue, or of all with {@link ResourceNames#ALL_QUEUES}, with their usage. */
  public PagedIterable<ShareStatus> list(String queue) {
    requireNonNull(queue, "queue");
    return new PagedIterable<>(token -> calls.list(queue, token));
  }

  /** One page of shares; the first for an empty token. */
  public CompletableFuture<Page<ShareStatus>> listAsync(String queue, String pageToken) {
    return calls.list(queue, pageToken);
  }

  /**
   * Makes a share.
   *
   * @throws AlreadyExistsException if there is one of that name
   * @throws NotFoundException if there is no such queue
   * @throws IllegalArgumentException if the share contradicts itself; nothing is sent then
   */
  public ShareStatus create(QuotaShare share) {
    return Blocking.get(createAsync(share, null));
  }

  /** The same with a request id that a later repeat can send again. */
  public ShareStatus create(QuotaShare share, UUID requestId) {
    return Blocking.get(createAsync(share, requireNonNull(requestId, "requestId")));
  }

  /**
   * The form of {@link #create} that does not block.
   *
   * @param requestId makes a repeat return the first answer; null: the client makes one
   */
  public CompletableFuture<ShareStatus> createAsync(QuotaShare share, @Nullable UUID requestId) {
    share.requireValid();
    return calls.create(share, false, requestId);
  }

  /** Only checks: the share as {@link #create} would make it, or its exception. */
  public ShareStatus checkCreate(QuotaShare share) {
    return Blocking.get(checkCreateAsync(share));
  }

  /** The form of {@link #checkCreate} that does not block. */
  public CompletableFuture<ShareStatus> checkCreateAsync(QuotaShare share) {
    share.requireValid();
    return calls.create(share, true, null);
  }

  /**
   * Changes the fields that were set, and no others.
   *
   * @throws ConflictException if the share has another etag than the one that was given
   * @throws NotFoundException if there is no such share
   * @throws InvalidRequestException if the share would contradict itself
   */
  public ShareStatus update(ShareUpdate update) {
    return Blocking.get(updateAsync(update));
  }

  /** The form of {@link #update} that does not block. */
  public CompletableFuture<ShareStatus> updateAsync(ShareUpdate update) {
    return calls.update(requireNonNull(update, "update"), false);
  }

  /** Only checks: the share as {@link #update} would leave it, or its exception. */
  public ShareStatus checkUpdate(ShareUpdate update) {
    return Blocking.get(checkUpdateAsync(update));
  }

  /** The form of {@link #checkUpdate} that does not block. */
  public CompletableFuture<ShareStatus> checkUpdateAsync(ShareUpdate update) {
    return calls.update(requireNonNull(update, "update"), true);
  }

  /**
   * Removes a disabled share. What it still has waiting or running is cancelled.
   *
   * @throws PreconditionException if it is not disabled
   * @throws NotFoundException if there is no such share
   */
  public ShareDeletion delete(String queue, String share) {
    return delete(queue, share, ChangeOptions.defaults());
  }

  /**
   * Removes a disabled share. What it still has waiting or running is cancelled.
   *
   * @throws PreconditionException if it is not disabled
   * @throws NotFoundException if there is no such share
   * @throws ConflictException if the share has another etag than the one of the options
   */
  public ShareDeletion delete(String queue, String share, ChangeOptions options) {
    return Blocking.get(deleteAsync(queue, share, options));
  }

  /** The form of {@link #delete(String, String, ChangeOptions)} that does not block. */
  public CompletableFuture<ShareDeletion> deleteAsync(
      String queue, String share, ChangeOptions options) {
    return calls.delete(queue, share, requireNonNull(options, "options"), false);
  }

  /** Only says what {@link #delete} would end, or throws its exception. */
  public ShareDeletion checkDelete(String queue, String share) {
    return Blocking.get(checkDeleteAsync(queue, share, ChangeOptions.defaults()));
  }

  /** The form of {@link #checkDelete} that does not block. */
  public CompletableFuture<ShareDeletion> checkDeleteAsync(
      String queue, String share, ChangeOptions options) {
    return calls.delete(queue, share, requireNonNull(options, "options"), true);
  }

  /**
   * Watches shares: first as they are, then every change of one or of what it uses. The caller
   * closes the watch.
   */
  public ShareWatch watch(ShareWatchOptions options) {
    requireNonNull(options, "options");
    return new ShareWatch(observer -> connection.watcher(options, observer));
  }

  /**
   * Watches shares without blocking a thread: the consumer is called for each event, one at a time.
   * The future ends exceptionally if the watch fails; cancelling it ends the watch.
   */
  public CompletableFuture<Void> watchAsync(
      ShareWatchOptions options, Consumer<ShareEvent> consumer) {
    requireNonNull(options, "options");
    return Watches.consume(observer -> connection.watcher(options, observer), consumer);
  }

  /** Who lends what to whom in a queue, and who would be stopped to give it back. */
  public List<Loan> loans(String queue) {
    return Blocking.get(loansAsync(queue));
  }

  /** The form of {@link #loans} that does not block. */
  public CompletableFuture<List<Loan>> loansAsync(String queue) {
    return calls.loans(queue);
  }

  /** {@link #applyPolicy(List, PolicyOptions)} that leaves what the policy does not name. */
  public PolicyResult applyPolicy(List<PolicyQueue> policy) {
    return applyPolicy(policy, PolicyOptions.defaults());
  }

  /**
   * Makes and changes queues and shares as the policy says, all or nothing.
   *
   * @throws IllegalArgumentException if a share contradicts itself; nothing is sent then
   */
  public PolicyResult applyPolicy(List<PolicyQueue> policy, PolicyOptions options) {
    return Blocking.get(applyPolicyAsync(policy, options));
  }

  /** The form of {@link #applyPolicy(List, PolicyOptions)} that does not block. */
  public CompletableFuture<PolicyResult> applyPolicyAsync(
      List<PolicyQueue> policy, PolicyOptions options) {
    return calls.applyPolicy(valid(policy), requireNonNull(options, "options"), false);
  }

  /** Only says what {@link #applyPolicy} would change of queues and shares. */
  public PolicyResult checkPolicy(List<PolicyQueue> policy, PolicyOptions options) {
    return Blocking.get(checkPolicyAsync(policy, options));
  }

  /** The form of {@link #checkPolicy} that does not block. */
  public CompletableFuture<PolicyResult> checkPolicyAsync(
      List<PolicyQueue> policy, PolicyOptions options) {
    return calls.applyPolicy(valid(policy), requireNonNull(options, "options"), true);
  }

  /**
   * Says what {@link #applyPolicy} would do: to queues and shares, and who would start, be stopped
   * and wait. The request id of the options is not used: nothing changes.
   */
  public PolicyPlan planPolicy(List<PolicyQueue> policy, PolicyOptions options) {
    return Blocking.get(planPolicyAsync(policy, options));
  }

  /** The form of {@link #planPolicy} that does not block. */
  public CompletableFuture<PolicyPlan> planPolicyAsync(
      List<PolicyQueue> policy, PolicyOptions options) {
    return calls.planPolicy(valid(policy), requireNonNull(options, "options"));
  }

  private static List<PolicyQueue> valid(List<PolicyQueue> policy) {
    policy.forEach(queue -> queue.shares().forEach(QuotaShare::requireValid));
    return policy;
  }
}
