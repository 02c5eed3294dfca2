package io.quotashare.server.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Number of rows and sum of their checksums by table. Checksums find a row that was changed; these
 * find a row that is gone, came from nowhere or is an older version of itself, as after a write
 * that never reached the device.
 */
final class Digests {
  /**
   * The digest of a table.
   *
   * @param rows number of rows
   * @param sum sum of their checksums, modulo 2^64
   */
  record Digest(long rows, long sum) {
    static final Digest EMPTY = new Digest(0, 0);

    Digest plus(long checksum) {
      return new Digest(rows + 1, sum + checksum);
    }

    Digest minus(long checksum) {
      return new Digest(rows - 1, sum - checksum);
    }
  }

  private static final String SELECT = "SELECT table_name, row_count, checksum_sum FROM digests";
  private static final String UPSERT =
      "INSERT INTO digests (table_name, row_count, checksum_sum) VALUES (?, ?, ?)"
          + " ON CONFLICT (table_name) DO UPDATE SET row_count = excluded.row_count,"
          + " checksum_sum = excluded.checksum_sum";

  private final Map<String, Digest> byTable;

  private Digests(Map<String, Digest> byTable) {
    this.byTable = byTable;
  }

  Digests() {
    this(new TreeMap<>());
  }

  static Digests read(Statements statements) throws SQLException {
    Digests digests = new Digests();
    try (ResultSet result = statements.get(SELECT).executeQuery()) {
      while (result.next()) {
        digests.byTable.put(result.getString(1), new Digest(result.getLong(2), result.getLong(3)));
      }
    }
    return digests;
  }

  Digests copy() {
    return new Digests(new TreeMap<>(byTable));
  }

  Digest of(String table) {
    return byTable.getOrDefault(table, Digest.EMPTY);
  }

  void add(String table, long checksum) {
    byTable.put(table, of(table).plus(checksum));
  }

  void remove(String table, long checksum) {
    byTable.put(table, of(table).minus(checksum));
  }

  /** Number of rows by table. */
  Map<String, Long> rows() {
    Map<String, Long> rows = new TreeMap<>();
    byTable.forEach((table, digest) -> rows.put(table, digest.rows()));
    return rows;
  }

  /** Writes those that differ from {@code before}. */
  void write(Statements statements, Digests before) throws SQLException {
    PreparedStatement upsert = statements.get(UPSERT);
    for (Map.Entry<String, Digest> entry : byTable.entrySet()) {
      if (!entry.getValue().equals(before.byTable.get(entry.getKey()))) {
        upsert.setString(1, entry.getKey());
        upsert.setLong(2, entry.getValue().rows());
        upsert.setLong(3, entry.getValue().sum());
        upsert.addBatch();
      }
    }
    upsert.executeBatch();
  }

  /** Throws unless a table is as these say. */
  void verify(String location, String table, Digest found) {
    Digest expected = of(table);
    if (found.rows() != expected.rows()) {
      throw new DamagedStateException(
          location,
          table,
          "",
          "holds %s rows (expected: %s)".formatted(found.rows(), expected.rows()),
          null);
    }
    if (found.sum() != expected.sum()) {
      throw new DamagedStateException(
          location, table, "", "a row is not the newest version of itself", null);
    }
  }
}
