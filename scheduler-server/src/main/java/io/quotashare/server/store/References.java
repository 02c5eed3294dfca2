package io.quotashare.server.store;

import io.quotashare.core.Change;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Which row a row refers to; the foreign keys of the tables say the same. */
final class References {
  /** A row that must be there. */
  record Target(Entity<?, ?> entity, RowKey key) {}

  private static final Map<Class<? extends Change>, Function<Change, Target>> TARGETS =
      Map.of(
          Change.SharePut.class,
          c -> queue(((Change.SharePut) c).share().key().queue()),
          Change.JobPut.class,
          c -> queue(((Change.JobPut) c).job().key().queue()),
          Change.PoolMeterPut.class,
          c -> queue(((Change.PoolMeterPut) c).meter().pool().queue()),
          Change.ShareMeterPut.class,
          c -> queue(((Change.ShareMeterPut) c).meter().share().queue()),
          Change.UsageSamplePut.class,
          c -> queue(((Change.UsageSamplePut) c).sample().pool().queue()),
          Change.AttemptPut.class,
          c ->
              new Target(
                  Entities.JOBS, Entities.keyOf(((Change.AttemptPut) c).attempt().key().job())),
          Change.PlanPut.class,
          c -> new Target(Entities.JOBS, Entities.keyOf(((Change.PlanPut) c).plan().beneficiary())),
          Change.HoldPut.class,
          c -> new Target(Entities.JOBS, Entities.keyOf(((Change.HoldPut) c).hold().job())),
          Change.PreemptionPut.class,
          c ->
              new Target(
                  Entities.ATTEMPTS,
                  Entities.keyOf(((Change.PreemptionPut) c).preemption().victim())));

  private References() {}

  private static Target queue(String name) {
    return new Target(Entities.QUEUES, RowKey.of(name));
  }

  /** The row that a change refers to; empty if none. */
  static Optional<Target> of(Change change) {
    Function<Change, Target> target = TARGETS.get(change.getClass());
    return target == null ? Optional.empty() : Optional.of(target.apply(change));
  }
}
