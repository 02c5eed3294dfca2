package io.quotashare.agent.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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
 * Reads the configuration file. What is not known or has the wrong form is a problem with a line.
 */
final class YamlConfig {
  private static final long BYTES_MAX = 1 << 20;

  private final Path file;
  private final RawConfig config = new RawConfig();

  private YamlConfig(Path file) {
    this.file = file;
  }

  static RawConfig read(Path file) {
    YamlConfig reader = new YamlConfig(file);
    try {
      if (Files.size(file) > BYTES_MAX) {
        reader.config.problem(file + ": has more than " + BYTES_MAX + " bytes");
      } else {
        reader.readText(Files.readString(file));
      }
    } catch (IOException e) {
      reader.config.problem(
          file + ": cannot be read: " + e.getClass().getSimpleName() + ": " + e.getMessage());
    }
    return reader.config;
  }

  private void readText(String text) {
    LoadSettings settings = LoadSettings.builder().setLabel(file.toString()).build();
    Optional<Node> root;
    try {
      root = new Compose(settings).composeString(text);
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
      config.problem(file + line + ": is not YAML: " + e.getProblem());
      return;
    } catch (YamlEngineException e) {
      config.problem(file + ": is not YAML: " + e.getMessage());
      return;
    }
    if (root.isEmpty()) {
      return;
    }
    if (root.get() instanceof MappingNode map) {
      map.getValue().forEach(this::readEntry);
    } else {
      config.problem(place(root.get()) + "is no map (expected: KEY: VALUE)");
    }
  }

  private void readEntry(NodeTuple entry) {
    Optional<String> key = scalar(entry.getKeyNode());
    Optional<Setting> setting = key.flatMap(Setting::of);
    if (setting.isEmpty()) {
      config.problem(
          place(entry.getKeyNode())
              + "unknown key '"
              + key.orElse("?")
              + "' (expected: "
              + Arrays.stream(Setting.values()).map(Setting::key).collect(Collectors.joining(", "))
              + ")");
      return;
    }
    String place = place(entry.getKeyNode()) + setting.get().key();
    Node value = entry.getValueNode();
    if (setting.get().isMap() && value instanceof MappingNode map) {
      config.put(setting.get(), new RawConfig.Value("", entries(map, place), place));
    } else if (scalar(value).filter(text -> !text.isEmpty()).isPresent()
        && !setting.get().isMap()) {
      config.put(setting.get(), new RawConfig.Value(scalar(value).get(), Map.of(), place));
    } else {
      config.problem(
          place
              + ": has a value of the wrong form (expected: "
              + (setting.get().isMap() ? "a map of texts" : setting.get().value())
              + ")");
    }
  }

  private Map<String, String> entries(MappingNode map, String place) {
    Map<String, String> entries = new LinkedHashMap<>();
    for (NodeTuple entry : map.getValue()) {
      Optional<String> key = scalar(entry.getKeyNode());
      Optional<String> value = scalar(entry.getValueNode());
      if (key.isEmpty() || value.isEmpty()) {
        config.problem(
            place(entry.getKeyNode())
                + place.substring(place.lastIndexOf(' ') + 1)
                + ": has an entry that is no pair of texts");
      } else if (entries.put(key.get(), value.get()) != null) {
        config.problem(place(entry.getKeyNode()) + key.get() + ": is given twice (expected: once)");
      }
    }
    return entries;
  }

  private static Optional<String> scalar(Node node) {
    return node instanceof ScalarNode scalar ? Optional.of(scalar.getValue()) : Optional.empty();
  }

  private String place(Node node) {
    return file + node.getStartMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("") + ": ";
  }
}
