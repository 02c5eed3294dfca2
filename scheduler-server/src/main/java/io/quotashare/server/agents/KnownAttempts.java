package io.quotashare.server.agents;

import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Part;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import java.util.Optional;

/**
 * What the scheduler knows of an attempt that an agent names. An id that it never heard of proves
 * nothing: it is not stopped, for it may belong to another scheduler, or to a state that was lost
 * with a backup (reliability A6).
 */
enum KnownAttempts {
  /** It is to be there. */
  LIVE,
  /** It was there, and is over. */
  OVER,
  /** The scheduler never had it, or not on this node. */
  UNKNOWN;

  static KnownAttempts of(Scheduler scheduler, AttemptKey key, String node, AttemptStatus status) {
    Optional<Job> job = scheduler.job(key.job());
    if (job.isPresent() && isOfEarlierJob(status, job.get())) {
      return OVER;
    }
    if (job.isEmpty() || key.number() > job.get().attempts()) {
      return UNKNOWN;
    }
    Optional<Attempt> attempt = scheduler.attempt(key);
    if (attempt.isEmpty()) {
      // Numbers are dense: one that is no longer kept ended before a later one began.
      return OVER;
    }
    Optional<Part> part = part(attempt.get(), node, status);
    if (part.isEmpty()) {
      return UNKNOWN;
    }
    return attempt.get().state() == AttemptState.ENDED || part.get().phase().isFree() ? OVER : LIVE;
  }

  /**
   * The part of the attempt that a report speaks of; empty if the attempt has no such part on the
   * node. An agent that was told to stop what it was never told to start does not know its rank: it
   * says START_FAILED of rank 0, and means the one part that a gang has on a node.
   */
  static Optional<Part> part(Attempt attempt, String node, AttemptStatus status) {
    boolean rankUnknown =
        status.getPhase() == AttemptPhase.ATTEMPT_PHASE_START_FAILED && status.getRank() == 0;
    return attempt.parts().stream()
        .filter(part -> part.node().equals(node))
        .filter(part -> rankUnknown || part.rank() == status.getRank())
        .findFirst();
  }

  /** Ids are given again once an ended job is kept no longer. */
  private static boolean isOfEarlierJob(AttemptStatus status, Job job) {
    return status.getJobSequence() != 0 && status.getJobSequence() != job.sequence();
  }
}
