package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler says about a call that failed.
 *
 * @param message for people: the field, the value and what was expected
 * @param reason UPPER_SNAKE code for programs, such as REQUEST_ID_REUSED; empty if there is none
 * @param metadata further facts by name, such as the limit that was exceeded
 * @param fields the fields that are wrong, where fields are
 * @param retryAfter when it makes sense to try again; null if the scheduler does not say
 */
public record ErrorDetails(
    String message,
    String reason,
    Map<String, String> metadata,
    List<FieldProblem> fields,
    @Nullable Duration retryAfter)
    implements Serializable {
  /** Checks that nothing required is null and copies the collections. */
  public ErrorDetails {
    requireNonNull(message, "message");
    requireNonNull(reason, "reason");
    metadata = Collect.copy(metadata);
    fields = List.copyOf(fields);
  }

  /** Only a message. */
  public static ErrorDetails of(String message) {
    return new ErrorDetails(message, "", Map.of(), List.of(), null);
  }
}
