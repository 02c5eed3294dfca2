package io.quotashare.server.badinput;

import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Rules that many fields share. */
final class CommonRules {
  /** Longer than anything that a name may be. */
  private static final String LONG = "x".repeat(10_000);

  private CommonRules() {}

  /** A UUID, or nothing. */
  static Rule requestId() {
    return Rule.of(
        Bad.value("not-a-uuid"),
        Bad.value("123e4567-e89b-12d3-a456-42661417400g"),
        Bad.value("123e4567e89b12d3a456426614174000"),
        Bad.value(LONG));
  }

  /** What the resource carries now, or nothing. */
  static Rule etag() {
    return Rule.of(Bad.value("stale").answered(Status.Code.ABORTED, "ETAG_MISMATCH"));
  }

  /** Name of a queue that exists. */
  static Rule queueName() {
    return queueName(Bad.value("queues/nowhere").notFound());
  }

  /** Name of a queue that exists; what comes of one that does not. */
  static Rule queueName(Bad... missing) {
    return names("queues/{queue}", "research", "queues/Research", "queues/research/shares/lender")
        .and(missing);
  }

  /** Name of a queue, or all of them. */
  static Rule queueOrAll() {
    return names("queues/{queue}", "-", "queues/*", "queues/Research");
  }

  /** Name of a share that exists. */
  static Rule shareName() {
    return names(
            "queues/{queue}/shares/{share}",
            "lender",
            "queues/research/lender",
            "queues/research/shares/Lender")
        .and(Bad.value("queues/research/shares/nobody").notFound());
  }

  /** Name of a job that exists. */
  static Rule jobName() {
    return names(
            "queues/{queue}/jobs/{job}",
            "running",
            "queues/research/jobs/",
            "queues/research/jobs/Running",
            "queues/research/jobs/running/attempts/1")
        .and(Bad.value("queues/research/jobs/nobody").notFound());
  }

  /** Name of a node that exists. */
  static Rule nodeName() {
    return names("nodes/{node}", "n1", "nodes/N1", "nodes/n1/devices/0")
        .and(Bad.value("nodes/nowhere").notFound());
  }

  private static Rule names(String expected, String... malformed) {
    Rule rule =
        Rule.of(
            Bad.missing().showing("empty (expected: " + expected),
            Bad.value("queues/\0"),
            Bad.value("queues/" + LONG));
    for (String name : malformed) {
      rule = rule.and(Bad.value(name));
    }
    return rule;
  }

  /** Id of a new thing; may be left out. */
  static Rule newId() {
    return Rule.of(
        Bad.value("Upper"), Bad.value("-x"), Bad.value("a/b"), Bad.value("x".repeat(64)));
  }

  /** Id of a thing that a filter looks for. */
  static Rule filterId() {
    return Rule.of(Bad.value("Not An Id"), Bad.value("x".repeat(64)), Bad.value("a/b"));
  }

  static Rule pageSize() {
    return Rule.of(Bad.value(-1), Bad.value(1001), Bad.value(Integer.MIN_VALUE));
  }

  static Rule pageToken() {
    String foreign =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("0123456789abcdefresearch".getBytes(StandardCharsets.UTF_8));
    return Rule.of(Bad.value("garbage"), Bad.value("!"), Bad.value(foreign), Bad.value(LONG));
  }

  /** One line, possibly empty, of at most this many characters. */
  static Rule line(int max) {
    return Rule.of(Bad.value("two\nlines"), Bad.value("nul\0"), Bad.value("x".repeat(max + 1)));
  }

  /** One line that must not be empty. */
  static Rule requiredLine(int max) {
    return line(max).and(Bad.missing());
  }

  static Rule range(int min, int max) {
    Rule rule = Rule.of(Bad.value(min - 1), Bad.value(Integer.MIN_VALUE));
    return max == Integer.MAX_VALUE ? rule : rule.and(Bad.value(max + 1));
  }

  static Rule fromZero() {
    return Rule.of(Bad.value(-1));
  }

  static Rule longFromZero() {
    return Rule.of(Bad.value(-1L), Bad.value(Long.MIN_VALUE));
  }

  /** A span of time between these, in milliseconds. */
  static Rule span(long minMillis, long maxMillis) {
    Rule rule =
        Rule.of(
            Bad.span(-1, 0),
            Bad.span(maxMillis / 1000 + 1, 0),
            Bad.span(Long.MAX_VALUE, 0),
            Bad.span(Long.MIN_VALUE, 0),
            // Finer than a millisecond, and not a fraction of a second.
            Bad.span(3, 1),
            Bad.span(3, 1_000_000_000),
            Bad.span(3, -1_000_000));
    return minMillis > 0 ? rule.and(Bad.span(0, 0)) : rule;
  }

  /** An instant of the calendar. */
  static Rule instant() {
    return Rule.of(
        Bad.instant(Long.MAX_VALUE, 0),
        Bad.instant(Long.MIN_VALUE, 0),
        Bad.instant(253_402_300_800L, 0),
        Bad.instant(0, -1),
        Bad.instant(0, 1_000_000_000));
  }

  /** Labels of jobs, also where a filter looks for them. */
  static Rule labels() {
    return Rule.of(
        Bad.entries(65, "v"),
        Bad.entry("", "v"),
        Bad.entry("not a key", "v"),
        Bad.entry("x".repeat(64), "v"),
        Bad.entry("k", "two\nlines"),
        Bad.entry("k", "x".repeat(129)));
  }

  /** Devices by capacity unit. */
  static Rule devicesByUnit() {
    return Rule.of(
        Bad.entries(257, 1),
        Bad.entry("", 1),
        Bad.entry("not a unit", 1),
        Bad.entry("x".repeat(64), 1),
        Bad.entry("H100", -1),
        Bad.entry("H100", 10_000_001));
  }
}
