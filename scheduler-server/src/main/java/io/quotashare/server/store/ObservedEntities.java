package io.quotashare.server.store;

import io.quotashare.core.Change;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.ObservedPreemption;
import java.util.List;

/** The kinds of rows of queues that only observe. */
final class ObservedEntities {
  static final Entity<Observation, Change.ObservationPut> OBSERVATIONS =
      new Entity<>(
          "observations",
          Observation.class,
          Change.ObservationPut.class,
          Change.ObservationPut::observation,
          Change.ObservationPut::new,
          1,
          List.of(
              Column.number("observation", Observation::id),
              Column.text("queue", o -> o.pool().queue()),
              Column.text("unit", o -> o.pool().unit()),
              Column.text("share", o -> o.share().share()),
              Column.text(
                  "beneficiary_job", o -> o.beneficiary() == null ? null : o.beneficiary().id()),
              Column.number("victims", o -> o.victims().size()),
              Column.number("decided_at_millis", Observation::decidedAtMillis),
              Column.number("cost_device_millis", Observation::costDeviceMillis)));

  static final Entity<ObservedPreemption, Change.ObservedPreemptionPut> PREEMPTIONS =
      new Entity<>(
          "observed_preemptions",
          ObservedPreemption.class,
          Change.ObservedPreemptionPut.class,
          Change.ObservedPreemptionPut::preemption,
          Change.ObservedPreemptionPut::new,
          4,
          List.of(
              Column.text("queue", p -> p.victim().job().queue()),
              Column.text("job", p -> p.victim().job().id()),
              Column.number("attempt", p -> p.victim().number()),
              Column.number("decision", ObservedPreemption::decision),
              Column.text("share", p -> p.share().share()),
              Column.name("cause", ObservedPreemption::cause),
              Column.text(
                  "beneficiary_job", p -> p.beneficiary() == null ? null : p.beneficiary().id()),
              Column.text(
                  "beneficiary_share",
                  p -> p.beneficiaryShare() == null ? null : p.beneficiaryShare().share()),
              Column.number("gpus", ObservedPreemption::gpus),
              Column.number("decided_at_millis", ObservedPreemption::decidedAtMillis),
              Column.number(
                  "expected_cost_device_millis", ObservedPreemption::expectedCostDeviceMillis)));

  private ObservedEntities() {}
}
