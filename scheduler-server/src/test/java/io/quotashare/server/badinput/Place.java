package io.quotashare.server.badinput;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;

/**
 * A field of a request, reached through the fields of messages that lead there; of a list, through
 * its first element.
 */
record Place(String request, List<FieldDescriptor> through, FieldDescriptor field) {
  /** Every field of the request's type and of the messages that it can contain. */
  static List<Place> allOf(com.google.protobuf.Descriptors.Descriptor request) {
    List<Place> places = new ArrayList<>();
    collect(request.getName(), request, List.of(), places);
    return places;
  }

  private static void collect(
      String request,
      com.google.protobuf.Descriptors.Descriptor type,
      List<FieldDescriptor> through,
      List<Place> places) {
    for (FieldDescriptor field : type.getFields()) {
      places.add(new Place(request, through, field));
      if (isOurs(field)) {
        List<FieldDescriptor> deeper = new ArrayList<>(through);
        deeper.add(field);
        collect(request, field.getMessageType(), deeper, places);
      }
    }
  }

  private static boolean isOurs(FieldDescriptor field) {
    return field.getJavaType() == JavaType.MESSAGE
        && !field.isMapField()
        && field.getMessageType().getFullName().startsWith("quotashare.");
  }

  /** Such as {@code SubmitJobRequest.spec.priority}. */
  String longKey() {
    StringBuilder key = new StringBuilder(request);
    through.forEach(f -> key.append('.').append(f.getName()));
    return key.append('.').append(field.getName()).toString();
  }

  /** Such as {@code JobSpec.priority}. */
  String shortKey() {
    return field.getContainingType().getName() + "." + field.getName();
  }

  /** As a violation names it, such as {@code queues[0].queue.name}. */
  String path() {
    StringBuilder path = new StringBuilder();
    through.forEach(f -> path.append(f.getName()).append(f.isRepeated() ? "[0]." : "."));
    return path.append(field.getName()).toString();
  }

  /** Whether the message has all that leads to the field. */
  boolean isIn(Message message) {
    if (through.isEmpty() && field.getRealContainingOneof() != null && !message.hasField(field)) {
      return false;
    }
    Message at = message;
    for (FieldDescriptor field : through) {
      if (field.isRepeated() ? at.getRepeatedFieldCount(field) == 0 : !at.hasField(field)) {
        return false;
      }
      at = (Message) (field.isRepeated() ? at.getRepeatedField(field, 0) : at.getField(field));
    }
    return true;
  }

  /** The message, changed at this place. */
  Message with(Message message, Bad bad) {
    return changed(message, 0, bad);
  }

  private Message changed(Message message, int depth, Bad bad) {
    Message.Builder builder = message.toBuilder();
    if (depth == through.size()) {
      bad.change().apply(builder, field);
      return builder.build();
    }
    FieldDescriptor next = through.get(depth);
    if (next.isRepeated()) {
      Message inner = (Message) message.getRepeatedField(next, 0);
      builder.setRepeatedField(next, 0, changed(inner, depth + 1, bad));
    } else {
      builder.setField(next, changed((Message) message.getField(next), depth + 1, bad));
    }
    return builder.build();
  }
}
