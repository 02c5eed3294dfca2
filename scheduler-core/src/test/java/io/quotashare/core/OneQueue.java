package io.quotashare.core;

import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Launch;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Progress;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.RetryOn;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import io.quotashare.core.model.Unassigned;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** A scheduler with one queue whose share owns everything, for tests of single rules. */
final class OneQueue {
  static final String UNIT = "H100";

  private static final String QUEUE = "q";
  private static final String SHARE = "s";

  final Scheduler scheduler = new Scheduler();
  private long nowMillis = 1_000_000;
  private long version;

  OneQueue(int nodes, int gpusPerNode, Ordering ordering) {
    Queue queue =
        new Queue(
            QUEUE,
            AdminState.ENABLED,
            new TreeMap<>(),
            IdleAssignment.FIFO,
            Unassigned.BORROWABLE,
            Queue.DEFAULT_MAX_GRACE_MILLIS,
            Queue.DEFAULT_LOST_WORK_CAP_MILLIS,
            Queue.DEFAULT_RESTART_COST_MILLIS,
            List.of(),
            PreemptionMode.ENFORCE);
    QuotaShare share =
        new QuotaShare(
            new ShareKey(QUEUE, SHARE),
            new TreeMap<>(Map.of(UNIT, nodes * gpusPerNode)),
            Strategy.RESERVE,
            new Limit.Percent(0),
            new Limit.Percent(0),
            false,
            ordering,
            1,
            0,
            AdminState.ENABLED);
    scheduler.applyPolicy(
        new Policy(List.of(new Policy.QueuePolicy(queue, List.of(share)))), false, nowMillis);
    for (int i = 0; i < nodes; i++) {
      String name = "n" + i;
      List<Device> devices = new ArrayList<>();
      for (int k = 0; k < gpusPerNode; k++) {
        devices.add(Device.healthy("GPU-" + name + "-" + k, k, UNIT));
      }
      scheduler.registerNode(
          new NodeReport(name, new TreeMap<>(), devices, Node.AgentInfo.NONE), Set.of(), nowMillis);
    }
    decide();
  }

  Job submit(String id, Shape shape, int priority, int retries, RetryOn retryOn) {
    JobSpec spec =
        new JobSpec(
            SHARE,
            id,
            shape,
            UNIT,
            Launch.NOTHING,
            new TreeMap<>(),
            OptionalLong.empty(),
            JobSpec.DEFAULT_GRACE_MILLIS,
            new JobSpec.LostAfter.Default(),
            OptionalLong.empty(),
            false,
            retries,
            retryOn,
            OptionalInt.empty(),
            BorrowMode.ALLOWED,
            true);
    return scheduler.submit(new JobKey(QUEUE, id), spec, priority, nowMillis);
  }

  Batch decide() {
    scheduler.decide(++nowMillis);
    return scheduler.drain();
  }

  Job job(String id) {
    return scheduler.job(new JobKey(QUEUE, id)).orElseThrow();
  }

  /** Every process of the job's attempt runs. */
  void run(String id) {
    report(id, PartPhase.RUNNING, OptionalInt.empty(), OptionalInt.empty());
  }

  /** Every process of the job's attempt ends with this code, and its devices are free. */
  void exit(String id, int code) {
    report(id, PartPhase.FREE, OptionalInt.of(code), OptionalInt.empty());
  }

  /** Every process of the job's attempt is ended by this signal. */
  void kill(String id, int signal) {
    report(id, PartPhase.FREE, OptionalInt.empty(), OptionalInt.of(signal));
  }

  void failToStart(String id) {
    report(id, PartPhase.START_FAILED, OptionalInt.empty(), OptionalInt.empty());
  }

  private void report(String id, PartPhase phase, OptionalInt code, OptionalInt signal) {
    JobKey job = new JobKey(QUEUE, id);
    AttemptKey key = new AttemptKey(job, job(id).attempts());
    Attempt attempt = scheduler.attempt(key).orElseThrow();
    for (Part part : attempt.parts()) {
      scheduler.report(
          new PartReport(
              key, part.rank(), ++version, phase, code, signal, phase.isFree(), "", Progress.NONE),
          nowMillis);
    }
    decide();
  }
}
