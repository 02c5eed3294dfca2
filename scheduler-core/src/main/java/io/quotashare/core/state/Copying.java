package io.quotashare.core.state;

import io.quotashare.core.Change;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The rows that decisions depend on: all but jobs that have ended. They are references to rows,
 * which never change, so taking them costs no more than walking through what is not over.
 */
public final class Copying {
  private final State state;
  private final List<Change> rows = new ArrayList<>();

  private Copying(State state) {
    this.state = state;
  }

  /** The rows of a state; {@link Restore} makes one of them that decides the same. */
  public static List<Change> rows(State state) {
    return new Copying(state).all();
  }

  private List<Change> all() {
    state.queues().values().forEach(queue -> rows.add(new Change.QueuePut(queue)));
    state.shares().values().forEach(share -> rows.add(new Change.SharePut(share)));
    state.nodes().values().forEach(node -> rows.add(new Change.NodePut(node)));
    for (Pool pool : state.pools().values()) {
      if (state.queues().containsKey(pool.key().queue())) {
        addPool(pool);
      }
    }
    state.plans().values().forEach(plan -> rows.add(new Change.PlanPut(plan)));
    state.preemptions().forEach(preemption -> rows.add(new Change.PreemptionPut(preemption)));
    state.observations().all().forEach(seen -> rows.add(new Change.ObservationPut(seen)));
    if (state.pause() != null) {
      rows.add(new Change.PausePut(state.pause()));
    }
    rows.add(state.counters());
    return rows;
  }

  private void addPool(Pool pool) {
    NavigableSet<JobKey> jobs = new TreeSet<>();
    for (ShareState share : pool.shares().values()) {
      share.line().forEach(turn -> jobs.add(turn.job()));
      share.aside().forEach(turn -> jobs.add(turn.job()));
      share.running().all().forEach(entry -> jobs.add(entry.job().key()));
    }
    state.plansOf(pool.key()).stream().map(Plan::beneficiary).forEach(jobs::add);
    for (JobKey key : jobs) {
      Job job = state.job(key);
      rows.add(new Change.JobPut(job));
      state.newestAttempt(key).ifPresent(attempt -> rows.add(new Change.AttemptPut(attempt)));
    }
    // That of a job that has ended meanwhile is over: the next decision ends it before all else.
    pool.hold()
        .filter(hold -> jobs.contains(hold.job()))
        .ifPresent(hold -> rows.add(new Change.HoldPut(hold)));
    rows.add(new Change.PoolMeterPut(pool.meter().total()));
    pool.meter().shares().forEach(meter -> rows.add(new Change.ShareMeterPut(meter)));
  }
}
