package io.quotashare.server.badinput;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes requests that nobody would write, from a seed. */
final class Mutator {
  private static final List<String> TEXTS =
      List.of(
          "",
          "\0",
          "a\nb",
          "-",
          "queues/-",
          "queues/research",
          "queues/research/jobs/running",
          "queues/research/shares/lender",
          "nodes/n1",
          "../..",
          "%s%n",
          "\uD83D\uDE00",
          "*",
          "queues/research/jobs/running/attempts/1",
          "123e4567-e89b-12d3-a456-426614174000",
          "H100",
          "9999999999999999999",
          "x".repeat(5_000));
  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    2,
    7,
    1000,
    1001,
    9999,
    10_000,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    253_402_300_800L
  };

  private final Random random;

  Mutator(long seed) {
    random = new Random(seed);
  }

  /** Bytes that are no message, or one by chance. */
  byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(200)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A message with some of its bytes changed, taken out or repeated. */
  byte[] damaged(byte[] message) {
    if (message.length == 0) {
      return bytes();
    }
    byte[] bytes = message.clone();
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(3)) {
      case 0 -> bytes = Arrays.copyOf(bytes, at);
      case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      default -> {
        byte[] longer = Arrays.copyOf(bytes, bytes.length + at);
        System.arraycopy(bytes, 0, longer, bytes.length, at);
        bytes = longer;
      }
    }
    return bytes;
  }

  /** A message with up to four of its fields, at any depth, set to anything or to nothing. */
  Message changed(Message message) {
    Message result = message;
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      result = changedOnce(result);
    }
    return result;
  }

  private Message changedOnce(Message message) {
    List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
    if (fields.isEmpty()) {
      return message;
    }
    FieldDescriptor field = fields.get(random.nextInt(fields.size()));
    Message.Builder builder = message.toBuilder();
    boolean inside = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    if (random.nextInt(5) == 0) {
      builder.clearField(field);
    } else if (field.isRepeated()) {
      int count = message.getRepeatedFieldCount(field);
      if (count > 0 && inside && random.nextBoolean()) {
        int at = random.nextInt(count);
        builder.setRepeatedField(
            field, at, changedOnce((Message) message.getRepeatedField(field, at)));
      } else if (count < 50) {
        builder.addRepeatedField(field, value(builder, field));
      }
    } else if (inside && message.hasField(field)) {
      builder.setField(field, changedOnce((Message) message.getField(field)));
    } else {
      builder.setField(field, value(builder, field));
    }
    return builder.build();
  }

  private Object value(Message.Builder of, FieldDescriptor field) {
    long number = NUMBERS[random.nextInt(NUMBERS.length)];
    return switch (field.getJavaType()) {
      case INT -> (int) number;
      case LONG -> number;
      case FLOAT -> (float) number;
      case DOUBLE -> random.nextBoolean() ? Double.NaN : (double) number;
      case BOOLEAN -> random.nextBoolean();
      case STRING -> TEXTS.get(random.nextInt(TEXTS.size()));
      case BYTE_STRING -> ByteString.copyFrom(bytes());
      case ENUM -> constant(field);
      case MESSAGE -> changedOnce(of.newBuilderForField(field).build());
    };
  }

  private EnumValueDescriptor constant(FieldDescriptor field) {
    return field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(25) - 1);
  }
}
