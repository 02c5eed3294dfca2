package io.quotashare.server.store;

import static java.util.stream.Collectors.joining;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Pause;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareMeter;
import io.quotashare.core.model.UsageSample;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The kinds of rows, in an order in which each refers only to rows of kinds before it. */
final class Entities {
  static final Entity<Queue, Change.QueuePut> QUEUES =
      new Entity<>(
          "queues",
          Queue.class,
          Change.QueuePut.class,
          Change.QueuePut::queue,
          Change.QueuePut::new,
          1,
          List.of(
              Column.text("name", Queue::name),
              Column.name("state", Queue::state),
              Column.name("idle_assignment", Queue::idleAssignment),
              Column.name("unassigned", Queue::unassigned),
              Column.number("max_grace_millis", Queue::maxGraceMillis),
              Column.name("preemption_mode", Queue::preemptionMode)));

  static final Entity<QuotaShare, Change.SharePut> SHARES =
      new Entity<>(
          "shares",
          QuotaShare.class,
          Change.SharePut.class,
          Change.SharePut::share,
          Change.SharePut::new,
          2,
          List.of(
              Column.text("queue", s -> s.key().queue()),
              Column.text("share", s -> s.key().share()),
              Column.name("state", QuotaShare::state),
              Column.name("strategy", QuotaShare::strategy),
              Column.flag("in_share_preemption", QuotaShare::inSharePreemption),
              Column.number("min_runtime_millis", QuotaShare::minRuntimeMillis)));

  static final Entity<Node, Change.NodePut> NODES =
      new Entity<>(
          "nodes",
          Node.class,
          Change.NodePut.class,
          Change.NodePut::node,
          Change.NodePut::new,
          1,
          List.of(
              Column.text("name", Node::name),
              Column.name("operator_order", Node::order),
              Column.name("liveness", Node::liveness),
              Column.number("devices", n -> n.devices().size()),
              Column.number(
                  "startable_devices", n -> n.devices().stream().filter(Device::startable).count()),
              Column.text("address", n -> n.agent().address()),
              Column.text("boot_id", n -> n.agent().bootId()),
              Column.text("agent_version", n -> n.agent().version())));

  static final Entity<Job, Change.JobPut> JOBS =
      new Entity<>(
          "jobs",
          Job.class,
          Change.JobPut.class,
          Change.JobPut::job,
          Change.JobPut::new,
          2,
          List.of(
              Column.text("queue", j -> j.key().queue()),
              Column.text("job", j -> j.key().id()),
              Column.number("sequence", Job::sequence),
              Column.text("share", j -> j.spec().share()),
              Column.text("display_name", j -> j.spec().displayName()),
              Column.name("state", Job::state),
              Column.name("waiting_reason", j -> j.waiting() == null ? null : j.waiting().reason()),
              Column.number("priority", Job::priority),
              Column.text("unit", j -> j.spec().unit()),
              Column.number("gpus", Job::gpus),
              Column.number("nodes", j -> j.spec().shape().nodes()),
              Column.number("submitted_at_millis", Job::submittedAtMillis),
              Column.optional("ended_at_millis", Job::endedAtMillis),
              Column.text("end_reason", Job::endReason),
              Column.number("attempts", Job::attempts),
              Column.number("failures", Job::failures),
              Column.number("preemptions", Job::preemptions),
              Column.flag("held", Job::held)));

  static final Entity<Attempt, Change.AttemptPut> ATTEMPTS =
      new Entity<>(
          "attempts",
          Attempt.class,
          Change.AttemptPut.class,
          Change.AttemptPut::attempt,
          Change.AttemptPut::new,
          3,
          List.of(
              Column.text("queue", a -> a.key().job().queue()),
              Column.text("job", a -> a.key().job().id()),
              Column.number("attempt", a -> a.key().number()),
              Column.text("share", a -> a.share().share()),
              Column.name("state", Attempt::state),
              Column.name("outcome", Attempt::outcome),
              Column.text("unit", Attempt::unit),
              Column.number("gpus", Attempt::gpus),
              Column.text("nodes", a -> a.parts().stream().map(Part::node).collect(joining(","))),
              Column.number("scheduled_at_millis", Attempt::scheduledAtMillis),
              Column.optional("running_at_millis", Attempt::runningAtMillis),
              Column.optional("ended_at_millis", Attempt::endedAtMillis),
              Column.name("stop_cause", a -> a.stop() == null ? null : a.stop().cause()),
              Column.optionalInt("exit_code", Attempt::exitCode),
              Column.text("end_reason", Attempt::endReason),
              Column.number("lost_device_millis", Attempt::lostDeviceMillis)));

