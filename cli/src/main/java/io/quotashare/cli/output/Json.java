package io.quotashare.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** The protobuf JSON form: camelCase names, fields with their default printed, enums by name. */
public final class Json {
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().alwaysPrintFieldsWithNoPresence();
  private static final JsonFormat.Printer LINE_PRINTER = PRINTER.omittingInsignificantWhitespace();
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** The message as JSON. */
  public static String of(Message message) {
    return print(PRINTER, message);
  }

  /** The message as JSON in one line, without a line end. */
  public static String line(Message message) {
    return print(LINE_PRINTER, message);
  }

  private static String print(JsonFormat.Printer printer, Message message) {
    try {
      return printer.print(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the message cannot be written as JSON", e);
    }
  }

  /** The message as a YAML document. */
  public static String yaml(Message message) {
    try {
      Object tree = MAPPER.readValue(of(message), Object.class);
      DumpSettings settings = DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();
      return new Dump(settings).dumpToString(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the message cannot be written as YAML", e);
    }
  }
}
