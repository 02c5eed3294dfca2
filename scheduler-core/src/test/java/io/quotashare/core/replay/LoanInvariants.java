package io.quotashare.core.replay;

import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether a loan could give victims to the first job of another share, so that it is not made
 * (6.6): limits and nodes are looked at as if all that may be taken were taken.
 */
final class LoanInvariants {
  private final Scheduler scheduler;
  private final Ledgers ledgers;

  LoanInvariants(Scheduler scheduler, Ledgers ledgers) {
    this.scheduler = scheduler;
    this.ledgers = ledgers;
  }

  /**
   * @param borrower a job that would start and borrow
   * @param first the first job of another share, waiting or leaving
   */
  boolean couldTakeBack(QuotaShare other, Job first, Job borrower) {
    boolean observes =
        scheduler.queues().stream()
            .filter(queue -> queue.name().equals(ledgers.pool.queue()))
            .anyMatch(Queue::observesOnly);
    if (observes || other.key().equals(borrower.share())) {
      return false;
    }
    Map<ShareKey, Integer> after = Ledgers.with(ledgers.planned, borrower);
    Map<String, Integer> room = new TreeMap<>(ledgers.free);
    int own = 0;
    for (Attempt attempt : scheduler.liveAttempts()) {
      boolean here = attempt.pool().equals(ledgers.pool) && attempt.isPlanned();
      boolean ofOwn = here && attempt.share().equals(other.key()) && isLower(other, first, attempt);
      boolean ofOthers =
          here && !attempt.share().equals(other.key()) && ledgers.above(after, attempt.share()) > 0;
      own += ofOwn ? attempt.gpus() : 0;
      if (ofOwn || ofOthers) {
        for (Part part : attempt.parts()) {
          room.merge(part.node(), part.devices().size(), Integer::sum);
        }
      }
    }
    int perNode = first.spec().shape().gpusPerNode();
    long nodes = room.values().stream().filter(devices -> devices >= perNode).count();
    return nodes >= first.spec().shape().nodes()
        && after.getOrDefault(other.key(), 0) + first.gpus() - own <= ledgers.capacity(other.key());
  }

  private boolean isLower(QuotaShare share, Job first, Attempt attempt) {
    return share.inSharePreemption()
        && scheduler.job(attempt.key().job()).orElseThrow().priority() < first.priority();
  }
}
