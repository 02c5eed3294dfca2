package io.quotashare.cli.yaml;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One value of a document with its place. Each {@code as...} method either returns the value as the
 * wanted type or records a problem and returns empty; it never throws for what a file says.
 */
public final class YamlValue {
  /** Values longer than this are cut in messages, in characters. */
  private static final int MAX_SHOWN = 60;

  private final Node node;
  private final String path;
  private final YamlProblems problems;

  YamlValue(Node node, String path, YamlProblems problems) {
    this.node = node;
    this.path = path;
    this.problems = problems;
  }

  /** Where in the document, such as {@code queues[0].name}; empty for the root. */
  public String path() {
    return path;
  }

  /** Line of its first character, from 1. */
  public int line() {
    return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }

  /** Column of its first character, from 1. */
  public int column() {
    return node.getStartMark().map(Mark::getColumn).orElse(0) + 1;
  }

  /** Records a problem at this place. The message says the value and what was expected. */
  public void problem(String message) {
    problems.add(line(), column(), path, message);
  }

  /** True for {@code ~}, {@code null} and a key without a value. */
  public boolean isNull() {
    return node.getTag().equals(Tag.NULL);
  }

  /** True for a map. */
  public boolean isMap() {
    return node instanceof MappingNode;
  }

  /** True for a list. */
  public boolean isList() {
    return node instanceof SequenceNode;
  }

  /** The value as a message shows it: scalars in quotes if they are text, cut if long. */
  public String shown() {
    if (isNull()) {
      return "nothing";
    }
    if (node instanceof ScalarNode scalar) {
      String text = scalar.getValue();
      String cut = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
      return node.getTag().equals(Tag.STR) ? "\"" + cut + "\"" : cut;
    }
    return isMap() ? "a map" : "a list";
  }

  /** A text. Numbers and booleans must be put in quotes. */
  public Optional<String> asString() {
    if (node instanceof ScalarNode scalar && node.getTag().equals(Tag.STR)) {
      return Optional.of(scalar.getValue());
    }
    boolean quotable = node instanceof ScalarNode && !isNull();
    return expected("text" + (quotable ? ": write it in quotes" : ""));
  }

  /** A text that is not empty. */
  public Optional<String> asNonEmptyString() {
    Optional<String> text = asString();
    if (text.isPresent() && text.get().isBlank()) {
      return expected("text that is not empty");
    }
    return text;
  }

  /** A whole number from {@code min} to {@code max}. */
  public Optional<Integer> asInt(int min, int max) {
    return asLong(min, max).map(Math::toIntExact);
  }

  /** A whole number from {@code min} to {@code max}. */
  public Optional<Long> asLong(long min, long max) {
    String range =
        max == Long.MAX_VALUE || max == Integer.MAX_VALUE
            ? "a whole number, " + min + " or more"
            : "a whole number from " + min + " to " + max;
    if (!(node instanceof ScalarNode scalar) || !node.getTag().equals(Tag.INT)) {
      return expected(range);
    }
    BigInteger value = parseInteger(scalar.getValue());
    if (value.compareTo(BigInteger.valueOf(min)) < 0
        || value.compareTo(BigInteger.valueOf(max)) > 0) {
      return expected(range);
    }
    return Optional.of(value.longValueExact());
  }

  /** {@code true} or {@code false}. */
  public Optional<Boolean> asBoolean() {
    if (node instanceof ScalarNode scalar && node.getTag().equals(Tag.BOOL)) {
      return Optional.of(Boolean.parseBoolean(scalar.getValue()));
    }
    return expected("true or false");
  }

  /** A duration of any sign, see {@link Durations#parse}. */
  public Optional<Duration> asDuration() {
    if (!(node instanceof ScalarNode scalar) || !node.getTag().equals(Tag.STR)) {
      return expected(Durations.EXPECTED);
    }
    try {
      return Optional.of(Durations.parse(scalar.getValue()));
    } catch (IllegalArgumentException e) {
      problem(e.getMessage());
      return Optional.empty();
    }
  }

  /** A duration of at least {@code min}. */
  public Optional<Duration> asDuration(Duration min) {
    Optional<Duration> duration = asDuration();
    if (duration.isPresent() && duration.get().compareTo(min) < 0) {
      return expected("a duration of " + Durations.format(min) + " or more");
    }
    return duration;
  }

  /** One constant of an enum, spelt exactly as its name. */
  public <E extends Enum<E>> Optional<E> asEnum(Class<E> type) {
    return asEnum(type, List.of(type.getEnumConstants()));
  }

  /** One of the given constants of an enum, spelt exactly as its name. */
  public <E extends Enum<E>> Optional<E> asEnum(Class<E> type, Collection<E> accepted) {
    List<String> names = accepted.stream().map(Enum::name).collect(Collectors.toList());
    return asChoice(names).map(name -> Enum.valueOf(type, name));
  }

