package io.quotashare.agent.inventory;

import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The devices of this host. Safe for use by several threads.
 *
 * <p>No method blocks longer than the deadline of a call to the device library (10 s unless
 * configured), whatever the library does.
 */
public interface InventorySource extends AutoCloseable {

  /**
   * The newest inventory. Before the first look at the devices it has no devices and says that it
   * is not known yet.
   */
  Inventory current();

  /**
   * Looks at the devices from now on, at once and then at an interval, until {@link #close}.
   *
   * @param onChange told of the first inventory, and of each one that differs from the one before;
   *     called on a thread of the source, one call at a time, in order; should be quick; what it
   *     throws is logged
   * @throws IllegalStateException if already started
   */
  void start(Consumer<Inventory> onChange);

  /**
   * Asks the driver what occupies the device now. {@link Occupancy.Unknown} for a device that is
   * not known, or if the library does not answer: then the device must not be taken for free.
   */
  Occupancy occupancy(String uuid);

  /**
   * Memory that the device uses when nothing runs on it, in bytes: the least ever seen while no
   * process was listed. Empty until it has been seen without a process.
   */
  OptionalLong idleBaselineBytes(String uuid);

  /** Stops looking and lets the library go, without waiting for a call that hangs. */
  @Override
  void close();
}
