package io.quotashare.core.preemption;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.ShareKey;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Something that could be taken so that a job can start: an attempt, or the plan of a share above
 * its limit.
 *
 * @param kind what it is
 * @param job job of the attempt, or beneficiary of the plan
 * @param share its share
 * @param priority present priority of the job
 * @param freed devices that come free on each node if it is taken
 * @param gpus what its share's use sinks by if it is taken
 * @param youngUntilMillis until when {@code minRuntime} protects it (quota-semantics 4.6); 0 for a
 *     plan
 * @param costDeviceMillis its price, quota-semantics 4.5 (iii); 0 for a plan
 * @param scheduledAtMillis when it was placed
 */
public record Candidate(
    Kind kind,
    JobKey job,
    ShareKey share,
    int priority,
    SortedMap<String, Integer> freed,
    int gpus,
    long youngUntilMillis,
    long costDeviceMillis,
    long scheduledAtMillis) {
  /** What can be taken. */
  public enum Kind {
    /** An attempt, to be told to stop. */
    ATTEMPT,
    /** A plan of a share above its limit, to be void; costs nothing (quota-semantics 4.2). */
    PLAN
  }

  public Candidate {
    requireNonNull(kind, "kind is null");
    requireNonNull(job, "job is null");
    requireNonNull(share, "share is null");
    freed = new TreeMap<>(freed);
    checkArgument(gpus >= 0, "gpus: %s (expected: >= 0)", gpus);
    checkArgument(costDeviceMillis >= 0, "costDeviceMillis: %s (expected: >= 0)", costDeviceMillis);
  }

  /** Whether {@code minRuntime} protects it now. */
  public boolean isYoung(long nowMillis) {
    return nowMillis < youngUntilMillis;
  }
}
