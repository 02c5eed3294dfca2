package io.quotashare.core.replay;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.model.WaitingReason;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One line of a replay (scenario-format, Output). */
public sealed interface ReplayRecord {
  /** When. */
  long atMillis();

  /** A job was accepted. */
  record Submitted(long atMillis, JobKey job, String share, int priority, Shape shape, String unit)
      implements ReplayRecord {}

  /**
   * A submission or change was refused.
   *
   * @param reason UPPER_SNAKE code
   * @param detail names the value and what was expected
   */
  record Rejected(long atMillis, JobKey job, String reason, String detail)
      implements ReplayRecord {}

  /** A job waits, or waits for another reason than before. */
  record WaitingFor(long atMillis, JobKey job, WaitingReason reason, String detail)
      implements ReplayRecord {}

  /**
   * A placement was decided and its devices are held.
   *
   * @param devices indexes by node
   * @param own devices within the share's own limit
   * @param borrowed devices above it
   */
  record Started(
      long atMillis,
      JobKey job,
      String share,
      int attempt,
      SortedMap<String, List<Integer>> devices,
      int own,
      int borrowed)
      implements ReplayRecord {
    public Started {
      devices = Collections.unmodifiableSortedMap(new TreeMap<>(devices));
    }
  }

  /** Every node of a gang runs. */
  record Running(long atMillis, JobKey job, int attempt) implements ReplayRecord {}

  /**
   * A victim was told to stop.
   *
   * @param beneficiary for whom; null for causes without one
   * @param deadlineMillis instant of SIGKILL
   */
  record Preempting(
      long atMillis, JobKey job, StopCause cause, @Nullable JobKey beneficiary, long deadlineMillis)
      implements ReplayRecord {
    public Preempting {
      requireNonNull(cause, "cause is null");
    }
  }

  /**
   * A queue that only observes chose a victim, and stopped nobody.
   *
   * @param beneficiary for whom; null for causes without one
   * @param costDeviceMillis cost that it was chosen with
   */
  record WouldPreempt(
      long atMillis,
      JobKey job,
      StopCause cause,
      @Nullable JobKey beneficiary,
      long costDeviceMillis)
      implements ReplayRecord {
    public WouldPreempt {
      requireNonNull(cause, "cause is null");
    }
  }

  /**
   * The devices of an attempt that was told to stop are free.
   *
   * @param lostDeviceMillis work after the last durable state
   * @param checkpointed whether it saved its state for this request
   */
  record Stopped(
      long atMillis, JobKey job, int attempt, long lostDeviceMillis, boolean checkpointed)
      implements ReplayRecord {}

  /** A job that ran waits again. */
  record Requeued(long atMillis, JobKey job) implements ReplayRecord {}

  /**
   * A job ended.
   *
   * @param state SUCCEEDED, FAILED or CANCELLED
   * @param reason why, in words; may be empty
   */
  record Ended(long atMillis, JobKey job, JobState state, String reason) implements ReplayRecord {}

  /** The priority of a job was changed. */
  record PriorityChanged(long atMillis, JobKey job, int priority) implements ReplayRecord {}

  /** A share was changed. */
  record ShareChanged(long atMillis, QuotaShare share) implements ReplayRecord {}

  /** A queue was changed. */
  record QueueChanged(long atMillis, Queue queue) implements ReplayRecord {}

  /** The state of a node was changed. */
  record NodeChanged(long atMillis, String node, ScenarioEvent.NodeState state)
      implements ReplayRecord {}

  /** The figures, last. */
  record Summary(long atMillis, ReplaySummary summary) implements ReplayRecord {}
}
