package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * One page of a list. It may hold fewer items than were asked for although more follow.
 *
 * @param items what is on it
 * @param nextPageToken opaque token of the next page; empty if this is the last
 */
public record Page<T>(List<T> items, String nextPageToken) {
  public Page {
    items = List.copyOf(items);
    requireNonNull(nextPageToken, "nextPageToken is null");
  }

  static void checkSize(int pageSize) {
    checkArgument(
        pageSize >= 1 && pageSize <= StateStore.MAX_PAGE_SIZE,
        "pageSize: %s (expected: 1 to %s)",
        pageSize,
        StateStore.MAX_PAGE_SIZE);
  }
}
