package io.quotashare.cli.context;

import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.quotashare.cli.output.Column;
import io.quotashare.cli.output.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How contexts are shown. */
final class ContextTexts {
  private ContextTexts() {}

  /** Contexts in every format; a star marks the one in use. */
  static Resource<Context> contexts(@Nullable String inUse) {
    return new Resource<>(
        "contexts",
        List.of(
            Column.text("", context -> context.name().equals(inUse) ? "*" : ""),
            Column.text("CONTEXT", Context::name),
            Column.text("SCHEDULERS", context -> orDash(String.join(",", context.schedulers()))),
            Column.text("ADMIN", context -> orDash(context.admin())),
            Column.text("QUEUE", context -> orDash(context.queue())),
            Column.text("SHARE", context -> orDash(context.share())),
            Column.text("OUTPUT", context -> orDash(context.output()))),
        Context::name,
        context -> message(context, context.name().equals(inUse)));
  }

  /** The keys of the file, with the name, and whether the context is in use. */
  private static Message message(Context context, boolean inUse) {
    Struct.Builder struct =
        Struct.newBuilder()
            .putFields("name", text(context.name()))
            .putFields("inUse", Value.newBuilder().setBoolValue(inUse).build());
    ConfigWriter.keys(context).forEach((key, value) -> struct.putFields(key, value(value)));
    return struct.build();
  }

  private static Value value(Object value) {
    if (value instanceof List<?> list) {
      ListValue.Builder values = ListValue.newBuilder();
      list.forEach(entry -> values.addValues(text(entry.toString())));
      return Value.newBuilder().setListValue(values).build();
    }
    return text(value.toString());
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static String orDash(@Nullable Object value) {
    return value == null || value.toString().isEmpty() ? "-" : value.toString();
  }
}
