package io.quotashare.core.ledger;

import static io.quotashare.core.model.Check.checkArgument;
import static io.quotashare.core.model.Check.checkState;

import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Unassigned;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * One of the two ledgers of a pool (quota-semantics 1): what each share uses of one unit, and
 * whether what others borrow is covered by what is not withheld.
 *
 * <p>The planned ledger ({@code U}) charges attempts that were not told to stop, and the
 * beneficiaries of plans; the held ledger charges what attempts hold, victims included until they
 * are gone. A start needs its limits and its cover in both.
 *
 * <p>Sums are kept, not recomputed: a question costs as much as it changes shares. All numbers are
 * devices.
 */
public final class Ledger {
  private final String unit;
  private final Map<ShareKey, Account> accounts = new HashMap<>();
  private Unassigned unassigned = Unassigned.BORROWABLE;
  private int exists;
  private int sumCapacity;
  private int sumUse;
  private int sumAbove;
  private int sumWithheld;

  /** A ledger without shares. */
  public Ledger(String unit) {
    this.unit = unit;
  }

  /** Use of one share: its limits for the unit, and what is charged to it. */
  private static final class Account {
    int capacity;
    int borrowLimit;
    int lendLimit;
    boolean lends;
    int use;

    int above(int devices) {
      return Math.max(0, devices - capacity);
    }

    int withheld(int devices) {
      int spare = Math.max(0, capacity - devices);
      return lends ? Math.max(0, spare - lendLimit) : spare;
    }
  }

  /** Makes or changes a share; what is charged to it stays. */
  public void configure(QuotaShare share) {
    Account account = accounts.computeIfAbsent(share.key(), key -> new Account());
    subtract(account);
    account.capacity = share.capacity(unit);
    account.borrowLimit = share.borrowLimit(unit);
    account.lendLimit = share.lendLimit(unit);
    account.lends = share.strategy().lends();
    add(account);
  }

  /** Takes a share out; nothing may be charged to it. */
  public void remove(ShareKey share) {
    Account account = account(share);
    checkState(account.use == 0, "%s is removed and uses %s %s", share, account.use, unit);
    subtract(account);
    accounts.remove(share);
  }

  /** Says how many devices exist ({@code E}). */
  public void exists(int devices) {
    checkArgument(devices >= 0, "devices: %s (expected: >= 0)", devices);
    exists = devices;
  }

  /** Says what may be done with devices that no share owns. */
  public void unassigned(Unassigned use) {
    unassigned = use;
  }

  /** Charges devices to a share; a negative number takes them off. */
  public void charge(ShareKey share, int devices) {
    Account account = account(share);
    checkState(
        account.use + devices >= 0, "%s would use %s %s", share, account.use + devices, unit);
    subtract(account);
    account.use += devices;
    add(account);
  }

  /** Devices that exist. */
  public int exists() {
    return exists;
  }

  /** Devices charged to a share. */
  public int use(ShareKey share) {
    return account(share).use;
  }

  /** Devices that a share owns. */
  public int capacity(ShareKey share) {
    return account(share).capacity;
  }

  /** Devices of all shares together. */
  public int sumCapacity() {
    return sumCapacity;
  }

  /** Devices charged to all shares together. */
  public int sumUse() {
    return sumUse;
  }

  /** Devices that all shares together use above their limits. */
  public int sumAbove() {
    return sumAbove;
  }

  /** Devices that a share uses above its limit. */
  public int above(ShareKey share) {
    Account account = account(share);
    return account.above(account.use);
  }

  /** What a share uses above its limit and within its borrow limit. */
  public int borrowed(ShareKey share) {
    return Math.min(above(share), account(share).borrowLimit);
  }

  /** What a share uses above both limits. */
  public int over(ShareKey share) {
    return above(share) - borrowed(share);
  }

  /** Unused part of the limit of a share that others may use. */
  public int lendable(ShareKey share) {
    Account account = account(share);
    return Math.max(0, account.capacity - account.use) - account.withheld(account.use);
  }

