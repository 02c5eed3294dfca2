package io.quotashare.server.jobs;

import io.quotashare.core.model.JobSpec.LostAfter;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.proto.v1.BorrowMode;
import io.quotashare.proto.v1.JobSpec;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Times;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads a {@link JobSpec} of the contract and says everything that is wrong with it. */
final class JobSpecReader {
  static final int MAX_NAME_LENGTH = 128;
  static final long MAX_GRACE_MILLIS = 24 * 3_600_000L;

  /** Ten years: longer than any job, short enough for sums. */
  static final long MAX_SPAN_MILLIS = 3650L * 24 * 3_600_000;

  /** Shorter silences happen on every network. */
  static final long MIN_LOST_AFTER_MILLIS = 1000;

  private final JobSpec spec;
  private final FieldChecks checks;

  private JobSpecReader(JobSpec spec, FieldChecks checks) {
    this.spec = spec;
    this.checks = checks;
  }

  /**
   * Reads a specification. Records in {@code checks} what is wrong; the result is of use only if
   * nothing was.
   *
   * @param queue queue that the job is submitted to
   */
  static JobDraft read(JobSpec spec, String queue, FieldChecks checks) {
    return new JobSpecReader(spec, checks).draft(queue);
  }

  private JobDraft draft(String queue) {
    String share = share(queue);
    checks.check(
        spec.getDisplayName().length() <= MAX_NAME_LENGTH && isOneLine(spec.getDisplayName()),
        "display_name",
        spec.getDisplayName(),
        "one line of at most " + MAX_NAME_LENGTH + " characters");
    checks.check(
        spec.getUnit().isEmpty() || Names.isUnit(spec.getUnit()),
        "unit",
        spec.getUnit(),
        Names.UNIT_RULE);
    LaunchRules.check(spec, checks);
    return new JobDraft(
        share,
        spec.getDisplayName(),
        devices(),
        spec.getUnit(),
        new Launch(
            spec.getCommandList(), new TreeMap<>(spec.getEnvMap()), spec.getWorkingDirectory()),
        new TreeMap<>(spec.getLabelsMap()),
        times(),
        spec.getOnDemandCheckpoint(),
        range("retries", spec.getRetries(), io.quotashare.core.model.JobSpec.MAX_RETRIES),
        retryOn(),
        preemptionRetries(),
        borrow(),
        spec.getAllowInfeasible(),
        priority(spec.getPriority(), checks));
  }

  /** Checks a priority. */
  static int priority(int priority, FieldChecks checks) {
    int max = io.quotashare.core.model.JobSpec.MAX_PRIORITY;
    return checks.check(priority >= 0 && priority <= max, "priority", priority, "0 to " + max)
        ? priority
        : 0;
  }

  private String share(String queue) {
    String prefix = "queues/" + queue + "/shares/";
    String id =
        spec.getShare().startsWith(prefix) ? spec.getShare().substring(prefix.length()) : "";
    checks.check(
        Names.isId(id),
        "share",
        spec.getShare(),
        new ShareKey(queue, "{share}") + ", a share of the queue that the job is submitted to");
    return id;
  }

  private JobDraft.Devices devices() {
    JobDraft.Devices none = new JobDraft.Devices.Count(1);
    boolean shaped = spec.hasNodes() || spec.hasGpusPerNode();
    if (spec.hasGpus() && shaped) {
      checks.reject(
          "gpus",
          spec.getGpus() + " together with nodes or gpus_per_node (expected: one of the two)");
      return none;
    }
    if (spec.hasGpus()) {
      int max = Shape.MAX_NODES * Shape.MAX_GPUS_PER_NODE;
      return new JobDraft.Devices.Count(Math.max(1, range("gpus", spec.getGpus(), 1, max)));
    }
    if (!spec.hasGpusPerNode()) {
      String field = spec.hasNodes() ? "gpus_per_node" : "gpus";
      checks.reject(field, "unset (expected: gpus, or nodes and gpus_per_node)");
      return none;
    }
    int nodes = range("nodes", spec.hasNodes() ? spec.getNodes() : 1, 1, Shape.MAX_NODES);
    int perNode = range("gpus_per_node", spec.getGpusPerNode(), 1, Shape.MAX_GPUS_PER_NODE);
    return new JobDraft.Devices.Shaped(new Shape(nodes, perNode));
  }

