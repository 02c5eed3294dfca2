package io.quotashare.server.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Reads the configuration file. Strict: a key that nobody knows, that stands twice or whose value
 * is wrong is an error with file and line, and all of them are told at once.
 */
final class ConfigFile {
  private static final long MAX_BYTES = 1 << 20;

  private static final Map<String, ConfigKey<?>> KEYS =
      ConfigKeys.ALL.stream().collect(Collectors.toMap(ConfigKey::path, Function.identity()));

  private final Path file;
  private final ServerConfig.Builder into;
  private final List<String> problems = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();

  private ConfigFile(Path file, ServerConfig.Builder into) {
    this.file = file;
    this.into = into;
  }

  /** Sets what the file sets. */
  static void read(Path file, ServerConfig.Builder into) {
    ConfigFile reader = new ConfigFile(file, into);
    reader.document(reader.text());
    if (!reader.problems.isEmpty()) {
      throw new ConfigException(reader.problems);
    }
  }

  private String text() {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new ConfigException(
            file + ": " + Files.size(file) + " bytes (expected: at most " + MAX_BYTES + ")");
      }
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new ConfigException(file + ": there is no such file");
    } catch (CharacterCodingException e) {
      throw new ConfigException(file + ": not UTF-8 text");
    } catch (IOException e) {
      throw new ConfigException(file + ": cannot be read: " + e);
    }
  }

  private void document(String text) {
    LoadSettings settings =
        LoadSettings.builder().setLabel(file.toString()).setUseMarks(true).build();
    try {
      Iterator<Node> documents = new Compose(settings).composeAllFromString(text).iterator();
      if (!documents.hasNext()) {
        return;
      }
      Node root = documents.next();
      if (documents.hasNext()) {
        problem(documents.next(), "", "a second document (expected: one)");
      }
      if (root instanceof MappingNode mapping) {
        section("", mapping);
      } else {
        problem(root, "", "not a map (expected: keys and values)");
      }
    } catch (MarkedYamlEngineException e) {
      String where = e.getProblemMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
      problems.add(file + where + ": not valid YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      problems.add(file + ": not valid YAML: " + e.getMessage());
    }
  }

  private void section(String prefix, MappingNode mapping) {
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
        problem(tuple.getKeyNode(), prefix, "a key that is no text (expected: a name)");
        continue;
      }
      String path = prefix.isEmpty() ? name.getValue() : prefix + "." + name.getValue();
      if (!seen.add(path)) {
        problem(name, path, "set twice (expected: once)");
      } else if (tuple.getValueNode() instanceof MappingNode inner && isSection(path)) {
        section(path, inner);
      } else {
        value(path, name, tuple.getValueNode());
      }
    }
  }

  private void value(String path, Node name, Node value) {
    ConfigKey<?> key = KEYS.get(path);
    if (key == null) {
      String what =
          isSection(path)
              ? "not a map (expected: the keys of this section)"
              : "unknown key" + Suggestion.of(path, known());
      problem(name, path, what);
    } else if (!(value instanceof ScalarNode scalar)) {
      problem(value, path, "not a single value (expected: " + key.type().expected() + ")");
    } else if (!into.setText(key, scalar.getValue())) {
      problem(value, path, scalar.getValue() + " (expected: " + key.type().expected() + ")");
    }
  }

  private void problem(Node at, String path, String what) {
    String line = at.getStartMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
    problems.add(file + line + ": " + (path.isEmpty() ? "" : path + ": ") + what);
  }

  private static boolean isSection(String path) {
    return KEYS.keySet().stream().anyMatch(key -> key.startsWith(path + "."));
  }

  private static Set<String> known() {
    return new TreeSet<>(KEYS.keySet());
  }
}
