package io.quotashare.core;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;

/**
 * Something to tell the agents, after the batch is durable. All can be derived again from the state
 * (see {@link Scheduler#effectsFor}), so a crash between commit and sending loses nothing.
 */
public sealed interface Effect {
  /** Start every part of the attempt that is ASSIGNED. */
  record Start(Job job, Attempt attempt) implements Effect {}

  /** Stop every part of the attempt that is not free; {@link Attempt#stop} says how. */
  record Stop(Job job, Attempt attempt) implements Effect {}

  /** Ask the attempt to save and go on: {@link Attempt#saveRequest}. */
  record Checkpoint(Job job, Attempt attempt) implements Effect {}
}