  private JobDraft.Times times() {
    OptionalLong timeLimit =
        spec.hasTimeLimit()
            ? OptionalLong.of(
                Times.millis(checks, "time_limit", spec.getTimeLimit(), 1, MAX_SPAN_MILLIS))
            : OptionalLong.empty();
    long grace =
        spec.hasGrace()
            ? Times.millis(checks, "grace", spec.getGrace(), 0, MAX_GRACE_MILLIS)
            : io.quotashare.core.model.JobSpec.DEFAULT_GRACE_MILLIS;
    OptionalLong every =
        spec.hasCheckpointEvery()
            ? OptionalLong.of(
                Times.millis(
                    checks, "checkpoint_every", spec.getCheckpointEvery(), 1, MAX_SPAN_MILLIS))
            : OptionalLong.empty();
    return new JobDraft.Times(timeLimit, grace, lostAfter(), every);
  }

  private LostAfter lostAfter() {
    if (spec.getLostNever()) {
      if (spec.hasLostAfter()) {
        checks.reject("lost_after", "set together with lost_never (expected: one of the two)");
      }
      return new LostAfter.Never();
    }
    return spec.hasLostAfter()
        ? new LostAfter.After(
            Times.millis(
                checks, "lost_after", spec.getLostAfter(), MIN_LOST_AFTER_MILLIS, MAX_SPAN_MILLIS))
        : new LostAfter.Default();
  }

  private RetryOn retryOn() {
    List<Integer> retry = spec.getRetryExitCodesList();
    List<Integer> fail = spec.getFailExitCodesList();
    if (!retry.isEmpty() && !fail.isEmpty()) {
      checks.reject(
          "fail_exit_codes", "set together with retry_exit_codes (expected: one of the two)");
      return new RetryOn.Any();
    }
    if (!areExitCodes("retry_exit_codes", retry) || !areExitCodes("fail_exit_codes", fail)) {
      return new RetryOn.Any();
    }
    if (!retry.isEmpty()) {
      return new RetryOn.Only(new TreeSet<>(retry));
    }
    return fail.isEmpty() ? new RetryOn.Any() : new RetryOn.Except(new TreeSet<>(fail));
  }

  private boolean areExitCodes(String field, List<Integer> codes) {
    boolean few =
        checks.check(
            codes.size() <= RetryOn.MAX_CODES,
            field,
            codes.size() + " entries",
            "at most " + RetryOn.MAX_CODES);
    for (int i = 0; few && i < codes.size(); i++) {
      int code = codes.get(i);
      if (!checks.check(code >= 1 && code <= 255, field + "[" + i + "]", code, "1 to 255")) {
        return false;
      }
    }
    return few;
  }

  private OptionalInt preemptionRetries() {
    return spec.hasPreemptionRetriesBeforeTermination()
        ? OptionalInt.of(
            range(
                "preemption_retries_before_termination",
                spec.getPreemptionRetriesBeforeTermination(),
                Integer.MAX_VALUE))
        : OptionalInt.empty();
  }

  private io.quotashare.core.model.BorrowMode borrow() {
    checks.check(
        spec.getBorrow() != BorrowMode.UNRECOGNIZED,
        "borrow",
        spec.getBorrowValue(),
        "a constant of BorrowMode");
    return spec.getBorrow() == BorrowMode.BORROW_MODE_NEVER
        ? io.quotashare.core.model.BorrowMode.NEVER
        : io.quotashare.core.model.BorrowMode.ALLOWED;
  }

  private int range(String field, int value, int max) {
    return range(field, value, 0, max);
  }

  private int range(String field, int value, int min, int max) {
    String expected = max == Integer.MAX_VALUE ? min + " or more" : min + " to " + max;
    return checks.check(value >= min && value <= max, field, value, expected) ? value : min;
  }

  static boolean isOneLine(String text) {
    return text.codePoints().noneMatch(Character::isISOControl);
  }
}
