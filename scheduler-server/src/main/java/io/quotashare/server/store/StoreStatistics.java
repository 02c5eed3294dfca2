package io.quotashare.server.store;

import java.util.Map;

/**
 * How much a store holds.
 *
 * @param bytes bytes on the disk, the write-ahead log included; 0 for a store without a disk
 * @param rows rows by table, after the last commit
 * @param removed rows that were removed by table, since the store was opened
 */
public record StoreStatistics(long bytes, Map<String, Long> rows, Map<String, Long> removed) {
  public StoreStatistics {
    rows = Map.copyOf(rows);
    removed = Map.copyOf(removed);
  }
}
