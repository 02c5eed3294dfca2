package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;

/**
 * One thing that is wrong with a value, found before anything is sent.
 *
 * @param field name of the field, such as {@code borrowLimitPercent}
 * @param message the value and what was expected
 */
public record FieldProblem(String field, String message) implements Serializable {
  /** Checks that nothing is null. */
  public FieldProblem {
    requireNonNull(field, "field");
    requireNonNull(message, "message");
  }

  @Override
  public String toString() {
    return field + ": " + message;
  }
}
