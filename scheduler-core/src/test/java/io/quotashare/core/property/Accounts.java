package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.QueueView;
import io.quotashare.core.Scheduler;
import io.quotashare.core.UsageReport;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.ShareMeter;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Every device-second of every pool, counted a second time: I9, V6, and what people are shown. */
final class Accounts {
  /** Device-milliseconds of a pool by class. */
  private static final class Sums {
    long held;
    long heldForBeneficiary;
    long reservedIdle;
    long idle;
    long unhealthy;
    long outside;
  }

  /** Device-milliseconds of a share. */
  private static final class ShareSums {
    long own;
    long borrowed;
    long over;
    long spare;
  }

  private record ShareUnit(ShareKey share, String unit) {}

  private final Mirror rows;
  private final SortedMap<PoolKey, Sums> pools = new TreeMap<>();
  private final Map<ShareUnit, ShareSums> shares = new java.util.HashMap<>();

  Accounts(Mirror rows) {
    this.rows = rows;
  }

  /** Time passes and nothing changes. */
  void elapsed(long millis) {
    for (PoolKey pool : rows.pools()) {
      if (rows.queues.containsKey(pool.queue())) {
        count(Facts.of(rows, pool), millis);
      }
    }
  }

  private void count(Facts facts, long millis) {
    if (facts.total == 0) {
      return;
    }
    Sums sums = pools.computeIfAbsent(facts.pool, pool -> new Sums());
    int free = 0;
    int reserved = 0;
    for (Facts.Place place : facts.places.values()) {
      int set = place.claimed + place.kept - place.leaving;
      free += place.exists() ? place.free : 0;
      reserved += place.exists() ? Math.min(place.free, Math.max(0, set)) : 0;
      sums.held += millis * place.held;
      sums.unhealthy += millis * (place.unhealthy + (place.exists() ? 0 : place.free));
      sums.outside += millis * place.outside;
    }
    int withheld = Math.min(free - reserved, facts.held().withheld());
    sums.heldForBeneficiary += millis * reserved;
    sums.reservedIdle += millis * withheld;
    sums.idle += millis * (free - reserved - withheld);
    for (Facts.Use use : facts.uses.values()) {
      ShareSums share =
          shares.computeIfAbsent(
              new ShareUnit(use.share.key(), facts.pool.unit()), key -> new ShareSums());
      int above = use.above(use.held);
      long borrowed = Math.min(above, use.borrowLimit);
      share.own += millis * (use.held - above);
      share.borrowed += millis * borrowed;
      share.over += millis * (above - borrowed);
      share.spare += millis * Math.max(0, use.c - use.held);
    }
  }

  /** Compares with what the scheduler says. */
  void judge(Scheduler scheduler, long now) {
    for (String queue : rows.queues.keySet()) {
      UsageReport usage = scheduler.usage(queue, now);
      usage.pools().forEach(this::judge);
      for (PoolMeter pool : usage.pools()) {
        List<UsageReport.ShareUse> uses =
            usage.shares().stream()
                .filter(u -> u.meter().unit().equals(pool.pool().unit()))
                .toList();
        long held =
            uses.stream()
                .mapToLong(u -> u.meter().own() + u.meter().borrowed() + u.meter().over())
                .sum();
        unless(held == pool.held(), "I9", "%s: shares held %s of %s", pool, held, uses);
      }
      usage.shares().forEach(use -> judge(use));
      judge(scheduler.view(queue));
    }
  }

  private void judge(PoolMeter meter) {
    Sums sums = pools.getOrDefault(meter.pool(), new Sums());
    String expected =
        String.format(
            "held %d, heldForBeneficiary %d, reservedIdle %d, idle %d, unhealthy %d, outside %d",
            sums.held,
            sums.heldForBeneficiary,
            sums.reservedIdle,
            sums.idle,
            sums.unhealthy,
            sums.outside);
    String counted =
        String.format(
            "held %d, heldForBeneficiary %d, reservedIdle %d, idle %d, unhealthy %d, outside %d",
            meter.held(),
            meter.heldForBeneficiary(),
            meter.reservedIdle(),
            meter.idle(),
            meter.unhealthy(),
            meter.outside());
    unless(
        counted.equals(expected), "I9", "%s: %s (expected: %s)", meter.pool(), counted, expected);
  }

