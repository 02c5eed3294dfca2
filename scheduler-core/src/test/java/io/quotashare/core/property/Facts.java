package io.quotashare.core.property;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import io.quotashare.core.model.Unassigned;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The numbers of quota-semantics 1 for one pool, counted anew from rows whenever they are asked
 * for.
 */
final class Facts {
  /** No limit. */
  static final long UNLIMITED = Long.MAX_VALUE / 4;

  /** Use of one share. */
  static final class Use {
    final QuotaShare share;
    final int c;
    final long borrowLimit;
    final int lendLimit;
    int planned;
    int held;

    Use(QuotaShare share, String unit) {
      this.share = share;
      this.c = share.capacity().getOrDefault(unit, 0);
      this.borrowLimit =
          share.strategy() == Strategy.LEND_AND_BORROW ? limit(share.borrowLimit(), unit, c) : 0;
      this.lendLimit =
          share.strategy() == Strategy.RESERVE
              ? 0
              : (int) Math.min(c, limit(share.lendLimit(), unit, c));
    }

    private static long limit(Limit limit, String unit, int c) {
      if (limit instanceof Limit.Percent percent) {
        return percent.percent() == -1 ? UNLIMITED : (long) c * percent.percent() / 100;
      }
      return ((Limit.Devices) limit).byUnit().getOrDefault(unit, 0);
    }

    int above(int use) {
      return Math.max(0, use - c);
    }

    int withheld(int use) {
      int spare = Math.max(0, c - use);
      return share.strategy() == Strategy.RESERVE ? spare : Math.max(0, spare - lendLimit);
    }

    int lendable(int use) {
      return Math.max(0, c - use) - withheld(use);
    }
  }

  /** Devices of one node. */
  static final class Place {
    final Node node;

    /** Whether it stays in the queue when its attempts have ended. */
    final boolean stays;

    int total;
    int free;
    int outside;
    int unhealthy;
    int held;
    int leaving;
    int claimed;
    int kept;

    Place(Node node, boolean stays) {
      this.node = node;
      this.stays = stays;
    }

    boolean takesWork() {
      return stays && node.order() == Node.Order.OPEN && node.liveness() == Node.Liveness.ALIVE;
    }

    boolean exists() {
      return stays && node.order() == Node.Order.OPEN && node.liveness() != Node.Liveness.LOST;
    }

    /** Startable now beside what plans and holds still need after those who leave have left. */
    int available() {
      return takesWork() ? Math.max(0, free - Math.max(0, claimed + kept - leaving)) : 0;
    }

    /** Free or coming free, and nobody's. */
    int room() {
      return takesWork() ? Math.max(0, free + leaving - claimed - kept) : 0;
    }
  }

  final PoolKey pool;
  final Queue queue;
  final SortedMap<ShareKey, Use> uses = new TreeMap<>();
  final SortedMap<String, Place> places = new TreeMap<>();
  int exists;
  int total;

  /**
   * Devices that leave the pool with those who were told to stop, so that nothing planned counts on
   * them.
   */
  int departing;

  private Facts(PoolKey pool, Queue queue) {
    this.pool = pool;
    this.queue = queue;
  }

  /** The facts for a job that asks where it may sit. */
  static Facts of(Mirror rows, PoolKey pool, Job asker) {
    return rows.once(
        List.of("facts", pool, asker.key()), () -> of(rows, pool, Set.of(), Set.of(), asker));
  }

  /** The facts as the rows say. */
  static Facts of(Mirror rows, PoolKey pool) {
    return rows.once(List.of("facts", pool), () -> of(rows, pool, Set.of(), Set.of(), null));
  }

  /**
   * The facts if some attempts were told to stop and some plans were void.
   *
   * @param asker the job that is asked about, so that a hold of its own, or one that it goes
   *     before, does not count; may be null
   */
  static Facts of(Mirror rows, PoolKey pool, Set<AttemptKey> told, Set<Long> voidPlans, Job asker) {
    Facts facts = new Facts(pool, rows.queues.get(pool.queue()));
    rows.sharesOf(pool).forEach(s -> facts.uses.put(s.key(), new Use(s, pool.unit())));
    Map<String, Set<String>> heldOn = new HashMap<>();
    for (Attempt attempt : rows.live.values()) {
      // A device that changed its unit is of its old one until it is freed.
      attempt.parts().stream()
          .filter(part -> !part.phase().isFree())
          .forEach(
              part ->
                  heldOn.computeIfAbsent(part.node(), n -> new HashSet<>()).addAll(part.devices()));
    }
    for (Attempt attempt : rows.liveIn(pool)) {
      facts.count(rows, attempt, told.contains(attempt.key()));
    }
    for (Node node : rows.nodes.values()) {
      if (rows.queueOf(node).filter(pool.queue()::equals).isPresent()) {
        facts.count(rows, node, heldOn.getOrDefault(node.name(), Set.of()));
      }
    }
    for (Plan plan : rows.plansIn(pool)) {
      if (!voidPlans.contains(plan.id())) {
        facts.uses.get(plan.share()).planned += sum(plan.places());
        plan.places().forEach((n, d) -> facts.claim(n, d));
      }
    }
    Hold hold = rows.holds.get(pool);
    if (hold != null && (asker == null || facts.binds(rows, hold, asker))) {
      hold.places().forEach((n, d) -> facts.keep(n, d));
    }
    return facts;
  }

