package io.quotashare.server.store;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A column that repeats a part of its row for queries.
 *
 * @param name its name
 * @param number whether it holds a number, else text
 * @param value value in a row: a Long or a String by {@code number}; null where the row has none
 */
record Column<T>(String name, boolean number, Function<T, @Nullable Object> value) {
  /** Text as it is, but for characters that no column takes. */
  static <T> Column<T> text(String name, Function<T, @Nullable String> value) {
    return new Column<>(
        name,
        false,
        row -> Optional.ofNullable(value.apply(row)).map(Texts::toColumn).orElse(null));
  }

  static <T> Column<T> name(String name, Function<T, ? extends @Nullable Enum<?>> value) {
    return new Column<>(
        name, false, row -> Optional.ofNullable(value.apply(row)).map(Enum::name).orElse(null));
  }

  static <T> Column<T> number(String name, ToLongFunction<T> value) {
    return new Column<>(name, true, value::applyAsLong);
  }

  static <T> Column<T> flag(String name, Function<T, Boolean> value) {
    return new Column<>(name, true, row -> value.apply(row) ? 1L : 0L);
  }

  static <T> Column<T> optional(String name, Function<T, OptionalLong> value) {
    return new Column<>(
        name,
        true,
        row -> value.apply(row).isPresent() ? (Object) value.apply(row).getAsLong() : null);
  }

  static <T> Column<T> optionalInt(String name, Function<T, OptionalInt> value) {
    return optional(
        name,
        row -> {
          OptionalInt n = value.apply(row);
          return n.isPresent() ? OptionalLong.of(n.getAsInt()) : OptionalLong.empty();
        });
  }
}
