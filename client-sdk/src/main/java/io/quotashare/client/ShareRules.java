package io.quotashare.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What a share may say, as far as it can be judged from the share alone (quota-semantics 1). */
final class ShareRules {
  private static final int MAX_PERCENT = 1_000_000;
  private static final int MAX_DEVICES = 10_000_000;
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final Duration TEN_YEARS = Duration.ofDays(3650);
  private static final Pattern UNIT = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9._+]{0,62}");

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
    if (borrowPercent != null
        && (borrowPercent < QuotaShare.UNLIMITED || borrowPercent > MAX_PERCENT)) {
      found.add(
          new FieldProblem(
              "borrowLimitPercent",
              borrowPercent
                  + " is not valid here, expected -1 for no limit, or 0 to "
                  + MAX_PERCENT));
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
    Duration minRuntime = share.minRuntime();
    if (minRuntime.isNegative()
        || minRuntime.compareTo(TEN_YEARS) > 0
        || minRuntime.toNanosPart() % NANOS_PER_MILLI != 0) {
      found.add(
          new FieldProblem(
              "minRuntime",
              minRuntime
                  + " is not valid here, expected 0 s to "
                  + TEN_YEARS.toSeconds()
                  + " s, in whole milliseconds"));
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
          String entry = field + "[" + unit + "]";
          if (!UNIT.matcher(unit).matches()) {
            found.add(
                new FieldProblem(
                    entry,
                    (unit.isEmpty() ? "empty" : unit)
                        + " is not valid here, expected a unit of 1 to 63 letters, digits, - . _ +,"
                        + " such as H100-1g.10gb"));
          }
          if (count < 0 || count > MAX_DEVICES) {
            found.add(
                new FieldProblem(
                    entry, count + " is not valid here, expected 0 to " + MAX_DEVICES));
          }
        });
  }

  private static FieldProblem both(String field, String other) {
    return new FieldProblem(field, "given together with " + other + ", expected one of the two");
  }
}
