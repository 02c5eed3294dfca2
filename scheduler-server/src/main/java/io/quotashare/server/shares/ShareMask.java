package io.quotashare.server.shares;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.server.grpc.FieldChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which fields of a share an update changes. A field that is named and not set gets its default; of
 * two fields that say the same in percent and in devices, naming one replaces the other.
 */
final class ShareMask {
  private static final String ALL = "*";
  private static final Set<String> FIXED = Set.of("name", "etag");
  private static final List<List<String>> PAIRS =
      List.of(
          List.of("borrow_limit_percent", "borrow_limit"),
          List.of("lend_limit_percent", "lend_limit"));

  private static final Map<String, FieldDescriptor> FIELDS = fields();

  private final Map<String, FieldDescriptor> named;

  private ShareMask(Map<String, FieldDescriptor> named) {
    this.named = named;
  }

  private static Map<String, FieldDescriptor> fields() {
    Map<String, FieldDescriptor> fields = new TreeMap<>();
    for (FieldDescriptor field : QuotaShare.getDescriptor().getFields()) {
      if (!FIXED.contains(field.getName())) {
        fields.put(field.getName(), field);
      }
    }
    return fields;
  }

  /** Reads {@code update_mask}; records in {@code checks} what is wrong with it. */
  static ShareMask of(FieldMask mask, FieldChecks checks) {
    String allowed =
        "fields of the share, of " + String.join(", ", FIELDS.keySet()) + ", or * alone";
    if (mask.getPathsList().equals(List.of(ALL))) {
      return new ShareMask(FIELDS);
    }
    checks.check(mask.getPathsCount() > 0, "update_mask", "empty", allowed);
    Map<String, FieldDescriptor> named = new TreeMap<>();
    List<String> unknown = new ArrayList<>();
    for (String path : mask.getPathsList()) {
      FieldDescriptor field = FIELDS.get(path);
      if (field == null) {
        unknown.add(FieldChecks.shown(path));
      } else {
        named.put(path, field);
      }
    }
    checks.check(unknown.isEmpty(), "update_mask", String.join(", ", unknown), allowed);
    return new ShareMask(named);
  }

  /** The present share with the named fields of another. */
  QuotaShare merge(QuotaShare present, QuotaShare wanted) {
    QuotaShare.Builder merged = present.toBuilder().clearEtag();
    clearDefaults(merged);
    named.values().forEach(field -> copy(field, wanted, merged));
    for (List<String> pair : PAIRS) {
      replaceOther(pair.get(0), pair.get(1), merged);
      replaceOther(pair.get(1), pair.get(0), merged);
    }
    return merged.build();
  }

  /** What is shown of a share states defaults, which contradict nothing that is named. */
  private static void clearDefaults(QuotaShare.Builder share) {
    if (share.getBorrowLimitPercent() == ShareConverter.UNLIMITED_PERCENT) {
      share.clearBorrowLimitPercent();
    }
    if (share.getLendLimitPercent() == ShareConverter.DEFAULT_LEND_PERCENT) {
      share.clearLendLimitPercent();
    }
  }

  private static void copy(FieldDescriptor field, QuotaShare from, QuotaShare.Builder to) {
    to.clearField(field);
    if (field.isRepeated() || from.hasField(field)) {
      to.setField(field, from.getField(field));
    }
  }

  private void replaceOther(String field, String other, QuotaShare.Builder merged) {
    boolean replaces = named.containsKey(field) && !named.containsKey(other);
    if (replaces && isSet(merged, FIELDS.get(field))) {
      merged.clearField(FIELDS.get(other));
    }
  }

  private static boolean isSet(QuotaShare.Builder share, FieldDescriptor field) {
    return field.isRepeated() ? share.getRepeatedFieldCount(field) > 0 : share.hasField(field);
  }
}
