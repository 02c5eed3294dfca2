package io.quotashare.cli.yaml;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A map of a document whose keys are known beforehand. Unknown keys are recorded as problems when
 * it is made. Accessors return empty for a key that is absent or whose value is not valid; in the
 * second case a problem is recorded.
 */
public final class YamlMap {
  private final YamlValue value;
  private final Map<String, YamlValue> entries;
  private final Set<String> knownKeys;

  private YamlMap(YamlValue value, Map<String, YamlValue> entries, Set<String> knownKeys) {
    this.value = value;
    this.entries = entries;
    this.knownKeys = knownKeys;
  }

  static YamlMap of(YamlValue value, Map<String, YamlValue> entries, Set<String> knownKeys) {
    for (String key : entries.keySet()) {
      if (!knownKeys.contains(key)) {
        List<String> choice = knownKeys.stream().sorted().toList();
        value.keyOf(key).problem("unknown key" + Suggestions.hint(key, choice));
      }
    }
    return new YamlMap(value, entries, knownKeys);
  }

  /** The map as a value, for its place. */
  public YamlValue value() {
    return value;
  }

  /** True if the key is there, with whatever value. */
  public boolean has(String key) {
    requireKnown(key);
    return entries.containsKey(key);
  }

  /** The value of a key, or empty if the key is absent. */
  public Optional<YamlValue> get(String key) {
    requireKnown(key);
    return Optional.ofNullable(entries.get(key));
  }

  /**
   * The value of a key that must be there.
   *
   * @param expected what the message asks for, such as "RESERVE, LEND or LEND_AND_BORROW"
   */
  public Optional<YamlValue> require(String key, String expected) {
    Optional<YamlValue> found = get(key);
    if (found.isEmpty()) {
      value.problem("the key " + key + " is missing, expected " + expected);
    }
    return found;
  }

  /** Records a problem at the key, or at the map if the key is absent. */
  public void problem(String key, String message) {
    requireKnown(key);
    value.keyOf(key).problem(message);
  }

  /** A text. */
  public Optional<String> string(String key) {
    return get(key).flatMap(YamlValue::asNonEmptyString);
  }

  /** A text that must be there. */
  public Optional<String> requireString(String key) {
    return require(key, "text").flatMap(YamlValue::asNonEmptyString);
  }

  /** A whole number from {@code min} to {@code max}. */
  public Optional<Integer> integer(String key, int min, int max) {
    return get(key).flatMap(v -> v.asInt(min, max));
  }

  /** {@code true} or {@code false}. */
  public Optional<Boolean> bool(String key) {
    return get(key).flatMap(YamlValue::asBoolean);
  }

  /** A duration of any sign. */
  public Optional<Duration> duration(String key) {
    return get(key).flatMap(YamlValue::asDuration);
  }

  /** A duration of at least {@code min}. */
  public Optional<Duration> duration(String key, Duration min) {
    return get(key).flatMap(v -> v.asDuration(min));
  }

  /** One constant of an enum, spelt exactly as its name. */
  public <E extends Enum<E>> Optional<E> choice(String key, Class<E> type) {
    return get(key).flatMap(v -> v.asEnum(type));
  }

  /** A list; empty Optional if the key is absent. */
  public Optional<List<YamlValue>> list(String key) {
    return get(key).flatMap(YamlValue::asList);
  }

  private void requireKnown(String key) {
    if (!knownKeys.contains(key)) {
      throw new IllegalArgumentException("the key " + key + " is not among " + knownKeys);
    }
  }
}
