package io.quotashare.core.state;

import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The nodes of a pool by what they have to give, so that places are found without looking at every
 * node.
 *
 * <p>Invariants: a node that takes work stands once by its available devices and once by its room;
 * a closed one once by its free devices; no number is listed without a node.
 */
final class NodeIndex {
  private final NavigableMap<Integer, NavigableSet<String>> byAvailable = new TreeMap<>();
  private final NavigableMap<Integer, NavigableSet<String>> byRoom = new TreeMap<>();
  private final NavigableMap<Integer, NavigableSet<String>> closedByFree = new TreeMap<>();

  void add(NodeSlots slots) {
    String name = slots.node().name();
    if (slots.node().takesWork()) {
      file(byAvailable, slots.available(), name);
      file(byRoom, slots.room(0), name);
    }
    if (!slots.node().countsFree()) {
      file(closedByFree, slots.free(), name);
    }
  }

  /** Takes a node out; to be called before it changes. */
  void remove(NodeSlots slots) {
    String name = slots.node().name();
    if (slots.node().takesWork()) {
      unfile(byAvailable, slots.available(), name);
      unfile(byRoom, slots.room(0), name);
    }
    if (!slots.node().countsFree()) {
      unfile(closedByFree, slots.free(), name);
    }
  }

  private static void file(
      NavigableMap<Integer, NavigableSet<String>> index, int devices, String name) {
    index.computeIfAbsent(devices, n -> new TreeSet<>()).add(name);
  }

  private static void unfile(
      NavigableMap<Integer, NavigableSet<String>> index, int devices, String name) {
    NavigableSet<String> names = index.get(devices);
    names.remove(name);
    if (names.isEmpty()) {
      index.remove(devices);
    }
  }

  /** Nodes with at least so many available devices: the fullest first, then by name. */
  Iterable<NavigableSet<String>> withAvailable(int devices) {
    return byAvailable.tailMap(devices, true).values();
  }

  /** Nodes that take work by {@link NodeSlots#room} for those who find nothing kept for them. */
  NavigableMap<Integer, NavigableSet<String>> byRoom() {
    return byRoom;
  }

  int mostAvailable() {
    return byAvailable.isEmpty() ? 0 : byAvailable.lastKey();
  }

  /** Nodes with so many devices available, or that would have them if closed nodes came back. */
  int nodesIfOpened(int devices) {
    int sum = 0;
    for (NavigableSet<String> names : byAvailable.tailMap(devices, true).values()) {
      sum += names.size();
    }
    for (NavigableSet<String> names : closedByFree.tailMap(devices, true).values()) {
      sum += names.size();
    }
    return sum;
  }

  /** Closed nodes with free devices, by name. */
  NavigableSet<String> closedNodes() {
    NavigableSet<String> all = new TreeSet<>();
    closedByFree.tailMap(1, true).values().forEach(all::addAll);
    return all;
  }

  boolean isLike(NodeIndex other) {
    return byAvailable.equals(other.byAvailable)
        && byRoom.equals(other.byRoom)
        && closedByFree.equals(other.closedByFree);
  }
}