  static final Entity<Plan, Change.PlanPut> PLANS =
      new Entity<>(
          "plans",
          Plan.class,
          Change.PlanPut.class,
          Change.PlanPut::plan,
          Change.PlanPut::new,
          1,
          List.of(
              Column.number("plan", Plan::id),
              Column.text("queue", p -> p.share().queue()),
              Column.text("beneficiary_job", p -> p.beneficiary().id()),
              Column.text("share", p -> p.share().share()),
              Column.text("unit", Plan::unit),
              Column.number("gpus", Plan::gpus),
              Column.name("cause", Plan::cause),
              Column.number("victims", p -> p.victims().size()),
              Column.number("decided_at_millis", Plan::decidedAtMillis),
              Column.number("deadline_millis", Plan::deadlineMillis),
              Column.number("cost_device_millis", Plan::costDeviceMillis)));

  static final Entity<Hold, Change.HoldPut> HOLDS =
      new Entity<>(
          "holds",
          Hold.class,
          Change.HoldPut.class,
          Change.HoldPut::hold,
          Change.HoldPut::new,
          2,
          List.of(
              Column.text("queue", h -> h.pool().queue()),
              Column.text("unit", h -> h.pool().unit()),
              Column.text("job", h -> h.job().id())));

  static final Entity<Preemption, Change.PreemptionPut> PREEMPTIONS =
      new Entity<>(
          "preemptions",
          Preemption.class,
          Change.PreemptionPut.class,
          Change.PreemptionPut::preemption,
          Change.PreemptionPut::new,
          3,
          List.of(
              Column.text("queue", p -> p.victim().job().queue()),
              Column.text("job", p -> p.victim().job().id()),
              Column.number("attempt", p -> p.victim().number()),
              Column.text("share", p -> p.share().share()),
              Column.name("cause", Preemption::cause),
              Column.text(
                  "beneficiary_job", p -> p.beneficiary() == null ? null : p.beneficiary().id()),
              Column.text(
                  "beneficiary_share",
                  p -> p.beneficiaryShare() == null ? null : p.beneficiaryShare().share()),
              Column.number("gpus", Preemption::gpus),
              Column.number("requested_at_millis", Preemption::requestedAtMillis),
              Column.number("deadline_millis", Preemption::deadlineMillis),
              Column.optional("saved_at_millis", Preemption::savedAtMillis),
              Column.optional("freed_at_millis", Preemption::freedAtMillis),
              Column.number("expected_cost_device_millis", Preemption::expectedCostDeviceMillis),
              Column.number("lost_device_millis", Preemption::lostDeviceMillis)));

  static final Entity<Observation, Change.ObservationPut> OBSERVATIONS =
      ObservedEntities.OBSERVATIONS;

  static final Entity<ObservedPreemption, Change.ObservedPreemptionPut> OBSERVED_PREEMPTIONS =
      ObservedEntities.PREEMPTIONS;

  static final Entity<PoolMeter, Change.PoolMeterPut> POOL_METERS =
      new Entity<>(
          "pool_meters",
          PoolMeter.class,
          Change.PoolMeterPut.class,
          Change.PoolMeterPut::meter,
          Change.PoolMeterPut::new,
          2,
          List.of(
              Column.text("queue", m -> m.pool().queue()),
              Column.text("unit", m -> m.pool().unit()),
              Column.number("started_at_millis", PoolMeter::startedAtMillis),
              Column.number("until_millis", PoolMeter::untilMillis),
              Column.number("held_device_millis", PoolMeter::held),
              Column.number("held_for_beneficiary_device_millis", PoolMeter::heldForBeneficiary),
              Column.number("reserved_idle_device_millis", PoolMeter::reservedIdle),
              Column.number("idle_device_millis", PoolMeter::idle),
              Column.number("unhealthy_device_millis", PoolMeter::unhealthy),
              Column.number("outside_device_millis", PoolMeter::outside)));

  static final Entity<ShareMeter, Change.ShareMeterPut> SHARE_METERS =
      new Entity<>(
          "share_meters",
          ShareMeter.class,
          Change.ShareMeterPut.class,
          Change.ShareMeterPut::meter,
          Change.ShareMeterPut::new,
          3,
          List.of(
              Column.text("queue", m -> m.share().queue()),
              Column.text("share", m -> m.share().share()),
              Column.text("unit", ShareMeter::unit),
              Column.number("until_millis", ShareMeter::untilMillis),
              Column.number("own_device_millis", ShareMeter::own),
              Column.number("borrowed_device_millis", ShareMeter::borrowed),
              Column.number("over_device_millis", ShareMeter::over),
              Column.number("lent_device_millis", ShareMeter::lent),
              Column.number("idle_device_millis", ShareMeter::idle),
              Column.number("useful_device_millis", m -> m.ended().useful()),
              Column.number("startup_device_millis", m -> m.ended().startup()),
              Column.number("lost_device_millis", m -> m.ended().lost()),
              Column.number("saving_device_millis", m -> m.ended().saving()),
              Column.number("draining_device_millis", m -> m.ended().draining())));

