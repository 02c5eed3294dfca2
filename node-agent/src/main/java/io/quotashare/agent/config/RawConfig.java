package io.quotashare.agent.config;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Values as they were written, each with its place, before they are understood. */
final class RawConfig {
  /**
   * A value.
   *
   * @param text as written; of a map {@code key=value,...}
   * @param map entries, if it was written as a map
   * @param place where, such as {@code agent.yaml:3: node} or {@code --node}
   */
  record Value(String text, Map<String, String> map, String place) {}

  private final Map<Setting, Value> values = new EnumMap<>(Setting.class);
  private final List<String> problems = new ArrayList<>();

  Map<Setting, Value> values() {
    return values;
  }

  /** Sets a value; a second one from the same source is a problem. */
  void put(Setting setting, Value value) {
    if (values.putIfAbsent(setting, value) != null) {
      problem(value.place() + ": is given twice (expected: once)");
    }
  }

  void problem(String text) {
    problems.add(text);
  }

  List<String> problems() {
    return problems;
  }

  /** What is not in here is taken from there. */
  RawConfig orElse(RawConfig other) {
    other.values.forEach(values::putIfAbsent);
    problems.addAll(0, other.problems);
    return this;
  }
}
