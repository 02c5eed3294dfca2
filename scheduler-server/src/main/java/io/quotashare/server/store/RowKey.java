package io.quotashare.server.store;

import static java.util.stream.Collectors.joining;

import java.util.List;

/**
 * Key of a row inside its table.
 *
 * @param values values of the key columns, each a String or a Long
 */
record RowKey(List<Object> values) implements Comparable<RowKey> {
  RowKey {
    values = List.copyOf(values);
  }

  static RowKey of(Object... values) {
    return new RowKey(List.of(values));
  }

  /** A key that is the beginning of another comes before it. */
  @Override
  public int compareTo(RowKey other) {
    int common = Math.min(values.size(), other.values.size());
    for (int i = 0; i < common; i++) {
      int result =
          values.get(i) instanceof Long number
              ? Long.compare(number, (Long) other.values.get(i))
              : ((String) values.get(i)).compareTo((String) other.values.get(i));
      if (result != 0) {
        return result;
      }
    }
    return Integer.compare(values.size(), other.values.size());
  }

  /** The values, joined by slashes. */
  @Override
  public String toString() {
    return values.stream().map(Object::toString).collect(joining("/"));
  }
}
