package io.quotashare.server.shares;

import io.quotashare.proto.v1.AdminState;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.ShareOrdering;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Times;
import java.util.Map;

/** What a share of a policy may look like (quota-semantics 1). */
final class ShareRules {
  private static final int MAX_DEVICES = 10_000_000;
  private static final int MAX_PERCENT = 1_000_000;
  private static final int MAX_WEIGHT = 1_000_000;
  private static final int MAX_UNITS = 256;

  private final QuotaShare share;
  private final FieldChecks checks;

  private ShareRules(QuotaShare share, FieldChecks checks) {
    this.share = share;
    this.checks = checks;
  }

  static void check(QuotaShare share, FieldChecks checks) {
    ShareRules rules = new ShareRules(share, checks);
    rules.devices("capacity", share.getCapacityMap());
    rules.strategy();
    rules.borrowing();
    rules.lending();
    rules.rest();
  }

  private void strategy() {
    boolean stated =
        share.getStrategy() != SharingStrategy.SHARING_STRATEGY_UNSPECIFIED
            && share.getStrategy() != SharingStrategy.UNRECOGNIZED;
    checks.check(
        stated,
        "strategy",
        share.getStrategyValue() == 0 ? "unset" : share.getStrategyValue(),
        "RESERVE, LEND or LEND_AND_BORROW; every share must state it");
    if (!share.hasInSharePreemption()) {
      checks.reject(
          "in_share_preemption", "unset (expected: true or false; every share must state it)");
    }
  }

  private void borrowing() {
    boolean limited = share.hasBorrowLimitPercent() || share.getBorrowLimitCount() > 0;
    String field = share.hasBorrowLimitPercent() ? "borrow_limit_percent" : "borrow_limit";
    if (limited
        && isStated()
        && share.getStrategy() != SharingStrategy.SHARING_STRATEGY_LEND_AND_BORROW) {
      checks.reject(field, "set on " + strategyName() + " (expected: only with LEND_AND_BORROW)");
    }
    if (share.hasBorrowLimitPercent()) {
      checks.check(
          share.getBorrowLimitPercent() >= -1 && share.getBorrowLimitPercent() <= MAX_PERCENT,
          "borrow_limit_percent",
          share.getBorrowLimitPercent(),
          "-1 for no limit, or 0 to " + MAX_PERCENT);
    }
    either("borrow_limit", share.hasBorrowLimitPercent(), share.getBorrowLimitMap());
  }

  private void lending() {
    boolean limited = share.hasLendLimitPercent() || share.getLendLimitCount() > 0;
    String field = share.hasLendLimitPercent() ? "lend_limit_percent" : "lend_limit";
    if (limited && share.getStrategy() == SharingStrategy.SHARING_STRATEGY_RESERVE) {
      checks.reject(field, "set on RESERVE (expected: only with LEND or LEND_AND_BORROW)");
    }
    if (share.hasLendLimitPercent()) {
      checks.check(
          share.getLendLimitPercent() >= 0 && share.getLendLimitPercent() <= 100,
          "lend_limit_percent",
          share.getLendLimitPercent(),
          "0 to 100");
    }
    either("lend_limit", share.hasLendLimitPercent(), share.getLendLimitMap());
  }

  private void rest() {
    checks.check(
        share.getState() != AdminState.UNRECOGNIZED,
        "state",
        share.getStateValue(),
        "ENABLED or DISABLED");
    checks.check(
        share.getOrdering() != ShareOrdering.UNRECOGNIZED,
        "ordering",
        share.getOrderingValue(),
        "STRICT or BACKFILL");
    if (share.hasWeight()) {
      checks.check(
          share.getWeight() >= 1 && share.getWeight() <= MAX_WEIGHT,
          "weight",
          share.getWeight(),
          "1 to " + MAX_WEIGHT);
    }
    if (share.hasMinRuntime()) {
      Times.millis(checks, "min_runtime", share.getMinRuntime(), 0, QueueRules.MAX_SPAN_MILLIS);
    }
  }

  private void either(String field, boolean hasPercent, Map<String, Integer> devices) {
    if (hasPercent && !devices.isEmpty()) {
      checks.reject(field, "set together with " + field + "_percent (expected: one of the two)");
    }
    devices(field, devices);
  }

  private void devices(String field, Map<String, Integer> byUnit) {
    checks.check(
        byUnit.size() <= MAX_UNITS, field, byUnit.size() + " units", "at most " + MAX_UNITS);
    byUnit.forEach(
        (unit, devices) -> {
          String entry = field + "[" + FieldChecks.shown(unit) + "]";
          checks.check(Names.isUnit(unit), entry, unit, "a unit of " + Names.UNIT_RULE);
          checks.check(
              devices >= 0 && devices <= MAX_DEVICES, entry, devices, "0 to " + MAX_DEVICES);
        });
  }

  private boolean isStated() {
    return share.getStrategy() != SharingStrategy.SHARING_STRATEGY_UNSPECIFIED
        && share.getStrategy() != SharingStrategy.UNRECOGNIZED;
  }

  private String strategyName() {
    return share.getStrategy().name().substring("SHARING_STRATEGY_".length());
  }
}
