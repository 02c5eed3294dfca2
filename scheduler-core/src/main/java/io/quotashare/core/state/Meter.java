package io.quotashare.core.state;

import io.quotashare.core.ledger.Ledger;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.ShareMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Integrates over time what the devices of a pool are used for (quota-semantics 6.7). It is brought
 * up to an instant before anything changes at that instant, so that every device-millisecond is in
 * exactly one class.
 */
public final class Meter {
  private final Pool pool;
  private PoolMeter total;
  private final SortedMap<ShareKey, ShareMeter> shares = new TreeMap<>();
  private final SortedSet<ShareKey> movedShares = new TreeSet<>();
  private boolean moved;

  Meter(Pool pool) {
    this.pool = pool;
    this.total = PoolMeter.none(pool.key(), 0);
  }

  void restore(PoolMeter row) {
    total = row;
    pool.loans().restore(row.loans());
  }

  /** Brings the attribution of loans up to date. */
  void updateLoans(long nowMillis) {
    pool.loans().update(pool.held(), pool.shares().keySet(), nowMillis);
    if (!pool.loans().loans().equals(total.loans())) {
      total = total.with(pool.loans().loans());
      moved = true;
    }
  }

  void restore(ShareMeter row) {
    shares.put(row.share(), row);
  }

  /** Counts up to an instant; call before anything changes at that instant. */
  public void advance(long nowMillis) {
    long millis = nowMillis - total.untilMillis();
    Pool.Counts counts = pool.counts();
    if (counts.total == 0) {
      start(nowMillis);
    } else if (millis > 0) {
      total = add(total, millis, nowMillis);
      for (ShareKey share : pool.shares().keySet()) {
        shares.put(share, add(of(share), millis, nowMillis));
        movedShares.add(share);
      }
      moved = true;
    }
  }

  /** The pool has its first devices: what follows counts from here, also after a restart. */
  void begin() {
    moved = true;
  }

  private void start(long nowMillis) {
    if (total.total() == 0) {
      total = PoolMeter.none(pool.key(), nowMillis);
    } else {
      total = total.until(nowMillis);
    }
  }

  private PoolMeter add(PoolMeter before, long millis, long nowMillis) {
    Pool.Counts counts = pool.counts();
    int rest = counts.openFree - counts.reserved;
    int reservedIdle = Math.min(rest, pool.held().withheld());
    return new PoolMeter(
        before.pool(),
        before.startedAtMillis(),
        nowMillis,
        before.held() + millis * counts.held,
        before.heldForBeneficiary() + millis * counts.reserved,
        before.reservedIdle() + millis * reservedIdle,
        before.idle() + millis * (rest - reservedIdle),
        before.unhealthy() + millis * (counts.unhealthy + counts.closedFree),
        before.outside() + millis * counts.outside,
        before.loans());
  }

  private ShareMeter add(ShareMeter before, long millis, long nowMillis) {
    Ledger held = pool.held();
    ShareKey share = before.share();
    int own = Math.min(held.use(share), held.capacity(share));
    int spare = held.capacity(share) - own;
    int lent = Math.min(spare, pool.loans().lentBy(share.share()));
    return new ShareMeter(
        share,
        before.unit(),
        nowMillis,
        before.own() + millis * own,
        before.borrowed() + millis * held.borrowed(share),
        before.over() + millis * held.over(share),
        before.lent() + millis * lent,
        before.idle() + millis * (spare - lent),
        before.ended());
  }

  /** Account of the pool up to an instant, which may be later than what is counted. */
  public PoolMeter totalAt(long nowMillis) {
    long millis = nowMillis - total.untilMillis();
    return pool.counts().total == 0 || millis <= 0 ? total : add(total, millis, nowMillis);
  }

  /** Account of a share up to an instant, likewise. */
  public ShareMeter shareAt(ShareKey share, long nowMillis) {
    long millis = nowMillis - total.untilMillis();
    ShareMeter counted = of(share);
    return pool.counts().total == 0 || millis <= 0 ? counted : add(counted, millis, nowMillis);
  }

  /** Classes of what an attempt held since the pool is counted. */
  public DeviceMillis classesOf(Attempt attempt, long nowMillis) {
    return DeviceClasses.of(attempt, total.startedAtMillis(), nowMillis);
  }

  /** Adds what an attempt that has ended held. */
  void ended(ShareKey share, DeviceMillis classes) {
    ShareMeter before = of(share);
    shares.put(
        share,
        new ShareMeter(
            share,
            before.unit(),
            before.untilMillis(),
            before.own(),
            before.borrowed(),
            before.over(),
            before.lent(),
            before.idle(),
            before.ended().plus(classes)));
    movedShares.add(share);
    moved = true;
  }

  /** Account of the pool, up to {@link PoolMeter#untilMillis}. */
  public PoolMeter total() {
    return total;
  }

  /** Account of a share. */
  public ShareMeter of(ShareKey share) {
    ShareMeter known = shares.get(share);
    return known != null
        ? known
        : new ShareMeter(
            share, pool.key().unit(), total.untilMillis(), 0, 0, 0, 0, 0, DeviceMillis.ZERO);
  }

  /** All accounts of shares, also of those that are gone. */
  public Iterable<ShareMeter> shares() {
    return shares.values();
  }

  /** Takes the accounts of shares that moved since the last call. */
  List<ShareMeter> takeMovedShares() {
    List<ShareMeter> result = new ArrayList<>();
    movedShares.forEach(share -> result.add(shares.get(share)));
    movedShares.clear();
    return result;
  }

  /** Whether it moved since the last call. */
  boolean takeMoved() {
    boolean result = moved;
    moved = false;
    return result;
  }
}