  static final Entity<UsageSample, Change.UsageSamplePut> USAGE_SAMPLES =
      new Entity<>(
          "usage_samples",
          UsageSample.class,
          Change.UsageSamplePut.class,
          Change.UsageSamplePut::sample,
          Change.UsageSamplePut::new,
          3,
          List.of(
              Column.text("queue", s -> s.pool().queue()),
              Column.text("unit", s -> s.pool().unit()),
              Column.number("at_millis", UsageSample::atMillis),
              Column.number("started_at_millis", UsageSample::startedAtMillis),
              Column.number("held_for_beneficiary_device_millis", UsageSample::heldForBeneficiary),
              Column.number("reserved_idle_device_millis", UsageSample::reservedIdle),
              Column.number("idle_device_millis", UsageSample::idle),
              Column.number("unhealthy_device_millis", UsageSample::unhealthy),
              Column.number("outside_device_millis", UsageSample::outside),
              Column.number("shares", s -> s.shares().size())));

  /** The only row of the pause. */
  private static final RowKey PAUSE_KEY = RowKey.of(1L);

  static final Entity<Pause, Change.PausePut> PAUSE =
      new Entity<>(
          "pause",
          Pause.class,
          Change.PausePut.class,
          Change.PausePut::pause,
          Change.PausePut::new,
          1,
          List.of(
              Column.number("id", p -> 1),
              Column.text("reason", Pause::reason),
              Column.number("since_millis", Pause::sinceMillis)));

  /** The only row of the counters. */
  static final RowKey COUNTERS_KEY = RowKey.of(1L);

  static final Entity<Change.CountersPut, Change.CountersPut> COUNTERS =
      new Entity<>(
          "counters",
          Change.CountersPut.class,
          Change.CountersPut.class,
          Function.identity(),
          Function.identity(),
          1,
          List.of(
              Column.number("id", c -> 1),
              Column.number("next_sequence", Change.CountersPut::nextSequence),
              Column.number("next_plan_id", Change.CountersPut::nextPlanId),
              Column.number("futile_preemptions", Change.CountersPut::futilePreemptions)));

  static final List<Entity<?, ?>> ALL =
      List.of(
          QUEUES,
          SHARES,
          NODES,
          JOBS,
          ATTEMPTS,
          PLANS,
          HOLDS,
          PREEMPTIONS,
          OBSERVATIONS,
          OBSERVED_PREEMPTIONS,
          POOL_METERS,
          SHARE_METERS,
          USAGE_SAMPLES,
          PAUSE,
          COUNTERS);

  private static final Map<Class<? extends Change>, Function<Change, RowWrite<?>>> WRITES =
      new HashMap<>();

  static {
    for (Entity<?, ?> entity : ALL) {
      WRITES.put(entity.putType(), entity::writeOf);
    }
    removal(
        Change.ShareRemoved.class, SHARES, c -> RowKey.of(c.share().queue(), c.share().share()));
    removal(Change.PlanRemoved.class, PLANS, c -> RowKey.of(c.planId()));
    removal(
        Change.ObservedPreemptionRemoved.class,
        OBSERVED_PREEMPTIONS,
        c ->
            RowKey.of(
                c.victim().job().queue(),
                c.victim().job().id(),
                (long) c.victim().number(),
                c.decision()));
    removal(Change.JobRemoved.class, JOBS, c -> keyOf(c.job()));
    removal(Change.AttemptRemoved.class, ATTEMPTS, c -> keyOf(c.attempt()));
    removal(Change.PreemptionRemoved.class, PREEMPTIONS, c -> keyOf(c.victim()));
    removal(
        Change.UsageSampleRemoved.class,
        USAGE_SAMPLES,
        c -> RowKey.of(c.pool().queue(), c.pool().unit(), c.atMillis()));
    removal(Change.ObservationRemoved.class, OBSERVATIONS, c -> RowKey.of(c.id()));
    removal(Change.PauseRemoved.class, PAUSE, c -> PAUSE_KEY);
    removal(Change.HoldRemoved.class, HOLDS, c -> RowKey.of(c.pool().queue(), c.pool().unit()));
  }

  private Entities() {}

  private static <C extends Change, T> void removal(
      Class<C> type, Entity<T, ?> entity, Function<C, RowKey> key) {
    WRITES.put(type, change -> new RowWrite<>(entity, key.apply(type.cast(change)), null));
  }

  /** What a change asks to write. */
  static RowWrite<?> writeOf(Change change) {
    Function<Change, RowWrite<?>> write = WRITES.get(change.getClass());
    if (write == null) {
      throw new IllegalArgumentException("no table for " + change.getClass().getName());
    }
    return write.apply(change);
  }

  static RowKey keyOf(JobKey job) {
    return RowKey.of(job.queue(), job.id());
  }

  static RowKey keyOf(AttemptKey attempt) {
    return RowKey.of(attempt.job().queue(), attempt.job().id(), (long) attempt.number());
  }
}
