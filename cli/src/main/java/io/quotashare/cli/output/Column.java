package io.quotashare.cli.output;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;

/**
 * One column of a table.
 *
 * @param title heading, upper case
 * @param right true: numbers, aligned to the right
 * @param wideOnly true: shown by {@code -o wide} only
 * @param value text of a cell
 * @param tone what the cell's colour says
 */
public record Column<T>(
    String title,
    boolean right,
    boolean wideOnly,
    Function<T, String> value,
    Function<T, Tone> tone) {
  /** Checks that nothing is null. */
  public Column {
    requireNonNull(title, "title");
    requireNonNull(value, "value");
    requireNonNull(tone, "tone");
  }

  /** A column of text. */
  public static <T> Column<T> text(String title, Function<T, String> value) {
    return new Column<>(title, false, false, value, item -> Tone.PLAIN);
  }

  /** A column of numbers. */
  public static <T> Column<T> number(String title, Function<T, ?> value) {
    return new Column<>(
        title, true, false, item -> String.valueOf(value.apply(item)), item -> Tone.PLAIN);
  }

  /** The same, shown by {@code -o wide} only. */
  public Column<T> wide() {
    return new Column<>(title, right, true, value, tone);
  }

  /** The same with colours. */
  public Column<T> toned(Function<T, Tone> newTone) {
    return new Column<>(title, right, wideOnly, value, newTone);
  }
}
