package io.quotashare.client;

import java.util.List;

/**
 * What applying a policy did, or would do.
 *
 * @param created names of queues and shares that were made
 * @param updated names of queues and shares that were changed
 * @param unchanged names of queues and shares that were as the policy says
 * @param unmanaged names of queues and shares that exist and that the policy does not name
 * @param warnings things that are allowed and probably not meant
 * @param removed names of queues and shares that were deleted, or are being emptied and then
 *     deleted
 */
public record PolicyResult(
    List<String> created,
    List<String> updated,
    List<String> unchanged,
    List<String> unmanaged,
    List<String> warnings,
    List<String> removed) {
  /** Copies the lists. */
  public PolicyResult {
    created = List.copyOf(created);
    updated = List.copyOf(updated);
    unchanged = List.copyOf(unchanged);
    unmanaged = List.copyOf(unmanaged);
    warnings = List.copyOf(warnings);
    removed = List.copyOf(removed);
  }
}
