package io.quotashare.server.store;

import io.quotashare.core.Change;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Observation;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Which row a row refers to; the foreign keys of the tables say the same. */
final class References {
  /** A row that must be there. */
  record Target(Entity<?, ?> entity, RowKey key) {}

  private static final Map<Class<? extends Change>, Function<Change, Target>> TARGETS =
      Map.ofEntries(
          entry(Change.SharePut.class, c -> queue(c.share().key().queue())),
          entry(Change.JobPut.class, c -> queue(c.job().key().queue())),
          entry(Change.PoolMeterPut.class, c -> queue(c.meter().pool().queue())),
          entry(Change.ShareMeterPut.class, c -> queue(c.meter().share().queue())),
          entry(Change.UsageSamplePut.class, c -> queue(c.sample().pool().queue())),
          entry(Change.AttemptPut.class, c -> job(c.attempt().key().job())),
          entry(Change.PlanPut.class, c -> job(c.plan().beneficiary())),
          entry(Change.HoldPut.class, c -> job(c.hold().job())),
          entry(
              Change.PreemptionPut.class,
              c -> new Target(Entities.ATTEMPTS, Entities.keyOf(c.preemption().victim()))),
          entry(Change.ObservationPut.class, c -> beneficiary(c.observation())),
          entry(
              Change.ObservedPreemptionPut.class,
              c -> queue(c.preemption().victim().job().queue())));

  private References() {}

  private static <C extends Change>
      Map.Entry<Class<? extends Change>, Function<Change, Target>> entry(
          Class<C> type, Function<C, Target> target) {
    return Map.entry(type, change -> target.apply(type.cast(change)));
  }

  private static Target beneficiary(Observation observation) {
    JobKey job = observation.beneficiary();
    return job == null ? queue(observation.pool().queue()) : job(job);
  }

  private static Target job(JobKey job) {
    return new Target(Entities.JOBS, Entities.keyOf(job));
  }

  private static Target queue(String name) {
    return new Target(Entities.QUEUES, RowKey.of(name));
  }

  /** The row that a change refers to; empty if none. */
  static Optional<Target> of(Change change) {
    Function<Change, Target> target = TARGETS.get(change.getClass());
    return target == null ? Optional.empty() : Optional.of(target.apply(change));
  }
}
