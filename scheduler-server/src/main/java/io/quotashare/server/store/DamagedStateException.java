package io.quotashare.server.store;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * State that cannot be read or contradicts itself; the scheduler must not start on it (reliability
 * D4).
 */
public final class DamagedStateException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final String location;
  private final String table;
  private final String rowKey;
  private final String problem;

  /**
   * @param location file or database
   * @param table table; empty if the damage is not in one table
   * @param rowKey key of the row; empty if the damage is not in one row
   * @param problem what is wrong
   */
  DamagedStateException(
      String location, String table, String rowKey, String problem, @Nullable Throwable cause) {
    super(message(location, table, rowKey, problem), cause);
    this.location = requireNonNull(location, "location is null");
    this.table = requireNonNull(table, "table is null");
    this.rowKey = requireNonNull(rowKey, "rowKey is null");
    this.problem = requireNonNull(problem, "problem is null");
  }

  private static String message(String location, String table, String rowKey, String problem) {
    StringBuilder message = new StringBuilder("damaged state in ").append(location);
    if (!table.isEmpty()) {
      message.append(", table ").append(table);
    }
    if (!rowKey.isEmpty()) {
      message.append(", row ").append(rowKey);
    }
    return message.append(": ").append(problem).toString();
  }

  /** File or database. */
  public String location() {
    return location;
  }

  /** Table; empty if the damage is not in one table. */
  public String table() {
    return table;
  }

  /** Key of the row; empty if the damage is not in one row. */
  public String rowKey() {
    return rowKey;
  }

  /** What is wrong, in words. */
  public String problem() {
    return problem;
  }
}