  /** Devices that are charged to nobody: {@code E} less all use; negative while nodes leave. */
  public int free() {
    return exists - sumUse;
  }

  /** Devices that no share owns. */
  public int unowned() {
    return Math.max(0, exists - sumCapacity);
  }

  /** Devices that no share owns and that may be borrowed. */
  public int lendableUnowned() {
    return unassigned == Unassigned.BORROWABLE ? unowned() : 0;
  }

  /**
   * Devices that may not be lent: of the shares, and of nobody where unassigned devices stay idle.
   */
  public int withheld() {
    return sumWithheld + (unassigned == Unassigned.IDLE ? unowned() : 0);
  }

  /** Devices of the cover that are missing (quota-semantics 1); 0 if loans are covered. */
  public int missing() {
    return missing(sumAbove, withheld(), free());
  }

  private static int missing(int above, int withheld, int free) {
    return above == 0 ? 0 : Math.max(0, withheld - free);
  }

  /**
   * What {@link #missing()} would be after these changes of use, with {@code moreDevices} more
   * devices in existence.
   */
  public int missingAfter(Map<ShareKey, Integer> changes, int moreDevices) {
    int above = sumAbove;
    int withheld = sumWithheld;
    int use = sumUse;
    for (Map.Entry<ShareKey, Integer> change : changes.entrySet()) {
      Account account = account(change.getKey());
      int after = account.use + change.getValue();
      above += account.above(after) - account.above(account.use);
      withheld += account.withheld(after) - account.withheld(account.use);
      use += change.getValue();
    }
    int e = exists + moreDevices;
    int idle = unassigned == Unassigned.IDLE ? Math.max(0, e - sumCapacity) : 0;
    return missing(above, withheld + idle, e - use);
  }

  /** Whether a share stays within its own limit with that much more. */
  public boolean withinLimit(ShareKey share, int more) {
    Account account = account(share);
    return account.use + more <= account.capacity;
  }

  /** Whether a share stays within its limit plus its borrow limit with that much more. */
  public boolean withinBorrowLimit(ShareKey share, int more) {
    Account account = account(share);
    return (long) account.use + more <= (long) account.capacity + account.borrowLimit;
  }

  /**
   * Whether {@code gpus} more may be charged to a share after others were taken: within its own
   * limit the cover may not get worse than {@code tolerated}, above it nothing may be missing
   * (quota-semantics 1, {@code missing}; invariants I3 and I4).
   *
   * @param taken devices taken from shares before, by share
   * @param mayBorrow whether the charge may go above the own limit
   * @param tolerated cover that may stay missing
   * @param moreDevices devices that exist beyond {@link #exists()}, for what-if questions
   */
  public boolean allows(
      ShareKey share,
      int gpus,
      Map<ShareKey, Integer> taken,
      boolean mayBorrow,
      int tolerated,
      int moreDevices) {
    Account account = account(share);
    Map<ShareKey, Integer> changes = new TreeMap<>();
    taken.forEach((key, devices) -> changes.put(key, -devices));
    changes.merge(share, gpus, Integer::sum);
    int after = account.use + changes.get(share);
    if (after <= account.capacity) {
      return missingAfter(changes, moreDevices) <= tolerated;
    }
    return mayBorrow
        && (long) after <= (long) account.capacity + account.borrowLimit
        && missingAfter(changes, moreDevices) == 0;
  }

  private Account account(ShareKey share) {
    Account account = accounts.get(share);
    checkArgument(account != null, "%s is not in the ledger of %s", share, unit);
    return account;
  }

  private void subtract(Account account) {
    sumCapacity -= account.capacity;
    sumUse -= account.use;
    sumAbove -= account.above(account.use);
    sumWithheld -= account.withheld(account.use);
  }

  private void add(Account account) {
    sumCapacity = Math.addExact(sumCapacity, account.capacity);
    sumUse = Math.addExact(sumUse, account.use);
    sumAbove += account.above(account.use);
    sumWithheld += account.withheld(account.use);
  }
}
