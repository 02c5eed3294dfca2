package io.quotashare.server.store;

import com.google.protobuf.ByteString;
import io.quotashare.core.Change;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Checkpoint;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Loan;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.Outcome;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Pause;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Progress;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.RejectedAlternative;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.ShareMeter;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.model.Strategy;
import io.quotashare.core.model.Unassigned;
import io.quotashare.core.model.Waiting;
import io.quotashare.core.model.WaitingReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Rows that agree with each other, for tests: small pieces, and one state with all kinds of them.
 */
final class SampleState {
  static final String QUEUE = "research";
  static final String UNIT = "H100";
  static final PoolKey POOL = new PoolKey(QUEUE, UNIT);

  /** A running job, a victim that is being stopped, its beneficiary, an ended one. */
  static final JobKey RUNNING = new JobKey(QUEUE, "j-running");

  static final JobKey VICTIM = new JobKey(QUEUE, "j-victim");
  static final JobKey WAITING = new JobKey(QUEUE, "j-waiting");
  static final JobKey ENDED = new JobKey(QUEUE, "j-ended");

  private SampleState() {}

  static Queue queue(String name) {
    return new Queue(
        name,
        AdminState.ENABLED,
        new TreeMap<>(Map.of("pool", name)),
        IdleAssignment.FIFO,
        Unassigned.BORROWABLE,
        Queue.DEFAULT_MAX_GRACE_MILLIS,
        Queue.DEFAULT_LOST_WORK_CAP_MILLIS,
        Queue.DEFAULT_RESTART_COST_MILLIS,
        List.of(new Queue.StateTimeLimit(WaitingReason.FRAGMENTED, 60_000)),
        PreemptionMode.ENFORCE);
  }

  static QuotaShare share(String queue, String share) {
    return new QuotaShare(
        new ShareKey(queue, share),
        new TreeMap<>(Map.of(UNIT, 8)),
        Strategy.LEND_AND_BORROW,
        new Limit.Percent(-1),
        new Limit.Devices(new TreeMap<>(Map.of(UNIT, 4))),
        true,
        Ordering.STRICT,
        1,
        0,
        AdminState.ENABLED);
  }

