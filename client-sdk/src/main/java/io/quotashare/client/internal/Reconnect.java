package io.quotashare.client.internal;

import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** When a stream that broke is opened again. */
final class Reconnect {
  /** A stream gives up when the scheduler was out of reach for this long. */
  static final Duration GIVE_UP_AFTER = Duration.ofMinutes(10);

  /** A stream without a message for this long is dead: bookmarks come every 30 s. */
  static final Duration SILENCE = Duration.ofSeconds(90);

  /** A stream that never got through gives up after this many tries. */
  static final int FIRST_TRIES = 4;

  private static final long FIRST_DELAY_MILLIS = 100;
  private static final long LAST_DELAY_MILLIS = 5_000;

  private Reconnect() {}

  /** Doubling with the tries since the last message, with jitter: from half to the whole. */
  static Duration delay(int failures) {
    long whole = Math.min(LAST_DELAY_MILLIS, FIRST_DELAY_MILLIS << Math.min(failures - 1, 10));
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(whole / 2, whole + 1));
  }

  /**
   * True for what another try can heal: the connection broke, the scheduler restarts or lost its
   * lead, or it cut a reader that was too slow.
   */
  static boolean isPassing(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    return switch (status.getCode()) {
      case UNAVAILABLE, RESOURCE_EXHAUSTED, ABORTED -> true;
      default -> isBrokenOff(status);
    };
  }

  /** True for what Netty reports when a peer resets a stream as its process dies. */
  static boolean isBrokenOff(Status status) {
    return switch (status.getCode()) {
      case INTERNAL, CANCELLED, UNKNOWN ->
          String.valueOf(status.getDescription()).contains("RST_STREAM")
              || String.valueOf(status.getDescription()).contains("closed");
      default -> false;
    };
  }
}
