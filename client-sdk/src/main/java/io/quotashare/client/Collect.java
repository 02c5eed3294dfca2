package io.quotashare.client;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Copies for immutable records. */
final class Collect {
  private Collect() {}

  /** An unmodifiable copy in the order of the keys, so that what is printed never changes order. */
  static <V> Map<String, V> copy(Map<String, V> map) {
    return Collections.unmodifiableMap(new TreeMap<>(map));
  }
}
