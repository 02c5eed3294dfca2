package io.quotashare.core.state;

import static io.quotashare.core.model.Check.checkState;

import io.quotashare.core.QueueView;
import io.quotashare.core.ledger.Ledger;
import io.quotashare.core.ledger.Loans;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Unassigned;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The devices of one capacity unit in one queue, with both ledgers, the shares' lines, and an index
 * of free devices by node. Every change of a node goes through {@link #changeNode}, so that sums
 * and index stay true.
 */
public final class Pool {
  private final PoolKey key;
  private Queue queue;
  private final Ledger planned;
  private final Ledger held;
  private final Loans loans = new Loans();
  private final SortedMap<ShareKey, ShareState> shares = new TreeMap<>();
  private final SortedMap<String, NodeSlots> nodes = new TreeMap<>();
  private final NodeIndex nodeIndex = new NodeIndex();
  private final NavigableMap<Integer, Integer> nodesBySize = new TreeMap<>();
  private final Counts counts = new Counts();

  /** Devices that plans claim, by node, also of nodes that have left and may come back. */
  private final Map<String, Integer> claims = new HashMap<>();

  private final FrontOrder fronts = new FrontOrder();
  private Set<ShareState> unexplained = new LinkedHashSet<>();
  private final Meter meter;
  private int sumLendLimits;
  private @Nullable Hold hold;
  private boolean borrowingBlocked;
  private long sizesRevision;

  /** Sums over the nodes, in devices. */
  static final class Counts {
    int total;
    int held;
    int departing;
    int openFree;
    int closedFree;
    int outside;
    int unhealthy;
    int reserved;
    int coming;

    void add(NodeSlots node, int sign) {
      total += sign * node.total();
      held += sign * node.held();
      departing += sign * node.departing();
      outside += sign * node.outside();
      unhealthy += sign * node.unhealthy();
      coming += sign * node.coming(0);
      if (node.node().countsFree()) {
        openFree += sign * node.free();
        reserved += sign * node.reserved();
      } else {
        closedFree += sign * node.free();
      }
    }
  }

  /** Something that is done to the devices of a node. */
  interface NodeChange {
    void apply(NodeSlots slots);
  }

  Pool(PoolKey key, Queue queue) {
    this.key = key;
    this.queue = queue;
    this.planned = new Ledger(key.unit());
    this.held = new Ledger(key.unit());
    this.meter = new Meter(this);
    configure(queue);
  }

  public PoolKey key() {
    return key;
  }

  public Queue queue() {
    return queue;
  }

  /** {@code U}: decides limits, order, who is above, candidates and victims (quota-semantics 1). */
  public Ledger planned() {
    return planned;
  }

  /** What attempts hold, victims included until they are gone. */
  public Ledger held() {
    return held;
  }

  public Loans loans() {
    return loans;
  }

  public Meter meter() {
    return meter;
  }

  public SortedMap<ShareKey, ShareState> shares() {
    return shares;
  }

  public ShareState share(ShareKey share) {
    return shares.get(share);
  }

  /** The front jobs in their orders, as of the last look at what changed. */
  public FrontOrder fronts() {
    return fronts;
  }

  /** Something of a share changed: its front, what it uses, or its limits. */
  void changed(ShareState share) {
    fronts.changed(share);
    unexplained.add(share);
  }

  private void allChanged() {
    shares.values().forEach(this::changed);
  }

  /** Takes the shares of which something changed since the last call. */
  public Collection<ShareState> takeChanged() {
    Set<ShareState> taken = unexplained;
    if (!taken.isEmpty()) {
      unexplained = new LinkedHashSet<>();
    }
    return taken;
  }

  public SortedMap<String, NodeSlots> nodes() {
    return nodes;
  }

  /** Nodes that are kept for a front job (quota-semantics 3e). */
  public Optional<Hold> hold() {
    return Optional.ofNullable(hold);
  }

  /**
   * Whether a front job within its limit waits for {@code minRuntime}, so that nothing starts by
   * borrowing (4.6).
   */
  public boolean borrowingBlocked() {
    return borrowingBlocked;
  }

  public void borrowingBlocked(boolean value) {
    borrowingBlocked = value;
  }

  /** All devices of the unit on all nodes of the queue, usable or not, also on lost nodes. */
  public int totalDevices() {
    return counts.total;
  }

  /** Free devices on cordoned, draining and lost nodes. */
  public int closedFree() {
    return counts.closedFree;
  }

  Counts counts() {
    return counts;
  }

  /** Most devices of the unit on one node. */
  public int largestNode() {
    return nodesBySize.isEmpty() ? 0 : nodesBySize.lastKey();
  }

  /** Nodes that have at least that many devices of the unit, usable or not. */
  public int nodesWithAtLeast(int devices) {
    int sum = 0;
    for (int n : nodesBySize.tailMap(devices, true).values()) {
      sum += n;
    }
    return sum;
  }

  /** What all shares but one may lend at most. */
  public int lendLimitsOfOthers(QuotaShare share) {
    return sumLendLimits - share.lendLimit(key.unit());
  }

  /**
   * Devices that no share owns and that may be borrowed, if all devices that were ever seen were
   * there.
   */
  public int borrowableUnowned() {
    return queue.unassigned() == Unassigned.BORROWABLE
        ? Math.max(0, counts.total - planned.sumCapacity())
        : 0;
  }

  void configure(Queue newQueue) {
    queue = newQueue;
    planned.unassigned(newQueue.unassigned());
    held.unassigned(newQueue.unassigned());
    fronts.order(newQueue.idleAssignment());
    allChanged();
  }

  void configure(QuotaShare share, @Nullable QuotaShare before) {
    changed(shares.computeIfAbsent(share.key(), ShareState::new));
    planned.configure(share);
    held.configure(share);
    sumLendLimits +=
        share.lendLimit(key.unit()) - (before == null ? 0 : before.lendLimit(key.unit()));
  }

  /** Takes a share out that has nothing waiting and nothing running. */
  void remove(QuotaShare share) {
    ShareState gone = shares.remove(share.key());
    checkState(gone == null || gone.isIdle(), "%s is removed and has jobs", share.key());
    if (gone != null) {
      changed(gone);
    }
    planned.remove(share.key());
    held.remove(share.key());
    sumLendLimits -= share.lendLimit(key.unit());
  }

  void putNode(Node node) {
    boolean empty = counts.total == 0;
    NodeSlots before = nodes.remove(node.name());
    NodeSlots after =
        before == null ? new NodeSlots(node, key.unit()) : new NodeSlots(node, key.unit(), before);
    after.claim(claims.getOrDefault(node.name(), 0));
    after.keep(hold == null ? 0 : hold.places().getOrDefault(node.name(), 0));
    if (before != null) {
      unindex(before);
      resize(before.total(), -1);
    }
    if (!after.isEmpty()) {
      nodes.put(node.name(), after);
      index(after);
      resize(after.total(), 1);
    }
    refreshExists();
    if (empty && counts.total > 0) {
      meter.begin();
    }
  }

  /** Takes a node in although it reports no device of the unit, since attempts hold some there. */
  void ensureNode(Node node) {
    if (!nodes.containsKey(node.name())) {
      NodeSlots slots = new NodeSlots(node, key.unit());
      nodes.put(node.name(), slots);
      index(slots);
      resize(slots.total(), 1);
    }
  }

  void removeNode(String name) {
    NodeSlots before = nodes.remove(name);
    if (before != null) {
      unindex(before);
      resize(before.total(), -1);
      refreshExists();
    }
  }

  void changeNode(String name, NodeChange change) {
    NodeSlots slots = nodes.get(name);
    if (slots == null) {
      throw new IllegalStateException("node " + name + " is not in the pool " + key);
    }
    unindex(slots);
    int size = slots.total();
    change.apply(slots);
    index(slots);
    if (slots.total() != size) {
      resize(size, -1);
      resize(slots.total(), 1);
    }
    refreshExists();
  }

  /** Claims devices for a plan; {@code sign} -1 gives them up. */
  public void claim(Map<String, Integer> places, int sign) {
    for (Map.Entry<String, Integer> place : places.entrySet()) {
      int devices = sign * place.getValue();
      claims.merge(place.getKey(), devices, (a, b) -> a + b == 0 ? null : a + b);
      if (nodes.containsKey(place.getKey())) {
        changeNode(place.getKey(), slots -> slots.claim(devices));
      }
    }
  }

  /** Keeps nodes for a job, or ends that with null. */
  void keep(@Nullable Hold newHold) {
    if (hold != null) {
      keep(hold, -1);
    }
    hold = newHold;
    if (newHold != null) {
      keep(newHold, 1);
    }
  }

  private void keep(Hold which, int sign) {
    for (Map.Entry<String, Integer> place : which.places().entrySet()) {
      if (nodes.containsKey(place.getKey())) {
        changeNode(place.getKey(), slots -> slots.keep(sign * place.getValue()));
      }
    }
  }

  /**
   * Where a shape sits on devices that are free now: the fullest nodes that still have room, so
   * that whole nodes stay whole; ties by name. Empty if nowhere.
   */
  public Optional<SortedMap<String, Integer>> place(Shape shape) {
    return placeWithin(shape, Map.of());
  }

  /** The same, with at most so many devices on the nodes that are named. */
  public Optional<SortedMap<String, Integer>> placeWithin(
      Shape shape, Map<String, Integer> mostByNode) {
    SortedMap<String, Integer> places = new TreeMap<>();
    for (NavigableSet<String> names : nodeIndex.withAvailable(shape.gpusPerNode())) {
      for (String name : names) {
        if (mostByNode.getOrDefault(name, Integer.MAX_VALUE) >= shape.gpusPerNode()) {
          places.put(name, shape.gpusPerNode());
        }
        if (places.size() == shape.nodes()) {
          return Optional.of(places);
        }
      }
    }
    return Optional.empty();
  }

  /** The same for a job that a hold does not bind: what is kept counts as free. */
  public Optional<SortedMap<String, Integer>> placeInSpiteOfHold(Shape shape) {
    Hold present = hold;
    if (present == null) {
      return place(shape);
    }
    keep(present, -1);
    try {
      return place(shape);
    } finally {
      keep(present, 1);
    }
  }

  /** Devices by use; they add up to the total. */
  public QueueView.PoolView view() {
    int rest = counts.openFree - counts.reserved;
    int reservedIdle = Math.min(rest, held.withheld());
    return new QueueView.PoolView(
        key.unit(),
        counts.total,
        counts.held,
        counts.reserved,
        reservedIdle,
        rest - reservedIdle,
        counts.outside,
        counts.unhealthy + counts.closedFree,
        Math.max(0, held.sumCapacity() - held.exists()));
  }

  /** Most devices that are available on one node. */
  public int mostAvailable() {
    return nodeIndex.mostAvailable();
  }

  /** Devices that are still being freed, and for nobody. */
  public int coming() {
    return counts.coming;
  }

  /** Nodes with so many devices available, or that would have them if closed nodes came back. */
  public int nodesIfOpened(int devices) {
    return nodeIndex.nodesIfOpened(devices);
  }

  /** Closed nodes with free devices, by name. */
  public NavigableSet<String> closedNodes() {
    return nodeIndex.closedNodes();
  }

  /** Nodes that take work by their room for those who find nothing kept for them. */
  public NavigableMap<Integer, NavigableSet<String>> nodesByRoom() {
    return nodeIndex.byRoom();
  }

  /** Grows whenever a node comes, goes, or has another number of devices. */
  public long sizesRevision() {
    return sizesRevision;
  }

  /** What all shares together lend at most. */
  public int sumLendLimits() {
    return sumLendLimits;
  }

  /** Free devices on all nodes that take work, what is set aside included. */
  public int openFree() {
    return counts.openFree;
  }

  private void index(NodeSlots slots) {
    counts.add(slots, 1);
    nodeIndex.add(slots);
  }

  private void unindex(NodeSlots slots) {
    counts.add(slots, -1);
    nodeIndex.remove(slots);
  }

  private void resize(int size, int nodesMore) {
    sizesRevision++;
    nodesBySize.merge(size, nodesMore, Integer::sum);
    if (nodesBySize.get(size) == 0) {
      nodesBySize.remove(size);
    }
  }

  /** Whether sums and indexes are what they are if all nodes are counted anew. */
  boolean nodeIndexesAreRight() {
    Pool anew = new Pool(key, queue);
    nodes.values().forEach(anew::index);
    nodes.values().forEach(slots -> anew.resize(slots.total(), 1));
    return nodeIndex.isLike(anew.nodeIndex)
        && nodesBySize.equals(anew.nodesBySize)
        && counts.coming == anew.counts.coming
        && counts.openFree == anew.counts.openFree
        && counts.closedFree == anew.counts.closedFree
        && counts.held == anew.counts.held
        && counts.total == anew.counts.total;
  }

  private void refreshExists() {
    int exists = counts.openFree + counts.held;
    planned.exists(exists - counts.departing);
    held.exists(exists);
  }
}
