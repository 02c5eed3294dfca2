package io.quotashare.core;

import static java.util.Objects.requireNonNull;

import java.util.SortedMap;
import java.util.TreeMap;

/** A request that the scheduler refuses; it has changed nothing. */
public class RejectedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kind of refusal, as gRPC status codes name it. */
  public enum Kind {
    INVALID_ARGUMENT,
    NOT_FOUND,
    ALREADY_EXISTS,
    FAILED_PRECONDITION,
    RESOURCE_EXHAUSTED
  }

  private final Kind kind;
  private final String reason;
  private final String field;
  private final transient SortedMap<String, String> metadata;

  /**
   * @param kind kind of refusal
   * @param reason UPPER_SNAKE code that programs can act on
   * @param field the field that is at fault, in proto names; empty if none
   * @param message names the field, the value and what was expected
   */
  public RejectedException(Kind kind, String reason, String field, String message) {
    this(kind, reason, field, message, new TreeMap<>());
  }

  /**
   * @param metadata numbers and names of the refusal, for programs
   */
  public RejectedException(
      Kind kind, String reason, String field, String message, SortedMap<String, String> metadata) {
    super(requireNonNull(message, "message is null"));
    this.kind = requireNonNull(kind, "kind is null");
    this.reason = requireNonNull(reason, "reason is null");
    this.field = requireNonNull(field, "field is null");
    this.metadata = new TreeMap<>(metadata);
  }

  public Kind kind() {
    return kind;
  }

  /** UPPER_SNAKE code, such as a permanent {@link io.quotashare.core.model.WaitingReason}. */
  public String reason() {
    return reason;
  }

  /** The field at fault; empty if none. */
  public String field() {
    return field;
  }

  /** Numbers and names of the refusal. */
  public SortedMap<String, String> metadata() {
    return new TreeMap<>(metadata);
  }
}
