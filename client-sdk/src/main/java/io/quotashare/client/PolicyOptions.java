package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a policy is applied.
 *
 * @param drainNow stop at once what a lowered limit leaves above (cause CAPACITY_LOWERED), instead
 *     of on demand
 * @param prune disable and then delete what exists and the policy does not name
 * @param requestId makes a repeat return the first answer; null: the client makes one for this call
 */
public record PolicyOptions(boolean drainNow, boolean prune, @Nullable UUID requestId) {
  /** On demand, leaving what the policy does not name. */
  public static PolicyOptions defaults() {
    return new PolicyOptions(false, false, null);
  }

  /** The same, stopping at once what a lowered limit leaves above. */
  public PolicyOptions drainingNow() {
    return new PolicyOptions(true, prune, requestId);
  }

  /** The same, removing what exists and the policy does not name. */
  public PolicyOptions pruning() {
    return new PolicyOptions(drainNow, true, requestId);
  }

  /** The same with a request id that a later repeat can send again. */
  public PolicyOptions withRequestId(UUID id) {
    return new PolicyOptions(drainNow, prune, requireNonNull(id, "id"));
  }
}
