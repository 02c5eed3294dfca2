package io.quotashare.server.store;

import org.jspecify.annotations.Nullable;

/**
 * A row to put or to remove.
 *
 * @param entity kind of row
 * @param key key of the row
 * @param row the row; null to remove it
 */
record RowWrite<T>(Entity<T, ?> entity, RowKey key, @Nullable T row) {}
