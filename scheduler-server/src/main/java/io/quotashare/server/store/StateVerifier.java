package io.quotashare.server.store;

import io.quotashare.core.Change;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.ShareMeter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether rows contradict each other. Takes them in the order of {@link Entities}, each once, and
 * remembers only what it needs of them.
 *
 * <p>It holds what must be true of any scheduler's rows: what is referred to is there, but for the
 * share of a job that has ended and of an account, which may have been removed since; sequence
 * numbers are given once and below the counter; attempt numbers are dense (reliability V9), from 1
 * on unless the job has ended and its oldest attempts are removed already; only the newest may hold
 * devices (V2); a device is held once (V1); a job that has ended or waits holds none.
 */
final class StateVerifier {
  /** What is remembered of a job. */
  private static final class JobFacts {
    private final JobState state;
    private final int attempts;

    /** Number of the newest attempt that was seen; 0 before the first. */
    private int seen;

    private boolean live;

    JobFacts(Job job) {
      this.state = job.state();
      this.attempts = job.attempts();
    }
  }

  private record DeviceKey(String node, String uuid) {}

  private final String location;
  private final Map<Class<? extends Change>, BiConsumer<RowKey, Object>> checks = new HashMap<>();
  private final Map<String, AdminState> queues = new HashMap<>();
  private final Set<ShareKey> shares = new HashSet<>();
  private final Map<JobKey, JobFacts> jobs = new HashMap<>();
  private final Map<Long, JobKey> sequences = new HashMap<>();
  private final Map<DeviceKey, RowKey> holders = new HashMap<>();
  private long lastSequence = -1;
  private long lastPlan = -1;
  private Change.@Nullable CountersPut counters;

  StateVerifier(String location) {
    this.location = location;
    check(Entities.QUEUES, (key, queue) -> queues.put(queue.name(), queue.state()));
    check(Entities.SHARES, this::checkShare);
    check(Entities.JOBS, this::checkJob);
    check(Entities.ATTEMPTS, this::checkAttempt);
    check(Entities.PLANS, this::checkPlan);
    check(Entities.HOLDS, this::checkHold);
    check(Entities.PREEMPTIONS, this::checkPreemption);
    check(Entities.OBSERVATIONS, this::checkObservation);
    check(Entities.OBSERVED_PREEMPTIONS, this::checkObserved);
    check(Entities.POOL_METERS, this::checkPoolMeter);
    check(Entities.SHARE_METERS, this::checkShareMeter);
    check(
        Entities.USAGE_SAMPLES,
        (key, sample) -> requireQueue(Entities.USAGE_SAMPLES, key, sample.pool().queue()));
    check(Entities.COUNTERS, (key, row) -> counters = row);
  }

  private <T> void check(Entity<T, ?> entity, BiConsumer<RowKey, T> check) {
    checks.put(entity.putType(), (key, row) -> check.accept(key, entity.rowType().cast(row)));
  }

  /**
   * The next row.
   *
   * @throws DamagedStateException if it contradicts those before
   */
  <T> void accept(Entity<T, ?> entity, RowKey key, T row) {
    BiConsumer<RowKey, Object> check = checks.get(entity.putType());
    if (check != null) {
      check.accept(key, row);
    }
  }

  /**
   * There are no more rows.
   *
   * @throws DamagedStateException if some are missing
   */
  void finish() {
    jobs.forEach(this::checkAttemptsOf);
    if (counters == null) {
      if (!jobs.isEmpty()) {
        throw damaged(Entities.COUNTERS, Entities.COUNTERS_KEY, "missing, although there are jobs");
      }
      return;
    }
    if (counters.nextSequence() <= lastSequence) {
      throw damaged(
          Entities.COUNTERS,
          Entities.COUNTERS_KEY,
          "next_sequence is %s, but a job has %s".formatted(counters.nextSequence(), lastSequence));
    }
    if (counters.nextPlanId() <= lastPlan) {
      throw damaged(
          Entities.COUNTERS,
          Entities.COUNTERS_KEY,
          "next_plan_id is %s, but a plan or an observation has %s"
              .formatted(counters.nextPlanId(), lastPlan));
    }
  }

  private void checkAttemptsOf(JobKey key, JobFacts job) {
    boolean allRemoved = job.seen == 0 && job.state.isTerminal();
    if (job.seen != job.attempts && !allRemoved) {
      throw damaged(
          Entities.JOBS,
          Entities.keyOf(key),
          "counts %s attempts, but %s are there".formatted(job.attempts, job.seen));
    }
    boolean expectsLive = !job.state.isTerminal() && !job.state.isWaiting();
    if (job.live != expectsLive) {
      throw damaged(
          Entities.JOBS,
          Entities.keyOf(key),
          "is %s, but its newest attempt %s"
              .formatted(job.state, job.live ? "has not ended" : "has ended or is missing"));
    }
  }

