package io.quotashare.server.badinput;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is bad about every field of every request. A field is looked up by its whole path from the
 * request, such as {@code CreateQuotaShareRequest.share.name}, and then by the message that it is
 * in, such as {@code QuotaShare.name}.
 */
final class FieldRules {
  private static final Map<String, Rule> ALL = new TreeMap<>();

  static {
    ALL.putAll(JobRules.all());
    ALL.putAll(ShareFieldRules.all());
    ALL.putAll(QueueAndAdminRules.all());
    ALL.putAll(AgentRules.all());
  }

  private FieldRules() {}

  static Map<String, Rule> all() {
    return ALL;
  }

  /** The rule of a place, and the key that it stands under. */
  static Optional<Map.Entry<String, Rule>> of(Place place) {
    for (String key : new String[] {place.longKey(), place.shortKey()}) {
      Rule rule = ALL.get(key);
      if (rule != null) {
        return Optional.of(Map.entry(key, rule));
      }
    }
    return Optional.empty();
  }
}
