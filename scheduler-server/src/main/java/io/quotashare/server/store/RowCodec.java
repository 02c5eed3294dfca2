package io.quotashare.server.store;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobSpec.LostAfter;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.RetryOn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Rows as canonical JSON: one text a row. The fields are the components of the records in their
 * order, all of them always there; what is absent is null; maps are in the order of their keys; a
 * variant carries its name in {@code type}.
 *
 * <p>Decoding takes nothing else: what would not be encoded to the very same text is refused, be it
 * an unknown, missing or repeated field, another type or only a blank. The one exception are rows
 * that an earlier release wrote: fields that were {@link #ADDED} since may be missing, and have
 * their default then.
 */
final class RowCodec {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          // Records have methods such as isPlanned() that are derived, not stored.
          .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .addMixIn(Limit.class, LimitVariants.class)
          .addMixIn(LostAfter.class, LostAfterVariants.class)
          .addMixIn(RetryOn.class, RetryOnVariants.class)
          .addModule(optionals())
          .build();

  /**
   * A field that rows of earlier releases lack.
   *
   * @param row class of the row
   * @param path names of the records that hold it, from the outside; empty for the row itself
   * @param field its name
   * @param value what it is for those rows
   */
  private record Added(Class<?> row, List<String> path, String field, JsonNode value) {
    private @Nullable ObjectNode holder(JsonNode tree) {
      JsonNode at = tree;
      for (String name : path) {
        at = at.path(name);
      }
      return at instanceof ObjectNode object ? object : null;
    }
  }

  private static final List<Added> ADDED =
      List.of(
          new Added(
              Queue.class,
              List.of(),
              "preemptionMode",
              TextNode.valueOf(PreemptionMode.ENFORCE.name())),
          new Added(Attempt.class, List.of(), "saveRequest", NullNode.getInstance()),
          new Added(
              Job.class,
              List.of("spec"),
              "retryOn",
              JsonNodeFactory.instance.objectNode().put("type", "any")));

  /** A text that is not a row. */
  static final class MalformedRowException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedRowException(String message, Throwable cause) {
      super(message, cause);
    }

    MalformedRowException(String message) {
      super(message);
    }
  }

  private RowCodec() {}

  /**
   * The canonical text of a row.
   *
   * @throws IllegalArgumentException if it holds text that is not Unicode, such as half a surrogate
   *     pair
   */
  static String encode(Object row) {
    String text;
    try {
      text = MAPPER.writeValueAsString(row);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a row: " + e.getOriginalMessage(), e);
    }
    Texts.checkUnicode(text, "row");
    return text;
  }

  /** The row of a text. */
  static <T> T decode(String text, Class<T> type) throws MalformedRowException {
    List<Added> missing = new ArrayList<>();
    T row;
    try {
      JsonNode tree = mayLackFields(text, type) ? MAPPER.readTree(text) : null;
      if (tree != null) {
        fill(tree, type, missing);
      }
      row = tree == null ? MAPPER.readValue(text, type) : MAPPER.treeToValue(tree, type);
    } catch (JsonMappingException e) {
      throw new MalformedRowException(
          "field " + e.getPathReference() + ": " + e.getOriginalMessage(), e);
    } catch (JsonProcessingException e) {
      throw new MalformedRowException("not JSON: " + e.getOriginalMessage(), e);
    }
    if (row == null) {
      throw new MalformedRowException("null (expected: a row)");
    }
    if (!encodeWithout(row, missing).equals(text)) {
      throw new MalformedRowException("not in canonical form");
    }
    return row;
  }

  /** Whether a row is of an earlier release, as far as its text tells. */
  private static boolean mayLackFields(String text, Class<?> type) {
    return ADDED.stream()
        .anyMatch(a -> a.row() == type && !text.contains("\"" + a.field() + "\":"));
  }

  private static void fill(JsonNode tree, Class<?> type, List<Added> missing) {
    for (Added added : ADDED) {
      ObjectNode holder = added.row() == type ? added.holder(tree) : null;
      if (holder != null && !holder.has(added.field())) {
        holder.set(added.field(), added.value());
        missing.add(added);
      }
    }
  }

  /** The text that the earlier release wrote. */
  private static String encodeWithout(Object row, List<Added> missing) {
    if (missing.isEmpty()) {
      return encode(row);
    }
    JsonNode tree = MAPPER.valueToTree(row);
    for (Added added : missing) {
      ObjectNode holder = added.holder(tree);
      if (holder != null) {
        holder.remove(added.field());
      }
    }
    return tree.toString();
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Limit.Percent.class, name = "percent"),
    @JsonSubTypes.Type(value = Limit.Devices.class, name = "devices")
  })
  private interface LimitVariants {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = LostAfter.Default.class, name = "default"),
    @JsonSubTypes.Type(value = LostAfter.Never.class, name = "never"),
    @JsonSubTypes.Type(value = LostAfter.After.class, name = "after")
  })
  private interface LostAfterVariants {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = RetryOn.Any.class, name = "any"),
    @JsonSubTypes.Type(value = RetryOn.Only.class, name = "only"),
    @JsonSubTypes.Type(value = RetryOn.Except.class, name = "except")
  })
  private interface RetryOnVariants {}

  private static SimpleModule optionals() {
    return new SimpleModule("optionals")
        .addSerializer(OptionalLong.class, new OptionalLongWriter())
        .addDeserializer(OptionalLong.class, new OptionalLongReader())
        .addSerializer(OptionalInt.class, new OptionalIntWriter())
        .addDeserializer(OptionalInt.class, new OptionalIntReader());
  }

  private static final class OptionalLongWriter extends StdSerializer<OptionalLong> {
    private static final long serialVersionUID = 1L;

    OptionalLongWriter() {
      super(OptionalLong.class);
    }

    @Override
    public void serialize(OptionalLong value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      if (value.isPresent()) {
        out.writeNumber(value.getAsLong());
      } else {
        out.writeNull();
      }
    }
  }

  private static final class OptionalLongReader extends StdDeserializer<OptionalLong> {
    private static final long serialVersionUID = 1L;

    OptionalLongReader() {
      super(OptionalLong.class);
    }

    @Override
    public OptionalLong deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      return OptionalLong.of(_parseLongPrimitive(in, context));
    }

    @Override
    public OptionalLong getNullValue(DeserializationContext context) {
      return OptionalLong.empty();
    }
  }

  private static final class OptionalIntWriter extends StdSerializer<OptionalInt> {
    private static final long serialVersionUID = 1L;

    OptionalIntWriter() {
      super(OptionalInt.class);
    }

    @Override
    public void serialize(OptionalInt value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      if (value.isPresent()) {
        out.writeNumber(value.getAsInt());
      } else {
        out.writeNull();
      }
    }
  }

  private static final class OptionalIntReader extends StdDeserializer<OptionalInt> {
    private static final long serialVersionUID = 1L;

    OptionalIntReader() {
      super(OptionalInt.class);
    }

    @Override
    public OptionalInt deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      return OptionalInt.of(_parseIntPrimitive(in, context));
    }

    @Override
    public OptionalInt getNullValue(DeserializationContext context) {
      return OptionalInt.empty();
    }
  }
}
