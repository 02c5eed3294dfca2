package io.quotashare.core;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.Pause;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.ShareMeter;
import io.quotashare.core.model.UsageSample;

/**
 * A row to write. The rows that were written last for every key are the whole state: {@link
 * Scheduler#restore} takes them back. A change carries the row as it is after the batch; a key
 * changes at most once in a batch.
 */
public sealed interface Change {
  /**
   * A queue was made or changed, or is gone: then its state is {@link
   * io.quotashare.core.model.AdminState#REMOVED}.
   */
  record QueuePut(Queue queue) implements Change {}

  /** A share was made or changed. */
  record SharePut(QuotaShare share) implements Change {}

  /** A share was deleted. */
  record ShareRemoved(ShareKey share) implements Change {}

  /** A node was registered or changed. */
  record NodePut(Node node) implements Change {}

  /** A job was made or changed. */
  record JobPut(Job job) implements Change {}

  /** An ended job is kept no longer. */
  record JobRemoved(JobKey job) implements Change {}

  /** An attempt was made or changed. */
  record AttemptPut(Attempt attempt) implements Change {}

  /** An attempt of an ended job is kept no longer. */
  record AttemptRemoved(AttemptKey attempt) implements Change {}

  /** A plan was made or changed. */
  record PlanPut(Plan plan) implements Change {}

  /** A plan is over. */
  record PlanRemoved(long planId) implements Change {}

  /** Nodes are kept for a job. */
  record HoldPut(Hold hold) implements Change {}

  /** A hold is over. */
  record HoldRemoved(PoolKey pool) implements Change {}

  /** A preemption was recorded or completed. */
  record PreemptionPut(Preemption preemption) implements Change {}

  /** The record of a preemption, if there is one, is kept no longer. */
  record PreemptionRemoved(AttemptKey victim) implements Change {}

  /** A queue that only observes decided whom it would stop. */
  record ObservedPreemptionPut(ObservedPreemption preemption) implements Change {}

  /** A record of what was only observed is kept no longer. */
  record ObservedPreemptionRemoved(AttemptKey victim, long decision) implements Change {}

  /** Whom a queue that only observes would stop for a beneficiary changed. */
  record ObservationPut(Observation observation) implements Change {}

  /** An observation is over. */
  record ObservationRemoved(long id) implements Change {}

  /** An operator paused scheduling. */
  record PausePut(Pause pause) implements Change {}

  /** An operator resumed scheduling. */
  record PauseRemoved() implements Change {}

  /** The account of a pool advanced. */
  record PoolMeterPut(PoolMeter meter) implements Change {}

  /** The account of a share advanced. */
  record ShareMeterPut(ShareMeter meter) implements Change {}

  /** The accounts of a pool were recorded for an instant. */
  record UsageSamplePut(UsageSample sample) implements Change {}

  /** A sample is kept no longer. */
  record UsageSampleRemoved(PoolKey pool, long atMillis) implements Change {}

  /**
   * The counters advanced.
   *
   * @param nextSequence next {@link Job#sequence}
   * @param nextPlanId next {@link Plan#id}; observations are numbered by it too
   * @param futilePreemptions preemptions whose beneficiary did not start on what they freed
   */
  record CountersPut(long nextSequence, long nextPlanId, long futilePreemptions)
      implements Change {}
}
