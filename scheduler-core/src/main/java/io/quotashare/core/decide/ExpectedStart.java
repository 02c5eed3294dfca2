package io.quotashare.core.decide;

import io.quotashare.core.model.Job;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.Waiting;
import io.quotashare.core.model.WaitingReason.Passing;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.State;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * When a waiting job starts at the latest, if nothing else happens: its victims end by their
 * deadlines, what runs ends by its time limit, and nobody goes before it. It can be told for a job
 * that has a plan, and for a front job for which the time limits of what runs are enough.
 */
public final class ExpectedStart {
  private ExpectedStart() {}

  /** The instant, now or later; empty if it cannot be told. */
  public static OptionalLong of(State state, Job job) {
    Optional<Plan> plan = state.planFor(job.key());
    if (plan.isPresent()) {
      return OptionalLong.of(Math.max(state.now(), plan.get().deadlineMillis()));
    }
    Waiting waiting = job.waiting();
    if (waiting == null || waiting.reason().passing() != Passing.BY_ITSELF) {
      return OptionalLong.empty();
    }
    Pool pool = state.poolOf(job);
    Optional<Job> front = state.lines().front(pool.share(job.share()));
    if (front.isEmpty() || !front.get().key().equals(job.key())) {
      return OptionalLong.empty();
    }
    boolean mayBorrow = Fronts.mayBorrow(state.shareOf(job), job);
    return Reservation.of(state, pool, job, mayBorrow).stream()
        .mapToLong(reservation -> Math.max(state.now(), reservation.startMillis()))
        .findFirst();
  }
}
