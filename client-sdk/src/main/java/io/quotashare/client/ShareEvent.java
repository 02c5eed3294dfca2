package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One thing that happened to one share: it is as said, or it is gone. */
public sealed interface ShareEvent {
  /** To resume a watch from after this event. */
  long revision();

  /** When, by the scheduler's clock; null if the scheduler does not say. */
  @Nullable Instant time();

  /** {@code queues/{queue}/shares/{share}}. */
  String name();

  /**
   * The share as it is now, at the beginning of a watch and after every change of it or of what it
   * uses.
   *
   * @param revision to resume a watch from after this event
   * @param time when, by the scheduler's clock
   * @param status the share with its usage
   */
  record Present(long revision, @Nullable Instant time, ShareStatus status) implements ShareEvent {
    /** Checks that nothing required is null. */
    public Present {
      requireNonNull(status, "status");
    }

    @Override
    public String name() {
      return status.share().name();
    }
  }

  /**
   * The share was removed.
   *
   * @param revision to resume a watch from after this event
   * @param time when, by the scheduler's clock; null if it was removed while the watch was away
   * @param name {@code queues/{queue}/shares/{share}}
   */
  record Removed(long revision, @Nullable Instant time, String name) implements ShareEvent {
    /** Checks that nothing required is null. */
    public Removed {
      requireNonNull(name, "name");
    }
  }
}