  private void checkShare(RowKey key, QuotaShare share) {
    requireQueue(Entities.SHARES, key, share.key().queue());
    if (queues.get(share.key().queue()) == AdminState.REMOVED) {
      throw damaged(
          Entities.SHARES, key, "belongs to queue " + share.key().queue() + ", which was removed");
    }
    shares.add(share.key());
  }

  private void checkJob(RowKey key, Job job) {
    requireQueue(Entities.JOBS, key, job.key().queue());
    if (!job.state().isTerminal() && !shares.contains(job.share())) {
      throw damaged(
          Entities.JOBS,
          key,
          "is %s, but its share %s is not there".formatted(job.state(), job.share()));
    }
    JobKey other = sequences.put(job.sequence(), job.key());
    if (other != null) {
      throw damaged(
          Entities.JOBS, key, "has sequence %s, as %s has".formatted(job.sequence(), other));
    }
    lastSequence = Math.max(lastSequence, job.sequence());
    jobs.put(job.key(), new JobFacts(job));
  }

  private void checkAttempt(RowKey key, Attempt attempt) {
    JobFacts job = requireJob(Entities.ATTEMPTS, key, attempt.key().job());
    boolean first = job.seen == 0 && job.state.isTerminal();
    if ((attempt.key().number() != job.seen + 1 && !first)
        || attempt.key().number() > job.attempts) {
      throw damaged(
          Entities.ATTEMPTS,
          key,
          "follows attempt %s of a job with %s".formatted(job.seen, job.attempts));
    }
    job.seen = attempt.key().number();
    if (attempt.state() == AttemptState.ENDED) {
      return;
    }
    if (attempt.key().number() != job.attempts) {
      throw damaged(Entities.ATTEMPTS, key, "is " + attempt.state() + ", but is not the newest");
    }
    job.live = true;
    for (Part part : attempt.parts()) {
      if (!part.phase().isFree()) {
        part.devices().forEach(uuid -> hold(key, new DeviceKey(part.node(), uuid)));
      }
    }
  }

  private void hold(RowKey key, DeviceKey device) {
    RowKey holder = holders.putIfAbsent(device, key);
    if (holder != null) {
      throw damaged(
          Entities.ATTEMPTS,
          key,
          "holds device %s of node %s, as attempt %s does"
              .formatted(device.uuid(), device.node(), holder));
    }
  }

  private void checkPlan(RowKey key, Plan plan) {
    requireJob(Entities.PLANS, key, plan.beneficiary());
    lastPlan = Math.max(lastPlan, plan.id());
  }

  private void checkHold(RowKey key, Hold hold) {
    requireJob(Entities.HOLDS, key, hold.job());
  }

  private void checkPreemption(RowKey key, Preemption preemption) {
    JobFacts job = requireJob(Entities.PREEMPTIONS, key, preemption.victim().job());
    if (preemption.victim().number() > job.attempts) {
      throw damaged(Entities.PREEMPTIONS, key, "is of an attempt that is not there");
    }
  }

  private void checkObservation(RowKey key, Observation observation) {
    requireQueue(Entities.OBSERVATIONS, key, observation.pool().queue());
    JobKey job = observation.beneficiary();
    if (job != null && requireJob(Entities.OBSERVATIONS, key, job).state.isTerminal()) {
      throw damaged(Entities.OBSERVATIONS, key, "is for job " + job + ", which has ended");
    }
    lastPlan = Math.max(lastPlan, observation.id());
  }

  private void checkObserved(RowKey key, ObservedPreemption preemption) {
    requireQueue(Entities.OBSERVED_PREEMPTIONS, key, preemption.victim().job().queue());
    lastPlan = Math.max(lastPlan, preemption.decision());
  }

  private void checkPoolMeter(RowKey key, PoolMeter meter) {
    requireQueue(Entities.POOL_METERS, key, meter.pool().queue());
  }

  private void checkShareMeter(RowKey key, ShareMeter meter) {
    requireQueue(Entities.SHARE_METERS, key, meter.share().queue());
  }

  private void requireQueue(Entity<?, ?> entity, RowKey key, String queue) {
    if (!queues.containsKey(queue)) {
      throw damaged(entity, key, "refers to queue " + queue + ", which is not there");
    }
  }

  private JobFacts requireJob(Entity<?, ?> entity, RowKey key, JobKey job) {
    JobFacts facts = jobs.get(job);
    if (facts == null) {
      throw damaged(entity, key, "refers to job " + job + ", which is not there");
    }
    return facts;
  }

  private DamagedStateException damaged(Entity<?, ?> entity, RowKey key, String problem) {
    return new DamagedStateException(location, entity.table(), key.toString(), problem, null);
  }
}
