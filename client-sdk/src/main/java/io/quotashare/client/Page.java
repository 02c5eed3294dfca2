package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * One page of a list.
 *
 * @param items the resources
 * @param nextPageToken for the next page; empty: this was the last
 */
public record Page<T>(List<T> items, String nextPageToken) {
  /** Checks that nothing is null and copies the list. */
  public Page {
    items = List.copyOf(items);
    requireNonNull(nextPageToken, "nextPageToken");
  }
}
