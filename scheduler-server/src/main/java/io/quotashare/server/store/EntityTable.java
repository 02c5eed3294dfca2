package io.quotashare.server.store;

import static java.util.stream.Collectors.joining;

import io.quotashare.core.Change;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The table of an entity in SQL: its statements, and the one place where its rows are written and
 * read. Reading verifies.
 */
final class EntityTable<T, P extends Change> {
  private static final List<String> TAIL = List.of("data", "written_revision", "checksum");

  private final Entity<T, P> entity;
  private final String allColumns;
  private final String keyNames;
  private final String keyMarks;
  private final String upsert;

  EntityTable(Entity<T, P> entity) {
    this.entity = entity;
    List<String> names =
        Stream.concat(entity.columns().stream().map(Column::name), TAIL.stream()).toList();
    List<String> keys = names.subList(0, entity.keyColumns());
    this.allColumns = String.join(", ", names);
    this.keyNames = String.join(", ", keys);
    this.keyMarks = marks(keys.size());
    this.upsert =
        "INSERT INTO %s (%s) VALUES (%s) ON CONFLICT (%s) DO UPDATE SET %s"
            .formatted(
                entity.table(),
                allColumns,
                marks(names.size()),
                keyNames,
                names.subList(keys.size(), names.size()).stream()
                    .map(name -> name + " = excluded." + name)
                    .collect(joining(", ")));
  }

  static String marks(int count) {
    return String.join(", ", Collections.nCopies(count, "?"));
  }

  Entity<T, P> entity() {
    return entity;
  }

  String name() {
    return entity.table();
  }

  /** Inserts or replaces; parameters by {@link SqlRow#bind}. */
  String upsert() {
    return upsert;
  }

  /** Removes a row; parameters by {@link #bindKey}. */
  String delete() {
    return "DELETE FROM %s WHERE (%s) = (%s)".formatted(name(), keyNames, keyMarks);
  }

  /** Checksum of a row; parameters by {@link #bindKey}. */
  String selectChecksum() {
    return "SELECT checksum FROM %s WHERE (%s) = (%s)".formatted(name(), keyNames, keyMarks);
  }

  /** All columns of all rows; a condition may follow. */
  String select() {
    return "SELECT %s FROM %s".formatted(allColumns, name());
  }

  /** All rows by key. */
  String selectAll() {
    return select() + " ORDER BY " + keyNames;
  }

  /** The first rows by key; the parameter is their number. */
  String selectFirst() {
    return select() + " ORDER BY " + keyNames + " LIMIT ?";
  }

  /** The rows after a key; parameters by {@link #bindKey}, then their number. */
  String selectAfter() {
    return select()
        + " WHERE (%s) > (%s) ORDER BY %s LIMIT ?".formatted(keyNames, keyMarks, keyNames);
  }

  /** A row that is ready to be written. */
  SqlRow prepare(RowKey key, T row, long revision) {
    String data = RowCodec.encode(row);
    List<@Nullable Object> values = entity.valuesOf(row);
    long checksum = checksum(key, data, revision);
    values.add(data);
    values.add(revision);
    values.add(checksum);
    return new SqlRow(values, checksum);
  }

  private long checksum(RowKey key, String data, long revision) {
    List<Object> covered = new ArrayList<>(key.values());
    covered.add(data);
    covered.add(revision);
    return Checksum.of(name(), covered.toArray());
  }

  /** Sets the key columns as parameters from the first on; returns the index after them. */
  static int bindKey(PreparedStatement statement, RowKey key) throws SQLException {
    int index = 1;
    for (Object value : key.values()) {
      statement.setObject(index++, value);
    }
    return index;
  }

  /**
   * Reads and verifies the row under the cursor.
   *
   * @throws DamagedStateException if it is not what was written
   */
  Stored<T> read(ResultSet result, String location) throws SQLException {
    int columns = entity.columns().size();
    List<@Nullable Object> values = new ArrayList<>(columns);
    for (int i = 1; i <= columns; i++) {
      values.add(normal(result.getObject(i)));
    }
    String keyText =
        values.subList(0, entity.keyColumns()).stream().map(String::valueOf).collect(joining("/"));
    Object data = result.getObject(columns + 1);
    Object revision = normal(result.getObject(columns + 2));
    Object checksum = normal(result.getObject(columns + 3));
    RowKey key = keyOf(values);
    if (key == null
        || !(data instanceof String text)
        || !(revision instanceof Long writtenRevision)
        || !(checksum instanceof Long sum)) {
      throw damaged(location, keyText, "a column holds a value of the wrong type", null);
    }
    if (checksum(key, text, writtenRevision) != sum) {
      throw damaged(location, keyText, "its checksum does not match", null);
    }
    T row = decode(text, location, keyText);
    List<@Nullable Object> expected = entity.valuesOf(row);
    for (int i = 0; i < columns; i++) {
      if (!Objects.equals(values.get(i), expected.get(i))) {
        throw damaged(
            location,
            keyText,
            "column %s holds %s, data says %s"
                .formatted(entity.columns().get(i).name(), values.get(i), expected.get(i)),
            null);
      }
    }
    return new Stored<>(key, row, writtenRevision, sum);
  }

  private T decode(String text, String location, String keyText) {
    try {
      return RowCodec.decode(text, entity.rowType());
    } catch (RowCodec.MalformedRowException e) {
      throw damaged(location, keyText, "data: " + e.getMessage(), e);
    }
  }

  private @Nullable RowKey keyOf(List<@Nullable Object> values) {
    List<Object> key = new ArrayList<>();
    for (int i = 0; i < entity.keyColumns(); i++) {
      Object value = values.get(i);
      Class<?> expected = entity.columns().get(i).number() ? Long.class : String.class;
      if (!expected.isInstance(value)) {
        return null;
      }
      key.add(value);
    }
    return new RowKey(key);
  }

  private DamagedStateException damaged(
      String location, String keyText, String problem, @Nullable Throwable cause) {
    return new DamagedStateException(location, name(), keyText, problem, cause);
  }

  private static @Nullable Object normal(@Nullable Object value) {
    return value instanceof Integer number ? Long.valueOf(number.longValue()) : value;
  }

  /**
   * A row that is ready to be written.
   *
   * @param values of all columns
   * @param checksum the last of them
   */
  record SqlRow(List<@Nullable Object> values, long checksum) {
    void bind(PreparedStatement statement) throws SQLException {
      for (int i = 0; i < values.size(); i++) {
        statement.setObject(i + 1, values.get(i));
      }
    }
  }

  /** A row as it was found. */
  record Stored<T>(RowKey key, T row, long writtenRevision, long checksum) {}
}
