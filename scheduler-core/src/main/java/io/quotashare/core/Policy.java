package io.quotashare.core;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import java.util.List;

/**
 * Queues and shares as an administrator wants them.
 *
 * @param queues in the order of the file
 * @param prune whether what exists and is not named is removed; else it is left as it is
 */
public record Policy(List<QueuePolicy> queues, boolean prune) {
  /**
   * A queue with its shares.
   *
   * @param queue the queue
   * @param shares its shares
   */
  public record QueuePolicy(Queue queue, List<QuotaShare> shares) {
    public QueuePolicy {
      requireNonNull(queue, "queue is null");
      shares = List.copyOf(shares);
    }
  }

  /**
   * What applying a policy does, in names such as {@code queues/q/shares/s}.
   *
   * @param created did not exist
   * @param updated existed and differed
   * @param unchanged existed as the policy says
   * @param unmanaged exist and are not named, and stay
   * @param warnings allowed and probably not meant
   * @param removed exist and are not named, and are removed
   */
  public record Diff(
      List<String> created,
      List<String> updated,
      List<String> unchanged,
      List<String> unmanaged,
      List<String> warnings,
      List<String> removed) {
    public Diff {
      created = List.copyOf(created);
      updated = List.copyOf(updated);
      unchanged = List.copyOf(unchanged);
      unmanaged = List.copyOf(unmanaged);
      warnings = List.copyOf(warnings);
      removed = List.copyOf(removed);
    }
  }

  /** A policy that removes nothing. */
  public Policy(List<QueuePolicy> queues) {
    this(queues, false);
  }

  public Policy {
    queues = List.copyOf(queues);
  }
}
