package io.quotashare.core;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import java.util.List;

/**
 * Queues and shares as an administrator wants them. What a policy does not name is left as it is.
 *
 * @param queues in the order of the file
 */
public record Policy(List<QueuePolicy> queues) {
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
   * @param unmanaged exist and are not named
   * @param warnings allowed and probably not meant
   */
  public record Diff(
      List<String> created,
      List<String> updated,
      List<String> unchanged,
      List<String> unmanaged,
      List<String> warnings) {
    public Diff {
      created = List.copyOf(created);
      updated = List.copyOf(updated);
      unchanged = List.copyOf(unchanged);
      unmanaged = List.copyOf(unmanaged);
      warnings = List.copyOf(warnings);
    }
  }

  public Policy {
    queues = List.copyOf(queues);
  }
}