  static Node node(String name, int devices) {
    List<Device> list = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      list.add(Device.healthy("GPU-" + name + "-" + i, i, UNIT));
    }
    return new Node(
        name,
        new TreeMap<>(Map.of("pool", QUEUE)),
        list,
        Node.Order.OPEN,
        Node.Liveness.ALIVE,
        new Node.AgentInfo("1", "boot-of-" + name, "10.0.0.1", "570", "OK", "", "hash"));
  }

  static JobSpec spec(String share, int gpus, Map<String, String> labels) {
    return new JobSpec(
        share,
        "training \"β\"",
        new Shape(1, gpus),
        UNIT,
        new Launch(List.of("python", "train.py"), new TreeMap<>(Map.of("A", "1")), ""),
        new TreeMap<>(labels),
        OptionalLong.empty(),
        JobSpec.DEFAULT_GRACE_MILLIS,
        new JobSpec.LostAfter.After(5_000),
        OptionalLong.of(600_000),
        true,
        2,
        new RetryOn.Only(new TreeSet<>(Set.of(75, 137))),
        OptionalInt.of(3),
        BorrowMode.NEVER,
        false);
  }

  /** A job that was just submitted. */
  static Job job(JobKey key, String share, long sequence) {
    return Job.submitted(key, spec(share, 2, Map.of("team", share)), 10, sequence, 1000 + sequence);
  }

  static Job ended(Job job, long atMillis) {
    return job.change().ended(JobState.SUCCEEDED, atMillis, "done").build();
  }

  /** An attempt that holds two devices of a node. */
  static Attempt attempt(Job job, int number, String node, int firstDevice) {
    List<String> devices =
        List.of("GPU-" + node + "-" + firstDevice, "GPU-" + node + "-" + (firstDevice + 1));
    return Attempt.scheduled(
        new AttemptKey(job.key(), number),
        job.share(),
        UNIT,
        List.of(Part.assigned(0, node, devices)),
        2000,
        number > 1);
  }

  static Preemption preemption(
      AttemptKey victim, ShareKey share, long requestedAtMillis, long lost) {
    return new Preemption(
            victim,
            share,
            WAITING,
            new ShareKey(QUEUE, "vision"),
            StopCause.RECLAIM,
            2,
            requestedAtMillis,
            requestedAtMillis + 60_000,
            OptionalLong.empty(),
            OptionalLong.empty(),
            1234,
            0,
            false,
            List.of(new RejectedAlternative(RUNNING, "younger", OptionalLong.of(7))))
        .freed(requestedAtMillis + 10, lost);
  }

  static Change.CountersPut counters(long nextSequence, long nextPlanId) {
    return new Change.CountersPut(nextSequence, nextPlanId, 0);
  }

  static CommitBatch batch(long epoch, long revision, Change... changes) {
    return new CommitBatch(
        epoch, revision, 1000 * revision, List.of(changes), List.of(), List.of());
  }

  static RequestAnswer answer(String principal, String requestId, String answer) {
    return new RequestAnswer(
        new RequestKey(principal, requestId),
        ByteString.copyFromUtf8("hash of " + requestId),
        ByteString.copyFromUtf8(answer));
  }

  static AuditEvent event(String principal, String resource, String detail) {
    return new AuditEvent(principal, "SUBMIT_JOB", resource, "r-1", "", "priority 10", detail);
  }

  /** One state with rows of all kinds, in the order in which a store gives them back. */
  static List<Change> everything() {
    Job victim =
        job(VICTIM, "background", 1)
            .change()
            .state(JobState.PREEMPTING)
            .attempts(2)
            .preemptions(1)
            .checkpoint(new Checkpoint(OptionalLong.of(7), 2500, 2600))
            .build();
    Job running =
        job(RUNNING, "background", 0).change().state(JobState.RUNNING).attempts(1).build();
    Job waiting =
        job(WAITING, "vision", 2)
            .change()
            .state(JobState.RUNNABLE)
            .waiting(new Waiting(WaitingReason.WAITING_FOR_PREEMPTION, "of j-victim", 3000))
            .build();
    Job ended = ended(job(ENDED, "vision", 3), 4000);
    Attempt first =
        attempt(victim, 1, "n1", 2)
            .change()
            .ended(Outcome.PREEMPTED, 2200, "for another job", 55)
            .build();
    Attempt second =
        attempt(victim, 2, "n1", 2)
            .change()
            .state(AttemptState.PREEMPTING)
            .running(2300)
            .progress(
                new Progress(
                    OptionalLong.of(9),
                    OptionalLong.of(2400),
                    new Checkpoint(OptionalLong.of(7), 2500, 2600),
                    0,
                    false))
            .stop(
                new Stop(
                    StopCause.RECLAIM, WAITING, 3000, 63_000, true, 1, OptionalLong.empty(), ""))
            .build();
    Attempt live =
        attempt(running, 1, "n1", 0).change().state(AttemptState.RUNNING).running(2100).build();
    Plan plan =
        new Plan(
            4,
            WAITING,
            waiting.share(),
            UNIT,
            new TreeMap<>(Map.of("n1", 2)),
            List.of(second.key()),
            StopCause.RECLAIM,
            3000,
            63_000,
            0,
            2,
            99,
            true,
            List.of());
    return List.of(
        new Change.QueuePut(queue(QUEUE)),
        new Change.SharePut(share(QUEUE, "background")),
        new Change.SharePut(share(QUEUE, "vision")),
        new Change.NodePut(node("n1", 4)),
        new Change.NodePut(node("n2", 0)),
        new Change.JobPut(ended),
        new Change.JobPut(running),
        new Change.JobPut(victim),
        new Change.JobPut(waiting),
        new Change.AttemptPut(live),
        new Change.AttemptPut(first),
        new Change.AttemptPut(second),
        new Change.PlanPut(plan),
        new Change.HoldPut(new Hold(WAITING, POOL, new TreeMap<>(Map.of("n1", 2)))),
        new Change.PreemptionPut(preemption(first.key(), victim.share(), 2150, 55)),
        new Change.PreemptionPut(preemption(second.key(), victim.share(), 3000, 0)),
        new Change.ObservationPut(
            new Observation(
                3,
                POOL,
                waiting.share(),
                WAITING,
                List.of(
                    new Observation.Victim(live.key(), running.share(), StopCause.RECLAIM, 1, 77)),
                2900,
                false,
                List.of(),
                List.of(-5L))),
        new Change.ObservedPreemptionPut(observed(live.key(), running.share(), 3, 2900)),
        new Change.PoolMeterPut(
            new PoolMeter(
                POOL, 1, 3000, 4, 5, 6, 7, 8, 9, List.of(new Loan("lender", "borrower", 2, 1500)))),
        new Change.ShareMeterPut(
            new ShareMeter(
                victim.share(), UNIT, 3000, 1, 2, 3, 4, 5, new DeviceMillis(1, 2, 3, 4, 5))),
        new Change.PausePut(new Pause("the switch is replaced", 2950)),
        counters(4, 5));
  }

  /** Somebody who would have been stopped for the waiting job. */
  static ObservedPreemption observed(
      AttemptKey victim, ShareKey share, long decision, long decidedAtMillis) {
    return new ObservedPreemption(
        decision,
        victim,
        share,
        WAITING,
        new ShareKey(QUEUE, "vision"),
        StopCause.RECLAIM,
        1,
        decidedAtMillis,
        77,
        false,
        List.of());
  }
}
