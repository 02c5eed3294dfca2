package io.quotashare.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a share may say, as far as it can be judged from the share alone (quota-semantics 1). */
final class ShareRules {
  private ShareRules() {}

  /** What contradicts itself, and what is out of its range. */
  static List<FieldProblem> check(QuotaShare share) {
    List<FieldProblem> found = new ArrayList<>(checkRanges(share));
    checkBorrowing(share, found);
    checkLending(share, found);
    return List.copyOf(found);
  }

  /** Throws where something is wrong. */
  static void require(QuotaShare share, List<FieldProblem> problems) {
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          share.name()
              + ": "
              + String.join("; ", problems.stream().map(FieldProblem::toString).toList()));
    }
  }

  /** What is out of its range, whatever the other fields say. */
  static List<FieldProblem> checkRanges(QuotaShare share) {
    List<FieldProblem> found = new ArrayList<>();
    checkDevices("capacity", share.capacity(), found);
    checkDevices("borrowLimit", share.borrowLimit(), found);
    Integer borrowPercent = share.borrowLimitPercent();
    if (borrowPercent != null && borrowPercent < QuotaShare.UNLIMITED) {
      found.add(
          new FieldProblem(
              "borrowLimitPercent",
              borrowPercent + " is not valid here, expected -1 (unlimited) or 0 and more"));
    }
    checkDevices("lendLimit", share.lendLimit(), found);
    Integer lendPercent = share.lendLimitPercent();
    if (lendPercent != null && (lendPercent < 0 || lendPercent > 100)) {
      found.add(
          new FieldProblem(
              "lendLimitPercent", lendPercent + " is not valid here, expected 0 to 100"));
    }
    if (share.weight() < 1 || share.weight() > QuotaShare.MAX_WEIGHT) {
      found.add(
          new FieldProblem(
              "weight",
              share.weight() + " is not valid here, expected 1 to " + QuotaShare.MAX_WEIGHT));
    }
    if (share.minRuntime().isNegative()) {
      found.add(new FieldProblem("minRuntime", share.minRuntime() + ", expected 0 or more"));
    }
    return List.copyOf(found);
  }

  private static void checkBorrowing(QuotaShare share, List<FieldProblem> found) {
    Integer percent = share.borrowLimitPercent();
    boolean devices = !share.borrowLimit().isEmpty();
    if (percent != null && devices) {
      found.add(both("borrowLimit", "borrowLimitPercent"));
    }
    if (!share.strategy().borrows()) {
      String why = "a borrow limit is given, but a share with strategy ";
      String wanted = " does not borrow: leave it out, or use LEND_AND_BORROW";
      if (percent != null) {
        found.add(new FieldProblem("borrowLimitPercent", why + share.strategy() + wanted));
      }
      if (devices) {
        found.add(new FieldProblem("borrowLimit", why + share.strategy() + wanted));
      }
    }
  }

  private static void checkLending(QuotaShare share, List<FieldProblem> found) {
    Integer percent = share.lendLimitPercent();
    boolean devices = !share.lendLimit().isEmpty();
    if (percent != null && devices) {
      found.add(both("lendLimit", "lendLimitPercent"));
    }
    if (!share.strategy().lends()) {
      String why = "a lend limit is given, but a share with strategy ";
      String wanted = " does not lend: leave it out, or use LEND or LEND_AND_BORROW";
      if (percent != null) {
        found.add(new FieldProblem("lendLimitPercent", why + share.strategy() + wanted));
      }
      if (devices) {
        found.add(new FieldProblem("lendLimit", why + share.strategy() + wanted));
      }
    }
  }

  private static void checkDevices(
      String field, Map<String, Integer> devices, List<FieldProblem> found) {
    devices.forEach(
        (unit, count) -> {
          if (unit.isBlank()) {
            found.add(new FieldProblem(field, "a capacity unit has no name"));
          }
          if (count < 0) {
            found.add(
                new FieldProblem(
                    field, count + " for " + unit + " is not valid here, expected 0 or more"));
          }
        });
  }

  private static FieldProblem both(String field, String other) {
    return new FieldProblem(field, "given together with " + other + ", expected one of the two");
  }
}
