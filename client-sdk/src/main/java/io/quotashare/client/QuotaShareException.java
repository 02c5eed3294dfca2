package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call did not do what it was asked for. The subclasses say what a program can do about it; this
 * class itself stands for a fault of the scheduler.
 */
public class QuotaShareException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorDetails details;

  /** Made by the client from what the scheduler answered. */
  public QuotaShareException(ErrorDetails details, @Nullable Throwable cause) {
    super(requireNonNull(details, "details").message(), cause);
    this.details = details;
  }

  /** UPPER_SNAKE code for programs, such as REQUEST_ID_REUSED; empty if there is none. */
  public String reason() {
    return details.reason();
  }

  /** Further facts by name. */
  public Map<String, String> metadata() {
    return details.metadata();
  }

  /** The fields that are wrong; empty where no field is. */
  public List<FieldProblem> fields() {
    return details.fields();
  }

  /** When it makes sense to try again; null if the scheduler does not say. */
  public @Nullable Duration retryAfter() {
    return details.retryAfter();
  }

  /** All of it. */
  public ErrorDetails details() {
    return details;
  }
}
