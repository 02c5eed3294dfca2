package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;

import io.quotashare.core.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kind of row: its table, its columns, and the change that puts it.
 *
 * @param <T> the row
 * @param <P> the change that carries it
 * @param table table name
 * @param rowType class of the row
 * @param putType class of the change
 * @param row the row of a change
 * @param put the change of a row
 * @param keyColumns number of columns, from the first, that are the key
 * @param columns columns beside the row itself
 */
record Entity<T, P extends Change>(
    String table,
    Class<T> rowType,
    Class<P> putType,
    Function<P, T> row,
    Function<T, P> put,
    int keyColumns,
    List<Column<T>> columns) {
  Entity {
    columns = List.copyOf(columns);
    checkArgument(keyColumns >= 1 && keyColumns <= columns.size(), "keyColumns: %s", keyColumns);
  }

  /** Values of all columns, in their order. */
  List<@Nullable Object> valuesOf(T value) {
    List<@Nullable Object> values = new ArrayList<>(columns.size());
    for (Column<T> column : columns) {
      values.add(column.value().apply(value));
    }
    return values;
  }

  /** Key of a row. */
  RowKey keyOf(T value) {
    List<Object> values = new ArrayList<>(keyColumns);
    for (Column<T> column : columns.subList(0, keyColumns)) {
      values.add(column.value().apply(value));
    }
    return new RowKey(values);
  }

  /** The write that a change of this kind asks for. */
  RowWrite<T> writeOf(Change change) {
    T value = row.apply(putType.cast(change));
    return new RowWrite<>(this, keyOf(value), value);
  }

  @Override
  public String toString() {
    return table;
  }
}
