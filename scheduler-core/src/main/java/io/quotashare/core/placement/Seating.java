package io.quotashare.core.placement;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Whether and where a shape sits on the room of each node (quota-semantics 4.4). */
public final class Seating {
  private Seating() {}

  /** A node with enough room, and what decides between such nodes. */
  private record Seat(String node, int alreadyFree, int leftOver) {
    /** Devices that are leaving anyway first, then the tightest fit, then the name. */
    static final Comparator<Seat> ORDER =
        Comparator.comparingInt(Seat::alreadyFree)
            .thenComparingInt(Seat::leftOver)
            .thenComparing(Seat::node);
  }

  /**
   * Whether a shape sits.
   *
   * @param room devices that it may use, by node, 0 or more each
   */
  public static boolean fits(Shape shape, Map<String, Integer> room) {
    int enough = 0;
    for (int devices : room.values()) {
      if (devices >= shape.gpusPerNode() && ++enough == shape.nodes()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Where a shape sits: on the nodes where it uses the fewest devices that are free already
   * (quota-semantics 1: plans are served by the devices that leave first), then where the least is
   * left over, so that whole nodes stay whole, then by name.
   *
   * @param room devices that it may use, by node, {@code leaving} included
   * @param leaving part of {@code room} that is not free yet; nodes that are not listed have none
   * @return devices by node; empty if it does not fit
   */
  public static Optional<SortedMap<String, Integer>> places(
      Shape shape, Map<String, Integer> room, Map<String, Integer> leaving) {
    requireNonNull(shape, "shape is null");
    List<Seat> seats = new ArrayList<>();
    room.forEach(
        (node, devices) -> {
          if (devices >= shape.gpusPerNode()) {
            int alreadyFree = Math.max(0, shape.gpusPerNode() - leaving.getOrDefault(node, 0));
            seats.add(new Seat(node, alreadyFree, devices - shape.gpusPerNode()));
          }
        });
    if (seats.size() < shape.nodes()) {
      return Optional.empty();
    }
    seats.sort(Seat.ORDER);
    SortedMap<String, Integer> places = new TreeMap<>();
    for (Seat seat : seats.subList(0, shape.nodes())) {
      places.put(seat.node(), shape.gpusPerNode());
    }
    return Optional.of(places);
  }
}
