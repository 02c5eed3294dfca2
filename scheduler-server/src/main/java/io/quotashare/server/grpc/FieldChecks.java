package io.quotashare.server.grpc;

import com.google.rpc.BadRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Collects what is wrong with the fields of a request, so that one answer names all of it. A
 * message says the value and what was expected.
 */
public final class FieldChecks {
  /** Most violations that an answer lists. */
  private static final int MAX_LISTED = 20;

  /** Longest piece of a value in a message. */
  private static final int MAX_SHOWN = 64;

  private final String prefix;
  private final List<BadRequest.FieldViolation> violations;

  public FieldChecks() {
    this("", new ArrayList<>());
  }

  private FieldChecks(String prefix, List<BadRequest.FieldViolation> violations) {
    this.prefix = prefix;
    this.violations = violations;
  }

  /** The same collection for the fields inside {@code field}. */
  public FieldChecks in(String field) {
    return new FieldChecks(path(field), violations);
  }

  /** Records that a field is wrong. */
  public void reject(String field, String message) {
    violations.add(Errors.violation(path(field), message));
  }

  /**
   * Records that a field is wrong unless {@code good}.
   *
   * @param value the value at fault
   * @param expected what was expected, such as {@code 0 to 9999}
   * @return {@code good}
   */
  public boolean check(boolean good, String field, Object value, String expected) {
    if (!good) {
      reject(field, shown(value) + " (expected: " + expected + ")");
    }
    return good;
  }

  /** Records that a field is wrong unless it is one line of at most so many characters. */
  public boolean checkLine(String field, String value, int maxLength) {
    boolean good =
        value.codePointCount(0, value.length()) <= maxLength
            && value.codePoints().noneMatch(Character::isISOControl);
    return check(good, field, value, "one line of at most " + maxLength + " characters");
  }

  /** Whether nothing was wrong so far. */
  public boolean isEmpty() {
    return violations.isEmpty();
  }

  /** Throws INVALID_ARGUMENT with all that was recorded, if anything was. */
  public void throwIfAny() {
    if (!violations.isEmpty()) {
      throw toError();
    }
  }

  /** Throws the same as a refusal of the scheduler, for checks on the engine's thread. */
  public void refuseIfAny() {
    if (!violations.isEmpty()) {
      throw new InvalidFieldsException(violations.get(0).getField(), toError());
    }
  }

  StatusRuntimeException toError() {
    List<BadRequest.FieldViolation> listed = listed();
    return Errors.status(
        Status.Code.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
        message(listed),
        Map.of("field", listed.get(0).getField()),
        List.of(BadRequest.newBuilder().addAllFieldViolations(listed).build()));
  }

  private List<BadRequest.FieldViolation> listed() {
    return violations.subList(0, Math.min(violations.size(), MAX_LISTED));
  }

  private String message(List<BadRequest.FieldViolation> listed) {
    String message =
        listed.stream()
            .map(v -> v.getField() + ": " + v.getDescription())
            .collect(Collectors.joining("; "));
    int more = violations.size() - listed.size();
    return more == 0 ? message : message + "; and " + more + " more";
  }

  /** A value as a message shows it: short, on one line, an empty one as such. */
  public static String shown(Object value) {
    String text = String.valueOf(value);
    if (text.isEmpty()) {
      return "empty";
    }
    String cut = text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    return cut.codePoints()
        .mapToObj(
            c -> Character.isISOControl(c) ? String.format("\\u%04x", c) : Character.toString(c))
        .collect(Collectors.joining());
  }

  private String path(String field) {
    return prefix.isEmpty() ? field : field.isEmpty() ? prefix : prefix + "." + field;
  }
}