  /** One of the given words. */
  public Optional<String> asChoice(Collection<String> words) {
    if (node instanceof ScalarNode scalar && words.contains(scalar.getValue())) {
      return Optional.of(scalar.getValue());
    }
    if (node instanceof ScalarNode scalar && !isNull()) {
      String near =
          Suggestions.nearest(scalar.getValue(), words)
              .map(word -> " (did you mean " + word + "?)")
              .orElse("");
      return expected("one of " + Suggestions.list(words) + near);
    }
    return expected("one of " + Suggestions.list(words));
  }

  /** A list. */
  public Optional<List<YamlValue>> asList() {
    if (!(node instanceof SequenceNode sequence)) {
      return expected("a list");
    }
    List<YamlValue> values = new ArrayList<>();
    for (Node child : sequence.getValue()) {
      values.add(new YamlValue(child, path + "[" + values.size() + "]", problems));
    }
    return Optional.of(values);
  }

  /** A list of texts. */
  public Optional<List<String>> asStrings() {
    return asList()
        .map(
            list -> list.stream().flatMap(v -> v.asString().stream()).collect(Collectors.toList()));
  }

  /** A map with exactly these keys known; any other key is a problem. */
  public Optional<YamlMap> asMap(Set<String> knownKeys) {
    return asEntries("a map with the keys " + Suggestions.list(sorted(knownKeys)))
        .map(entries -> YamlMap.of(this, entries, knownKeys));
  }

  /** A map whose keys the writer chooses, such as labels, in the order of the file. */
  public Optional<Map<String, YamlValue>> asEntries() {
    return asEntries("a map");
  }

  /** A map of texts, such as labels: {@code {pool: research}}. */
  public Optional<Map<String, String>> asStringMap() {
    return asEntries()
        .map(
            entries -> {
              Map<String, String> map = new LinkedHashMap<>();
              entries.forEach((key, value) -> value.asString().ifPresent(s -> map.put(key, s)));
              return map;
            });
  }

  /** A map of whole numbers from {@code min} to {@code max}, such as {@code {H100: 8}}. */
  public Optional<Map<String, Integer>> asIntMap(int min, int max) {
    return asEntries()
        .map(
            entries -> {
              Map<String, Integer> map = new TreeMap<>();
              entries.forEach((key, v) -> v.asInt(min, max).ifPresent(i -> map.put(key, i)));
              return map;
            });
  }

  private Optional<Map<String, YamlValue>> asEntries(String expected) {
    if (!(node instanceof MappingNode mapping)) {
      return expected(expected);
    }
    Map<String, YamlValue> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      YamlValue keyValue = new YamlValue(tuple.getKeyNode(), path, problems);
      if (!(tuple.getKeyNode() instanceof ScalarNode keyNode) || keyValue.isNull()) {
        keyValue.problem("the key is " + keyValue.shown() + ", expected text");
        continue;
      }
      String key = keyNode.getValue();
      String childPath = path.isEmpty() ? key : path + "." + key;
      YamlValue child = new YamlValue(tuple.getValueNode(), childPath, problems);
      if (entries.putIfAbsent(key, child) != null) {
        new YamlValue(tuple.getKeyNode(), childPath, problems)
            .problem("the key stands twice in this map, first in line " + keyLine(mapping, key));
      }
    }
    return Optional.of(entries);
  }

  /** Where the key of an entry stands; the entry's own value if there is none. */
  YamlValue keyOf(String key) {
    if (node instanceof MappingNode mapping) {
      for (NodeTuple tuple : mapping.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode scalar && scalar.getValue().equals(key)) {
          return new YamlValue(
              tuple.getKeyNode(), path.isEmpty() ? key : path + "." + key, problems);
        }
      }
    }
    return this;
  }

  private <T> Optional<T> expected(String what) {
    problem(shown() + " is not valid here, expected " + what);
    return Optional.empty();
  }

  private static int keyLine(MappingNode mapping, String key) {
    return mapping.getValue().stream()
        .map(NodeTuple::getKeyNode)
        .filter(k -> k instanceof ScalarNode s && s.getValue().equals(key))
        .findFirst()
        .flatMap(Node::getStartMark)
        .map(mark -> mark.getLine() + 1)
        .orElse(1);
  }

  /** The core schema writes whole numbers as decimal, 0o17 and 0x1F. */
  private static BigInteger parseInteger(String text) {
    if (text.startsWith("0x")) {
      return new BigInteger(text.substring(2), 16);
    }
    if (text.startsWith("0o")) {
      return new BigInteger(text.substring(2), 8);
    }
    return new BigInteger(text);
  }

  private static List<String> sorted(Set<String> keys) {
    String[] sorted = keys.toArray(new String[0]);
    Arrays.sort(sorted);
    return List.of(sorted);
  }
}
