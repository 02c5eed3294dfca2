package io.quotashare.core.replay;

import static io.quotashare.core.replay.InvariantChecker.require;

import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.WaitingReason;
import java.util.Map;
import java.util.Optional;

/**
 * The reasons of waiting jobs that numbers alone decide (quota-semantics 7): where the condition of
 * a code holds and nothing above it in the table can, the code is shown; where a code is shown, its
 * condition holds.
 */
final class ReasonInvariants {
  private ReasonInvariants() {}

  static void check(Scheduler scheduler, Ledgers ledgers, QuotaShare share, Job job) {
    WaitingReason reason = job.waiting().reason();
    int size = job.gpus();
    int capacity = ledgers.capacity(share.key());
    boolean borrows = borrows(share, job);
    int most = most(ledgers, share, job);
    WaitingReason permanent = permanent(scheduler, ledgers, share, job).orElse(null);
    require(
        permanent == null || reason == permanent,
        "7: %s can never run: %s, and waits: %s",
        job.key(),
        permanent,
        job.waiting());
    int used = use(ledgers.planned, job);
    int usedMost = Math.max(used, use(ledgers.held, job));
    switch (reason) {
      case QUEUE_CAPACITY_EXCEEDED, SHARE_LIMIT_EXCEEDED, BORROW_LIMIT_EXCEEDED ->
          require(permanent == reason, "7: %s waits: %s", job.key(), job.waiting());
      case SHARE_AT_LIMIT ->
          require(
              !borrows && usedMost + size > capacity, "7: %s waits: %s", job.key(), job.waiting());
      case BORROW_LIMIT_REACHED ->
          require(
              borrows && most != Limit.UNLIMITED && usedMost + size > most,
              "7: %s waits: %s",
              job.key(),
              job.waiting());
      case NOTHING_TO_BORROW ->
          require(
              borrows && usedMost + size > capacity, "7: %s waits: %s", job.key(), job.waiting());
      case OVERCOMMITTED ->
          require(
              used + size <= capacity && (ledgers.owned() > ledgers.existing || ledgers.nodesLeave),
              "7: %s waits: %s",
              job.key(),
              job.waiting());
      default -> {
        // What else decides is where others sit, or who goes first.
      }
    }
  }

  /** Why no state of the pool could run the job, as far as numbers alone tell. */
  static Optional<WaitingReason> permanent(
      Scheduler scheduler, Ledgers ledgers, QuotaShare share, Job job) {
    if (job.gpus() > devicesEver(scheduler, ledgers)) {
      return Optional.of(WaitingReason.QUEUE_CAPACITY_EXCEEDED);
    }
    if (job.gpus() <= most(ledgers, share, job)) {
      return Optional.empty();
    }
    return Optional.of(
        borrows(share, job)
            ? WaitingReason.BORROW_LIMIT_EXCEEDED
            : WaitingReason.SHARE_LIMIT_EXCEEDED);
  }

  private static boolean borrows(QuotaShare share, Job job) {
    return share.strategy().borrows() && !VictimInvariants.neverBorrows(job);
  }

  private static int most(Ledgers ledgers, QuotaShare share, Job job) {
    return borrows(share, job) ? ledgers.mostOf(share.key()) : ledgers.capacity(share.key());
  }

  private static int use(Map<?, Integer> ledger, Job job) {
    return ledger.getOrDefault(job.share(), 0);
  }

  /** Devices of all nodes ever registered. */
  private static int devicesEver(Scheduler scheduler, Ledgers ledgers) {
    int devices = 0;
    for (Node node : scheduler.nodes()) {
      boolean mine = scheduler.queueOf(node.name()).equals(Optional.of(ledgers.pool.queue()));
      for (Device device : node.devices()) {
        devices += mine && device.unit().equals(ledgers.pool.unit()) ? 1 : 0;
      }
    }
    return devices;
  }
}
