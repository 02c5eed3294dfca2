package io.quotashare.server.grpc;

import java.util.EnumMap;
import java.util.Map;

/**
 * Constants of the core and of the contract that mean the same carry the same name, but for the
 * prefix of the contract's.
 */
public final class Enums {
  private Enums() {}

  /** The contract's constant for each of the core's. */
  public static <C extends Enum<C>, P extends Enum<P>> Map<C, P> toProto(
      Class<C> core, Class<P> proto, String prefix) {
    Map<C, P> result = new EnumMap<>(core);
    for (C constant : core.getEnumConstants()) {
      result.put(constant, Enum.valueOf(proto, prefix + constant.name()));
    }
    return result;
  }

  /** The core's constant for each of the contract's that has one; not the unspecified one. */
  public static <C extends Enum<C>, P extends Enum<P>> Map<P, C> toCore(
      Class<C> core, Class<P> proto, String prefix) {
    Map<P, C> result = new EnumMap<>(proto);
    toProto(core, proto, prefix).forEach((c, p) -> result.put(p, c));
    return result;
  }

  /** Value of a key that the table has by construction. */
  public static <K, V> V of(Map<K, V> table, K key) {
    V value = table.get(key);
    if (value == null) {
      throw new IllegalStateException("no constant for " + key);
    }
    return value;
  }
}
