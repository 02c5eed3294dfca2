package io.quotashare.core.property;

import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A job as a test writes it down, with the habits of its processes; what is not said is usual. */
final class JobSketch extends Sketch<JobSketch> {
  /** Never by itself. */
  static final long NEVER = -1;

  final String id;
  final String share;
  String queue = "q";
  String unit = "H100";
  int nodes = 1;
  int gpusPerNode = 1;
  int priority;
  private BorrowMode borrow = BorrowMode.ALLOWED;
  private OptionalInt budget = OptionalInt.empty();
  private long graceMillis = JobSpec.DEFAULT_GRACE_MILLIS;
  private boolean onDemand;
  private int retries;
  private OptionalLong timeLimitMillis = OptionalLong.empty();
  private boolean allowInfeasible;

  /** From the command to start to RUNNING. */
  long startsAfterMillis;

  /** From the confirmed checkpoint, or the command to stop, to free devices. */
  long stopsAfterMillis;

  /** From the request to save to the confirmation; {@link #NEVER} confirms none. */
  long savesAfterMillis;

  /** By how much each further node of a gang is later. */
  long staggerMillis;

  /** Does not even die at its deadline. */
  boolean stubborn;

  private JobSketch(String id, String share) {
    super("job(\"" + id + "\", \"" + share + "\")");
    this.id = id;
    this.share = share;
  }

  static JobSketch job(String id, String share) {
    return new JobSketch(id, share);
  }

  JobSketch queue(String value) {
    return trait(String.format("queue(\"%s\")", value), s -> s.queue = value);
  }

  JobSketch unit(String value) {
    return trait(String.format("unit(\"%s\")", value), s -> s.unit = value);
  }

  JobSketch gpus(int value) {
    return trait(String.format("gpus(%s)", value), s -> s.gpusPerNode = value);
  }

  JobSketch nodes(int value) {
    return trait(String.format("nodes(%s)", value), s -> s.nodes = value);
  }

  JobSketch priority(int value) {
    return trait(String.format("priority(%s)", value), s -> s.priority = value);
  }

  JobSketch neverBorrows() {
    return trait("neverBorrows()", s -> s.borrow = BorrowMode.NEVER);
  }

  /** {@code preemptionRetriesBeforeTermination}. */
  JobSketch budget(int value) {
    return trait(String.format("budget(%s)", value), s -> s.budget = OptionalInt.of(value));
  }

  JobSketch grace(long millis) {
    return trait(String.format("grace(%s)", millis), s -> s.graceMillis = millis);
  }

  /** Takes on-demand checkpoints, and confirms them after some time. */
  JobSketch saves(long afterMillis) {
    return trait(
        String.format("saves(%s)", afterMillis),
        s -> {
          s.onDemand = true;
          s.savesAfterMillis = afterMillis;
        });
  }

  JobSketch retries(int value) {
    return trait(String.format("retries(%s)", value), s -> s.retries = value);
  }

  JobSketch timeLimit(long millis) {
    return trait(
        String.format("timeLimit(%s)", millis), s -> s.timeLimitMillis = OptionalLong.of(millis));
  }

  JobSketch allowInfeasible() {
    return trait("allowInfeasible()", s -> s.allowInfeasible = true);
  }

  JobSketch starts(long afterMillis) {
    return trait(String.format("starts(%s)", afterMillis), s -> s.startsAfterMillis = afterMillis);
  }

  /** Stops some time after it was told to; {@link #NEVER} for only at its deadline. */
  JobSketch stops(long afterMillis) {
    return trait(String.format("stops(%s)", afterMillis), s -> s.stopsAfterMillis = afterMillis);
  }

  JobSketch stagger(long millis) {
    return trait(String.format("stagger(%s)", millis), s -> s.staggerMillis = millis);
  }

  JobSketch stubborn() {
    return trait("stubborn()", s -> s.stubborn = true);
  }

  JobSpec spec() {
    return new JobSpec(
        share,
        "",
        new Shape(nodes, gpusPerNode),
        unit,
        Launch.NOTHING,
        new TreeMap<>(),
        timeLimitMillis,
        graceMillis,
        new JobSpec.LostAfter.Default(),
        OptionalLong.empty(),
        onDemand,
        retries,
        new RetryOn.Any(),
        budget,
        borrow,
        allowInfeasible);
  }

  @Override
  JobSketch self() {
    return this;
  }

  @Override
  JobSketch plain() {
    return new JobSketch(id, share);
  }
}
