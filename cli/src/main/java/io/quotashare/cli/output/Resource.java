package io.quotashare.cli.output;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Message;
import java.util.List;
import java.util.function.Function;

/**
 * How one kind of resource is shown in every format.
 *
 * @param plural for "no jobs"
 * @param columns columns of its table
 * @param name what {@code -o name} prints
 * @param message what {@code -o json} and {@code -o yaml} print
 */
public record Resource<T>(
    String plural,
    List<Column<T>> columns,
    Function<T, String> name,
    Function<T, Message> message) {
  /** Checks that nothing is null and copies the list. */
  public Resource {
    requireNonNull(plural, "plural");
    columns = List.copyOf(columns);
    requireNonNull(name, "name");
    requireNonNull(message, "message");
  }
}