  private void count(Mirror rows, Attempt attempt, boolean told) {
    Use use = uses.get(attempt.share());
    for (Part part : attempt.parts()) {
      if (part.phase().isFree()) {
        continue;
      }
      int devices = part.devices().size();
      use.held += devices;
      exists += devices;
      boolean leaves = told || !attempt.isPlanned();
      use.planned += leaves ? 0 : devices;
      Place place = place(rows, rows.nodes.get(part.node()));
      place.held += devices;
      int back = startable(rows.nodes.get(part.node()), part);
      place.leaving += leaves ? back : 0;
      departing += leaves ? devices - (place.exists() ? back : 0) : 0;
    }
  }

  /** Devices of a part that would be startable if they were free. */
  int startable(Node node, Part part) {
    int count = 0;
    for (Device device : Mirror.devices(node, pool.unit())) {
      count += part.devices().contains(device.uuid()) && isStartable(device) ? 1 : 0;
    }
    return count;
  }

  private static boolean isStartable(Device device) {
    return device.healthy() && !device.outside();
  }

  private void count(Mirror rows, Node node, Set<String> held) {
    Place place = place(rows, node);
    for (Device device : Mirror.devices(node, pool.unit())) {
      if (!held.contains(device.uuid())) {
        place.free += isStartable(device) ? 1 : 0;
        place.outside += device.outside() ? 1 : 0;
        place.unhealthy += !device.outside() && !device.healthy() ? 1 : 0;
      }
    }
    place.total = place.held + place.free + place.outside + place.unhealthy;
    total += place.total;
    exists += place.exists() ? place.free : 0;
    if (place.total == 0) {
      places.remove(node.name());
    }
  }

  /** A hold binds everybody but its job and owners that were submitted before it (3e). */
  private boolean binds(Mirror rows, Hold hold, Job job) {
    boolean earlier = job.sequence() < rows.jobs.get(hold.job()).sequence();
    boolean within = planned().plus(job.share(), job.gpus()).within(job.share());
    return !hold.job().equals(job.key()) && !(earlier && within);
  }

  private Place place(Mirror rows, Node node) {
    boolean stays = rows.chosenQueueOf(node).filter(pool.queue()::equals).isPresent();
    return places.computeIfAbsent(node.name(), name -> new Place(node, stays));
  }

  private void claim(String node, int devices) {
    if (places.containsKey(node)) {
      places.get(node).claimed += devices;
    }
  }

  private void keep(String node, int devices) {
    if (places.containsKey(node)) {
      places.get(node).kept += devices;
    }
  }

  static int sum(Map<String, Integer> places) {
    return places.values().stream().mapToInt(Integer::intValue).sum();
  }

  // Ledgers

  /** One of the two ledgers: what each share uses. */
  Ledger planned() {
    Map<ShareKey, Integer> use = new TreeMap<>();
    uses.forEach((share, u) -> use.put(share, u.planned));
    return new Ledger(use, exists - departing);
  }

  Ledger held() {
    Map<ShareKey, Integer> use = new TreeMap<>();
    uses.forEach((share, u) -> use.put(share, u.held));
    return new Ledger(use, exists);
  }

  int sumCapacity() {
    return uses.values().stream().mapToInt(u -> u.c).sum();
  }

  /** A ledger; changes make a new one. */
  final class Ledger {
    private final Map<ShareKey, Integer> use;
    private final int devices;

    private Ledger(Map<ShareKey, Integer> use, int devices) {
      this.use = use;
      this.devices = devices;
    }

    /** The same with fewer devices in existence. */
    Ledger without(int departing) {
      return new Ledger(use, devices - departing);
    }

    Ledger plus(ShareKey share, int devices) {
      Map<ShareKey, Integer> more = new TreeMap<>(use);
      more.merge(share, devices, Integer::sum);
      return new Ledger(more, this.devices);
    }

    int use(ShareKey share) {
      return use.get(share);
    }

    int sum() {
      return Facts.sum(names(use));
    }

    int above(ShareKey share) {
      return uses.get(share).above(use.get(share));
    }

    int sumAbove() {
      int sum = 0;
      for (ShareKey share : uses.keySet()) {
        sum += above(share);
      }
      return sum;
    }

    int withheld() {
      int sum = queue.unassigned() == Unassigned.IDLE ? Math.max(0, devices - sumCapacity()) : 0;
      for (Map.Entry<ShareKey, Use> entry : uses.entrySet()) {
        sum += entry.getValue().withheld(use.get(entry.getKey()));
      }
      return sum;
    }

    int free() {
      return devices - sum();
    }

    int missing() {
      return sumAbove() == 0 ? 0 : Math.max(0, withheld() - free());
    }

    boolean within(ShareKey share) {
      return use.get(share) <= uses.get(share).c;
    }

    boolean withinBorrowLimit(ShareKey share) {
      return use.get(share) <= uses.get(share).c + uses.get(share).borrowLimit;
    }
  }

  private static Map<String, Integer> names(Map<ShareKey, Integer> use) {
    Map<String, Integer> names = new HashMap<>();
    use.forEach((share, devices) -> names.put(share.share(), devices));
    return names;
  }

  // Seats

  /** Whether a shape sits on devices that are startable now. */
  boolean sitsNow(Shape shape) {
    return places.values().stream().filter(p -> p.available() >= shape.gpusPerNode()).count()
        >= shape.nodes();
  }

  /** Whether a shape sits on devices that are free or coming free. */
  boolean sitsSoon(Shape shape) {
    return places.values().stream().filter(p -> p.room() >= shape.gpusPerNode()).count()
        >= shape.nodes();
  }
}
