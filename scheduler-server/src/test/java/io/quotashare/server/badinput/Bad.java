package io.quotashare.server.badinput;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Duration;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One bad value of one field, and the answer that it deserves.
 *
 * @param what for people
 * @param change puts the value into a good message
 * @param code expected status
 * @param reason expected reason; empty for any
 * @param field the violation that must be named, made from the path of the field; for
 *     INVALID_ARGUMENT only
 * @param shown what the message must contain besides
 */
record Bad(
    String what,
    Change change,
    Status.Code code,
    String reason,
    Function<String, String> field,
    String shown) {
  /** Longest piece of a value that messages show. */
  private static final int SHOWN = 64;

  /** Puts a bad value into a field of a message. */
  @FunctionalInterface
  interface Change {
    void apply(Message.Builder message, FieldDescriptor field);
  }

  private static Bad invalid(String what, Change change, String shown) {
    return new Bad(
        what,
        change,
        Status.Code.INVALID_ARGUMENT,
        "",
        Function.identity(),
        shown.length() <= SHOWN ? shown : shown.substring(0, SHOWN));
  }

  /** The field has this value. */
  static Bad value(Object value) {
    String text = String.valueOf(value);
    return invalid(
        text.length() <= 40 ? "'" + text + "'" : text.length() + " characters",
        (message, field) -> message.setField(field, value),
        text.isEmpty() ? "empty" : text.codePoints().anyMatch(Character::isISOControl) ? "" : text);
  }

  /** The field of an enum has a number that nobody knows. */
  static Bad unknownEnum() {
    return invalid(
        "unknown enum number",
        (message, field) -> {
          Object value = field.getEnumType().findValueByNumberCreatingIfUnknown(4711);
          message.setField(field, field.isRepeated() ? List.of(value) : value);
        },
        "4711");
  }

  /** The field is not set, or a list or map is empty. */
  static Bad missing() {
    return invalid("missing", Message.Builder::clearField, "");
  }

  /** A list has one element, of this value; the element is named. */
  static Bad element(Object value) {
    return invalid(
            "[0] = " + value,
            (message, field) -> message.setField(field, List.of(value)),
            String.valueOf(value).isEmpty() ? "" : String.valueOf(value))
        .at(path -> path + "[0]");
  }

  /** A list repeats its first element until it has this many. */
  static Bad elements(int count) {
    return invalid(
        count + " elements",
        (message, field) -> {
          Object first =
              message.getRepeatedFieldCount(field) > 0
                  ? message.getRepeatedField(field, 0)
                  : field.getJavaType() == JavaType.STRING
                      ? "x"
                      : field.getEnumType().findValueByNumber(1);
          List<Object> all = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            all.add(first);
          }
          message.setField(field, all);
        },
        Integer.toString(count));
  }

  /** A map has one entry; the entry is named. */
  static Bad entry(Object key, Object value) {
    return invalid(
            "["
                + (key.toString().length() > 40 ? key.toString().length() + " characters" : key)
                + "]",
            (message, field) -> {
              message.clearField(field);
              message.addRepeatedField(field, mapEntry(message, field, key, value));
            },
            "")
        .at(path -> path + "[");
  }

  /** A map of strings has this many entries. */
  static Bad entries(int count, Object value) {
    return invalid(
        count + " entries",
        (message, field) -> {
          message.clearField(field);
          for (int i = 0; i < count; i++) {
            message.addRepeatedField(field, mapEntry(message, field, "K" + i, value));
          }
        },
        Integer.toString(count));
  }

  private static Message mapEntry(
      Message.Builder message, FieldDescriptor field, Object key, Object value) {
    MapEntry<?, ?> prototype = (MapEntry<?, ?>) message.newBuilderForField(field).build();
    Message.Builder entry = prototype.toBuilder();
    entry.setField(entry.getDescriptorForType().findFieldByNumber(1), key);
    entry.setField(entry.getDescriptorForType().findFieldByNumber(2), value);
    return entry.build();
  }

  /** A span of time. */
  static Bad span(long seconds, int nanos) {
    return invalid(
        seconds + " s " + nanos + " ns",
        (message, field) ->
            message.setField(
                field, Duration.newBuilder().setSeconds(seconds).setNanos(nanos).build()),
        Long.toString(seconds));
  }

  /** An instant. */
  static Bad instant(long seconds, int nanos) {
    return invalid(
        seconds + " s " + nanos + " ns",
        (message, field) ->
            message.setField(
                field, Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos).build()),
        "");
  }

  /** Any other change of the message. */
  static Bad with(String what, Change change) {
    return invalid(what, change, "");
  }

  /** The same, and another field is to be named: the path of this one is given. */
  Bad at(Function<String, String> named) {
    return new Bad(what, change, code, reason, named, shown);
  }

  /** The same, and a field of the same message is to be named. */
  Bad atSibling(String name) {
    return at(path -> path.substring(0, path.lastIndexOf('.') + 1) + name);
  }

  /** The same, with another answer. */
  Bad answered(Status.Code other, String because) {
    return new Bad(what, change, other, because, field, shown);
  }

  /** The same, and the message contains this. */
  Bad showing(String text) {
    return new Bad(what, change, code, reason, field, text);
  }

  /** It names what does not exist. */
  Bad notFound() {
    return answered(Status.Code.NOT_FOUND, "NOT_FOUND");
  }
}
