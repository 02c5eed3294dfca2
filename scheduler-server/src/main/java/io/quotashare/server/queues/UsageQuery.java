package io.quotashare.server.queues;

import com.google.protobuf.Timestamp;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Times;
import java.util.OptionalLong;

/**
 * What a usage report is asked to cover.
 *
 * @param share share id; empty for all
 * @param startMillis begin; empty for the beginning of the ledger
 * @param endMillis end; empty for now
 * @param stepMillis length of the intervals; empty for none
 */
record UsageQuery(
    String share, OptionalLong startMillis, OptionalLong endMillis, OptionalLong stepMillis) {
  /** Most intervals of a report. */
  static final int MAX_INTERVALS = 1000;

  private static final long MIN_STEP_MILLIS = 60_000;
  private static final long MAX_STEP_MILLIS = 36_500 * 24 * 3_600_000L;

  /**
   * Reads a request.
   *
   * @throws io.grpc.StatusRuntimeException INVALID_ARGUMENT with every field that is wrong
   */
  static UsageQuery of(GetUsageReportRequest request, long nowMillis) {
    FieldChecks checks = new FieldChecks();
    checks.check(
        request.getShare().isEmpty() || Names.isId(request.getShare()),
        "share",
        request.getShare(),
        "a share id");
    OptionalLong start =
        request.hasStart() ? instant(checks, "start", request.getStart()) : OptionalLong.empty();
    OptionalLong end =
        request.hasEnd() ? instant(checks, "end", request.getEnd()) : OptionalLong.empty();
    OptionalLong step =
        request.hasStep()
            ? OptionalLong.of(
                Times.millis(checks, "step", request.getStep(), MIN_STEP_MILLIS, MAX_STEP_MILLIS))
            : OptionalLong.empty();
    checks.throwIfAny();
    UsageQuery query = new UsageQuery(request.getShare(), start, end, step);
    query.checkSpan(checks, nowMillis);
    checks.throwIfAny();
    return query;
  }

  private static OptionalLong instant(FieldChecks checks, String field, Timestamp timestamp) {
    return Times.isTimestamp(checks, field, timestamp)
        ? OptionalLong.of(Times.millis(timestamp))
        : OptionalLong.empty();
  }

  private void checkSpan(FieldChecks checks, long nowMillis) {
    if (startMillis.isEmpty()) {
      return;
    }
    long start = startMillis.getAsLong();
    long end = Math.min(endMillis.orElse(nowMillis), nowMillis);
    if (endMillis.isPresent() && start > endMillis.getAsLong()) {
      checks.check(
          false,
          "end",
          Times.text(endMillis.getAsLong()),
          "not before start, " + Times.text(start));
    } else if (start > nowMillis) {
      checks.check(
          false, "start", Times.text(start), "not in the future; it is " + Times.text(nowMillis));
    } else {
      checkIntervals(checks, start, end);
    }
  }

  /** Refuses a step that makes too many intervals of a span. */
  void checkIntervals(FieldChecks checks, long fromMillis, long toMillis) {
    if (stepMillis.isEmpty()) {
      return;
    }
    long step = stepMillis.getAsLong();
    long intervals = Math.floorDiv(toMillis - fromMillis + step - 1, step);
    if (intervals > MAX_INTERVALS) {
      checks.reject(
          "step",
          step / 1000.0
              + " s makes "
              + intervals
              + " intervals from "
              + Times.text(fromMillis)
              + " to "
              + Times.text(toMillis)
              + " (expected: at most "
              + MAX_INTERVALS
              + ")");
    }
  }
}
