package io.quotashare.core.model;

import java.util.OptionalLong;

/**
 * A durable checkpoint of a job.
 *
 * @param step step of the saved state; empty if the job does not count steps
 * @param stateAtMillis when the state was captured: lost work counts from here (quota-semantics
 *     4.5)
 * @param durableAtMillis when it was safe
 */
public record Checkpoint(OptionalLong step, long stateAtMillis, long durableAtMillis) {}
