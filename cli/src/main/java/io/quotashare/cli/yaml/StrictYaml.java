package io.quotashare.cli.yaml;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads one YAML 1.2 document (JSON is YAML) into {@link YamlValue}s. Types are those of the core
 * schema: {@code yes} is a text, not a boolean.
 *
 * <pre>{@code
 * YamlProblems problems = new YamlProblems("policy.yaml");
 * YamlValue root = StrictYaml.read(text, problems);
 * root.asMap(Set.of("queues")).ifPresent(map -> ...);
 * problems.throwIfAny();
 * }</pre>
 */
public final class StrictYaml {
  /** Larger files are refused: 16 MiB. */
  public static final int MAX_BYTES = 16 << 20;

  /** Aliases of maps and lists in one document: more are an attempt to blow the reader up. */
  private static final int MAX_ALIASES = 1000;

  private StrictYaml() {}

  /**
   * Reads a file of one document.
   *
   * @param file the file; messages name it as given
   * @throws InvalidFileException if it cannot be read, is larger than {@link #MAX_BYTES}, is not
   *     UTF-8 or is not one YAML document
   */
  public static YamlValue readFile(Path file, YamlProblems problems) {
    return read(text(file, problems), problems);
  }

  /**
   * Reads a file of one or several documents, in their order.
   *
   * @param most more documents are refused
   * @throws InvalidFileException as {@link #readFile}
   */
  public static List<YamlValue> readDocuments(Path file, int most, YamlProblems problems) {
    List<YamlValue> values = compose(text(file, problems), most, problems);
    problems.throwIfAny();
    return values;
  }

  /**
   * Reads a text of one document.
   *
   * @param problems names the file in messages and collects what the accessors of the result find
   * @throws InvalidFileException if the text is not one YAML document
   */
  public static YamlValue read(String text, YamlProblems problems) {
    YamlValue value = compose(text, 1, problems).get(0);
    problems.throwIfAny();
    return value;
  }

  private static String text(Path file, YamlProblems problems) {
    try {
      long size = Files.size(file);
      if (size > MAX_BYTES) {
        throw refuse(
            problems, "the file has " + size + " bytes, at most " + MAX_BYTES + " are accepted");
      }
      return decode(Files.readAllBytes(file), problems);
    } catch (NoSuchFileException e) {
      throw refuse(problems, "there is no such file");
    } catch (IOException e) {
      String why = Files.isDirectory(file) ? "it is a directory" : e.toString();
      throw refuse(problems, "the file cannot be read: " + why);
    }
  }

  private static List<YamlValue> compose(String text, int most, YamlProblems problems) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(problems.file())
            .setSchema(new CoreSchema())
            .setCodePointLimit(MAX_BYTES)
            .setMaxAliasesForCollections(MAX_ALIASES)
            .setUseMarks(true)
            .build();
    try {
      List<YamlValue> values = new ArrayList<>();
      for (Node document : new Compose(settings).composeAllFromString(text)) {
        YamlValue value = new YamlValue(document, "", problems);
        if (values.size() == most) {
          value.problem(tooMany(most));
          return values;
        }
        values.add(value);
      }
      if (values.isEmpty()) {
        throw refuse(problems, "the file is empty");
      }
      return values;
    } catch (MarkedYamlEngineException e) {
      throw malformed(e, problems);
    } catch (ReaderException e) {
      throw refuse(
          problems, String.format("the character U+%04X is not allowed in YAML", e.getCodePoint()));
    } catch (YamlEngineException e) {
      throw refuse(problems, "this is not valid YAML: " + e.getMessage());
    }
  }

  private static String tooMany(int most) {
    return most == 1
        ? "a second document begins here; the file must hold exactly one"
        : "document " + (most + 1) + " begins here; a file may hold at most " + most;
  }

  private static String decode(byte[] bytes, YamlProblems problems) {
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw refuse(problems, "the file is not UTF-8 text");
    }
  }

  private static InvalidFileException malformed(
      MarkedYamlEngineException e, YamlProblems problems) {
    Mark mark = e.getProblemMark().or(e::getContextMark).orElse(null);
    String what = e.getContext() == null ? e.getProblem() : e.getContext() + ", " + e.getProblem();
    problems.add(
        mark == null ? 1 : mark.getLine() + 1,
        mark == null ? 1 : mark.getColumn() + 1,
        "",
        "this is not valid YAML: " + what.replace('\n', ' '));
    return problems.toException();
  }

  private static InvalidFileException refuse(YamlProblems problems, String message) {
    problems.addOfFile(message);
    return problems.toException();
  }
}
