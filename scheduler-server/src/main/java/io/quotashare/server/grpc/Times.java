package io.quotashare.server.grpc;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import java.time.Instant;

/** Milliseconds to and from the types of the contract. */
public final class Times {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long FIRST_SECOND = -62_135_596_800L;
  private static final long LAST_SECOND = 253_402_300_799L;

  /** 0001-01-01T00:00:00Z. */
  private static final long MIN_INSTANT_SECONDS = -62_135_596_800L;

  /** 9999-12-31T23:59:59Z. */
  private static final long MAX_INSTANT_SECONDS = 253_402_300_799L;

  private Times() {}

  /** A time span of this many milliseconds. */
  public static Duration duration(long millis) {
    return Duration.newBuilder()
        .setSeconds(millis / 1000)
        .setNanos((int) (millis % 1000 * NANOS_PER_MILLI))
        .build();
  }

  /** An instant, in milliseconds since the epoch of the calendar. */
  public static Timestamp timestamp(long millis) {
    return Timestamp.newBuilder()
        .setSeconds(Math.floorDiv(millis, 1000L))
        .setNanos((int) (Math.floorMod(millis, 1000L) * NANOS_PER_MILLI))
        .build();
  }

  /** An instant in milliseconds since the epoch of the calendar, rounded down. */
  public static long millis(Timestamp timestamp) {
    return timestamp.getSeconds() * 1000 + Math.floorDiv(timestamp.getNanos(), 1_000_000);
  }

  /** An instant as people write it, such as {@code 2026-01-31T12:00:00Z}. */
  public static String text(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  /** Whether a timestamp is one, from the year 1 to 9999. Records in {@code checks} if not. */
  public static boolean isTimestamp(FieldChecks checks, String field, Timestamp timestamp) {
    boolean good =
        timestamp.getSeconds() >= FIRST_SECOND
            && timestamp.getSeconds() <= LAST_SECOND
            && timestamp.getNanos() >= 0
            && timestamp.getNanos() < 1_000_000_000;
    return checks.check(
        good,
        field,
        timestamp.getSeconds() + " s " + timestamp.getNanos() + " ns",
        "a timestamp from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z");
  }

  /**
   * A time span in milliseconds. Records in {@code checks} if it is malformed, finer than a
   * millisecond or out of range; then the answer is {@code min}.
   */
  public static long millis(
      FieldChecks checks, String field, Duration duration, long min, long max) {
    boolean fine = duration.getNanos() % NANOS_PER_MILLI == 0;
    boolean whole = duration.getNanos() >= 0 && duration.getNanos() < 1_000_000_000;
    // Compared in seconds first: the product could overflow.
    boolean near = duration.getSeconds() >= 0 && duration.getSeconds() <= max / 1000 + 1;
    long millis =
        near ? duration.getSeconds() * 1000 + duration.getNanos() / NANOS_PER_MILLI : min - 1;
    boolean good = fine && whole && near && millis >= min && millis <= max;
    checks.check(
        good,
        field,
        shown(duration),
        inWords(min) + " to " + inWords(max) + ", in whole milliseconds");
    return good ? millis : min;
  }

  /**
   * An instant in milliseconds since the epoch of the calendar, rounded down. Records in {@code
   * checks} if it is malformed or outside the years 1 to 9999; then the answer is 0.
   */
  public static long millis(FieldChecks checks, String field, Timestamp timestamp) {
    boolean good =
        timestamp.getSeconds() >= MIN_INSTANT_SECONDS
            && timestamp.getSeconds() <= MAX_INSTANT_SECONDS
            && timestamp.getNanos() >= 0
            && timestamp.getNanos() < 1_000_000_000;
    checks.check(
        good,
        field,
        timestamp.getSeconds() + " s " + timestamp.getNanos() + " ns",
        "an instant of the years 1 to 9999, with 0 to 999999999 ns");
    return good ? millis(timestamp) : 0;
  }

  private static String shown(Duration duration) {
    return duration.getNanos() == 0
        ? duration.getSeconds() + " s"
        : duration.getSeconds() + " s " + duration.getNanos() + " ns";
  }

  private static String inWords(long millis) {
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
  }
}
