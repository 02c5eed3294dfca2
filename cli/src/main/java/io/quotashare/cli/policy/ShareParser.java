package io.quotashare.cli.policy;

import io.quotashare.cli.yaml.YamlMap;
import io.quotashare.cli.yaml.YamlValue;
import io.quotashare.client.AdminState;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.ShareOrdering;
import io.quotashare.client.SharingStrategy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one share. */
public final class ShareParser {
  /** Keys of a share. */
  public static final Set<String> KEYS =
      Set.of(
          "name",
          "capacity",
          "strategy",
          "borrowLimitPercent",
          "borrowLimit",
          "lendLimitPercent",
          "lendLimit",
          "inSharePreemption",
          "ordering",
          "weight",
          "minRuntime",
          "parent",
          "state");

  private ShareParser() {}

  /**
   * The fields that the map names. What is wrong is added to the problems of the document. A
   * scenario's {@code setShare} reads its map through this and adds its own keys to {@link #KEYS}.
   */
  public static ShareFields fields(YamlMap map) {
    refuseParent(map);
    return new ShareFields(
        orNull(map.string("name")),
        devices(map, "capacity"),
        orNull(
            map.get("strategy")
                .flatMap(v -> v.asEnum(SharingStrategy.class, Known.of(SharingStrategy.class)))),
        orNull(map.integer("borrowLimitPercent", QuotaShare.UNLIMITED, 1_000_000)),
        devices(map, "borrowLimit"),
        orNull(map.integer("lendLimitPercent", 0, 100)),
        devices(map, "lendLimit"),
        orNull(map.bool("inSharePreemption")),
        orNull(
            map.get("ordering")
                .flatMap(v -> v.asEnum(ShareOrdering.class, Known.of(ShareOrdering.class)))),
        orNull(map.integer("weight", 1, QuotaShare.MAX_WEIGHT)),
        orNull(map.duration("minRuntime", Duration.ZERO)),
        map.has("state") ? state(map) : null);
  }

  /** A share has no default for what decides about other people's work: it must be written down. */
  static void requireDecisions(YamlMap map) {
    requirePresent(map, "capacity", "devices by capacity unit such as {H100: 8}");
    requirePresent(map, "strategy", "RESERVE, LEND or LEND_AND_BORROW; it has no default");
    requirePresent(map, "inSharePreemption", "true or false; it has no default");
  }

  static AdminState state(YamlMap map) {
    return map.get("state")
        .flatMap(v -> v.asEnum(AdminState.class, Known.of(AdminState.class)))
        .orElse(AdminState.ENABLED);
  }

  private static void requirePresent(YamlMap map, String key, String expected) {
    if (!map.has(key)) {
      map.value().problem("the key " + key + " is missing, expected " + expected);
    }
  }

  /** Accepting a parent and not obeying it would break its guarantees in silence. */
  private static void refuseParent(YamlMap map) {
    Optional<YamlValue> parent = map.get("parent").filter(value -> !value.isNull());
    parent.ifPresent(
        value ->
            value.problem(
                value.shown()
                    + " is not valid here: share hierarchies are not supported by this version;"
                    + " leave the key out"));
  }

  private static @Nullable Map<String, Integer> devices(YamlMap map, String key) {
    return orNull(map.get(key).flatMap(v -> v.asIntMap(0, 10_000_000)));
  }

  private static <T> @Nullable T orNull(Optional<T> value) {
    return value.orElse(null);
  }
}