  private void judge(UsageReport.ShareUse use) {
    ShareMeter meter = use.meter();
    ShareSums sums =
        shares.getOrDefault(new ShareUnit(meter.share(), meter.unit()), new ShareSums());
    unless(
        meter.own() == sums.own && meter.borrowed() == sums.borrowed && meter.over() == sums.over,
        "I9",
        "%s (expected: own %s, borrowed %s, over %s)",
        meter,
        sums.own,
        sums.borrowed,
        sums.over);
    unless(
        meter.lent() + meter.idle() == sums.spare,
        "I9",
        "%s (expected: lent + idle = %s)",
        meter,
        sums.spare);
    unless(
        use.classes().total() == sums.own + sums.borrowed + sums.over,
        "I9",
        "%s: classes %s (expected total: %s)",
        meter.share(),
        use.classes(),
        sums.own + sums.borrowed + sums.over);
    unless(isNatural(use), "I9", "a class is negative: %s", use);
  }

  private static boolean isNatural(UsageReport.ShareUse use) {
    return use.classes().useful() >= 0
        && use.classes().startup() >= 0
        && use.classes().lost() >= 0
        && use.classes().saving() >= 0
        && use.classes().draining() >= 0
        && use.meter().lent() >= 0
        && use.meter().idle() >= 0;
  }

  // Views

  private void judge(QueueView view) {
    for (QueueView.PoolView shown : view.pools()) {
      PoolKey pool = new PoolKey(view.queue().name(), shown.unit());
      Facts facts = Facts.of(rows, pool);
      unless(shown.total() == facts.total, "V6", "%s (expected total: %s)", shown, facts.total);
      int sum =
          shown.held()
              + shown.heldForBeneficiary()
              + shown.reservedIdle()
              + shown.free()
              + shown.outside()
              + shown.unhealthy();
      unless(sum == shown.total(), "V6", "%s adds up to %s", shown, sum);
      judgeLoans(facts, view);
    }
  }

  /** Loans are whole where they are covered, and no lender lends what it may not (1). */
  private void judgeLoans(Facts facts, QueueView view) {
    Map<String, Integer> lent = new TreeMap<>();
    Map<String, Integer> borrowed = new TreeMap<>();
    for (QueueView.LoanView loan : view.loans()) {
      if (loan.unit().equals(facts.pool.unit())) {
        lent.merge(loan.lender(), loan.gpus(), Integer::sum);
        borrowed.merge(loan.borrower(), loan.gpus(), Integer::sum);
      }
    }
    Facts.Ledger held = facts.held();
    if (held.missing() > 0) {
      return;
    }
    for (Facts.Use use : facts.uses.values()) {
      String name = use.share.key().share();
      unless(
          borrowed.getOrDefault(name, 0) == held.above(use.share.key()),
          "V6",
          "%s uses %s above its limit, and loans are %s",
          name,
          held.above(use.share.key()),
          view.loans());
      unless(
          lent.getOrDefault(name, 0) <= use.lendable(use.held),
          "V6",
          "%s may lend %s, and loans are %s",
          name,
          use.lendable(use.held),
          view.loans());
    }
    boolean keepsUnassigned = facts.queue.unassigned() == io.quotashare.core.model.Unassigned.IDLE;
    int unassigned = keepsUnassigned ? 0 : Math.max(0, facts.exists - facts.sumCapacity());
    unless(
        lent.getOrDefault("(unassigned)", 0) <= unassigned,
        "V6",
        "%s devices are unassigned, and loans are %s",
        unassigned,
        view.loans());
  }
}
