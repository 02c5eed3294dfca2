package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An attempt on one node of its gang.
 *
 * @param rank rank of the node, from 0
 * @param node node name
 * @param devices device UUIDs
 * @param phase where it stands
 * @param reportVersion version of the newest report; older ones are ignored
 * @param exitCode exit code of the main process; empty before the exit, after a signal, or if
 *     unknown
 * @param exitSignal signal that ended the main process; empty if none did
 * @param exitedBeforeStop true if it exited before its agent was asked to stop it
 * @param exitedAtMillis when the last process was gone
 * @param freedAtMillis when the devices were free
 * @param detail why it could not start, or what else is to be known; may be empty
 */
public record Part(
    int rank,
    String node,
    List<String> devices,
    PartPhase phase,
    long reportVersion,
    OptionalInt exitCode,
    OptionalInt exitSignal,
    boolean exitedBeforeStop,
    OptionalLong exitedAtMillis,
    OptionalLong freedAtMillis,
    String detail) {
  public Part {
    checkArgument(rank >= 0, "rank: %s (expected: >= 0)", rank);
    requireNonNull(node, "node is null");
    devices = List.copyOf(devices);
    requireNonNull(phase, "phase is null");
    requireNonNull(exitCode, "exitCode is null");
    requireNonNull(exitSignal, "exitSignal is null");
    requireNonNull(exitedAtMillis, "exitedAtMillis is null");
    requireNonNull(freedAtMillis, "freedAtMillis is null");
    requireNonNull(detail, "detail is null");
  }

  /** Devices that were just given to an attempt. */
  public static Part assigned(int rank, String node, List<String> devices) {
    return new Part(
        rank,
        node,
        devices,
        PartPhase.ASSIGNED,
        0,
        OptionalInt.empty(),
        OptionalInt.empty(),
        false,
        OptionalLong.empty(),
        OptionalLong.empty(),
        "");
  }

  /** Whether the main process ended well. */
  public boolean succeeded() {
    return exitCode.isPresent() && exitCode.getAsInt() == 0;
  }
}
