package io.quotashare.core.replay;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;

/** Something that a scenario makes happen at a time. */
public sealed interface ScenarioEvent {
  /** When, 0 or later. */
  long atMillis();

  /** A job is submitted. */
  record Submit(long atMillis, VirtualJob job) implements ScenarioEvent {
    public Submit {
      requireNonNull(job, "job is null");
    }
  }

  /** The priority of a job is changed. */
  record SetPriority(long atMillis, JobKey job, int priority) implements ScenarioEvent {
    public SetPriority {
      requireNonNull(job, "job is null");
    }
  }

  /** A job is cancelled. */
  record Cancel(long atMillis, JobKey job) implements ScenarioEvent {
    public Cancel {
      requireNonNull(job, "job is null");
    }
  }

  /**
   * A share is changed.
   *
   * @param share the whole share as it is from then on
   * @param drainNow whether what is above a lowered limit is stopped at once (quota-semantics 9.1)
   */
  record SetShare(long atMillis, QuotaShare share, boolean drainNow) implements ScenarioEvent {
    public SetShare {
      requireNonNull(share, "share is null");
    }
  }

  /**
   * A queue is changed; its shares stay as they are.
   *
   * @param queue the whole queue as it is from then on
   */
  record SetQueue(long atMillis, Queue queue) implements ScenarioEvent {
    public SetQueue {
      requireNonNull(queue, "queue is null");
    }
  }

  /** The state of a node changes. */
  record SetNode(long atMillis, String node, NodeState state) implements ScenarioEvent {
    public SetNode {
      requireNonNull(node, "node is null");
      requireNonNull(state, "state is null");
    }
  }

  /** States of a node in a scenario. */
  enum NodeState {
    /** Lost and fenced: nothing runs there any more. */
    LOST,
    /** Takes nothing new. */
    CORDONED,
    /** Its attempts move elsewhere. */
    DRAINING,
    /** Takes work; a lost node is back, with a fresh boot. */
    READY
  }
}
