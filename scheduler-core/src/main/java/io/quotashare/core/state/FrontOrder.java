package io.quotashare.core.state;

import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The front jobs of a pool in the orders of quota-semantics 2, so that who goes next is found
 * without looking at every share.
 *
 * <p>Fronts that can do nothing but start stand by the devices that they need on each node: where
 * no node has that many to give, none of them is looked at.
 *
 * <p>Invariants: a share has at most one front here; a front that has not changed since it was put
 * stands in {@link #bySubmission} if it is within its limit, and in one of the three groups; shares
 * of which something changed are listed until {@link #takeChanged}, and their fronts may be old.
 */
public final class FrontOrder {
  /** Fronts in one order: those that may stop own attempts, and the others by size. */
  private static final class Group {
    private final Comparator<Front> order;
    private final NavigableSet<Front> stoppers;
    private final NavigableMap<Integer, NavigableSet<Front>> bySize = new TreeMap<>();

    Group(Comparator<Front> order) {
      this.order = order;
      this.stoppers = new TreeSet<>(order);
    }

    void add(Front front) {
      if (front.hasOwnVictims()) {
        stoppers.add(front);
      } else {
        bySize.computeIfAbsent(front.gpusPerNode(), n -> new TreeSet<>(order)).add(front);
      }
    }

    void remove(Front front) {
      if (front.hasOwnVictims()) {
        stoppers.remove(front);
        return;
      }
      NavigableSet<Front> same = bySize.get(front.gpusPerNode());
      same.remove(front);
      if (same.isEmpty()) {
        bySize.remove(front.gpusPerNode());
      }
    }

    boolean isLike(Group other) {
      return stoppers.equals(other.stoppers) && bySize.equals(other.bySize);
    }

    Iterator<Front> upTo(int gpusPerNode, Collection<Front> more) {
      List<Collection<Front>> sorted = new ArrayList<>();
      sorted.add(stoppers);
      sorted.add(more.stream().sorted(order).toList());
      sorted.addAll(bySize.headMap(gpusPerNode, true).values());
      return new Merged(sorted, order);
    }
  }

  /** Several sorted collections as one. */
  private static final class Merged implements Iterator<Front> {
    private record Head(Front front, Iterator<Front> rest) {}

    private final PriorityQueue<Head> heads;

    Merged(List<Collection<Front>> sorted, Comparator<Front> order) {
      heads = new PriorityQueue<>((a, b) -> order.compare(a.front, b.front));
      for (Collection<Front> fronts : sorted) {
        push(fronts.iterator());
      }
    }

    private void push(Iterator<Front> rest) {
      if (rest.hasNext()) {
        heads.add(new Head(rest.next(), rest));
      }
    }

    @Override
    public boolean hasNext() {
      return !heads.isEmpty();
    }

    @Override
    public Front next() {
      Head head = heads.poll();
      if (head == null) {
        throw new NoSuchElementException();
      }
      push(head.rest);
      return head.front;
    }
  }

  private final Map<ShareKey, Front> fronts = new HashMap<>();
  private final Group within = new Group(Front.BY_FILL);
  private final NavigableSet<Front> withinAfterStops = new TreeSet<>(Front.BY_FILL);
  private final NavigableSet<Front> bySubmission = new TreeSet<>(Front.BY_SUBMISSION);
  private final NavigableSet<Front> backfilling =
      new TreeSet<>(Comparator.comparing((Front front) -> front.share().key()));
  private Group beyond = new Group(Front.BY_SUBMISSION);
  private Set<ShareState> changed = new LinkedHashSet<>();

  FrontOrder() {}

  /** Orders borrowers in another way. */
  void order(IdleAssignment assignment) {
    Group reordered =
        new Group(assignment == IdleAssignment.FAIR ? Front.BY_FAIRNESS : Front.BY_SUBMISSION);
    for (Front front : fronts.values()) {
      if (!front.within() && !front.withinAfterStops()) {
        reordered.add(front);
      }
    }
    beyond = reordered;
  }

  /** Something of a share changed. */
  void changed(ShareState share) {
    changed.add(share);
  }

  /** Takes the shares of which something changed since the last call. */
  public Collection<ShareState> takeChanged() {
    Set<ShareState> taken = changed;
    if (!taken.isEmpty()) {
      changed = new LinkedHashSet<>();
    }
    return taken;
  }

  /** Makes a front the one of its share, or none. */
  public void put(ShareKey share, @Nullable Front front) {
    Front before = front == null ? fronts.remove(share) : fronts.put(share, front);
    if (before != null) {
      remove(before);
    }
    if (front != null) {
      add(front);
    }
  }

  private void add(Front front) {
    if (front.within()) {
      within.add(front);
      bySubmission.add(front);
    } else if (front.withinAfterStops()) {
      withinAfterStops.add(front);
    } else {
      beyond.add(front);
    }
    if (front.share().ordering() == Ordering.BACKFILL) {
      backfilling.add(front);
    }
  }

  private void remove(Front front) {
    if (front.within()) {
      within.remove(front);
      bySubmission.remove(front);
    } else if (front.withinAfterStops()) {
      withinAfterStops.remove(front);
    } else {
      beyond.remove(front);
    }
    if (front.share().ordering() == Ordering.BACKFILL) {
      backfilling.remove(front);
    }
  }

  /** The front of a share; empty if it has none. */
  public Optional<Front> of(ShareKey share) {
    return Optional.ofNullable(fronts.get(share));
  }

  /** Fronts within their limits, earliest submitted first. */
  public Collection<Front> bySubmission() {
    return bySubmission;
  }

  /** Fronts that are within their limits once own attempts of lower priority are stopped. */
  public Collection<Front> withinAfterStops() {
    return withinAfterStops;
  }

  /** Fronts of shares that backfill, by share. */
  public Collection<Front> backfilling() {
    return backfilling;
  }

  /**
   * Fronts within their limits, smallest use per limit first.
   *
   * @param gpusPerNode of those who can do nothing but start, only who needs no more than this
   * @param more others that go among them
   */
  public Iterator<Front> within(int gpusPerNode, Collection<Front> more) {
    return within.upTo(gpusPerNode, more);
  }

  /** The others, in the order in which idle devices are given to borrowers; likewise. */
  public Iterator<Front> beyond(int gpusPerNode, Collection<Front> more) {
    return beyond.upTo(gpusPerNode, more);
  }

  boolean isChanged(ShareState share) {
    return changed.contains(share);
  }

  /** Whether every front stands where it would if all were put anew. */
  boolean groupsAreRight() {
    FrontOrder anew = new FrontOrder();
    anew.beyond = new Group(beyond.order);
    fronts.forEach(anew::put);
    return within.isLike(anew.within)
        && beyond.isLike(anew.beyond)
        && withinAfterStops.equals(anew.withinAfterStops)
        && bySubmission.equals(anew.bySubmission)
        && backfilling.equals(anew.backfilling);
  }
}
