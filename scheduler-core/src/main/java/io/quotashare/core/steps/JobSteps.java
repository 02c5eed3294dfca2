package io.quotashare.core.steps;

import io.quotashare.core.JobEvent;
import io.quotashare.core.RejectedException;
import io.quotashare.core.RejectedException.Kind;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Checkpoint;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Progress;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.state.Feasibility;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** How jobs are submitted. */
public final class JobSteps {
  private final State state;
  private final Moves moves;

  public JobSteps(State state, Moves moves) {
    this.state = state;
    this.moves = moves;
  }

  // What a submission leaves open

  /** The unit itself, or the only one of the queue if it is empty. */
  public String resolveUnit(String queue, String unit) {
    queue(queue);
    if (!unit.isEmpty()) {
      return unit;
    }
    SortedSet<String> units = unitsOf(queue);
    if (units.size() == 1) {
      return units.first();
    }
    throw invalid(
        "UNIT_REQUIRED",
        "spec.unit",
        units.isEmpty()
            ? "unit: not given, and queue "
                + queue
                + " has no capacity unit yet (expected: a unit such as H100)"
            : "unit: not given, and queue "
                + queue
                + " has several (expected: one of "
                + units
                + ")");
  }

  /**
   * What its nodes have and its shares own; not what a job once asked for, or a share once owned.
   */
  private SortedSet<String> unitsOf(String queue) {
    SortedSet<String> units = new TreeSet<>();
    state.sharesOf(queue).forEach(share -> units.addAll(share.capacity().keySet()));
    for (Pool pool : state.poolsOf(queue)) {
      if (pool.totalDevices() > 0) {
        units.add(pool.key().unit());
      }
    }
    return units;
  }

  /** One node if that many devices fit on the largest ever seen, else whole nodes of that size. */
  public Shape resolveShape(String queue, String unit, int gpus) {
    Pool pool = state.pools().get(new PoolKey(queue(queue).name(), unit));
    int largest = pool == null ? 0 : pool.largestNode();
    if (largest == 0 || gpus <= largest) {
      if (gpus < 1 || gpus > Shape.MAX_GPUS_PER_NODE) {
        throw invalid(
            "GPUS_OUT_OF_RANGE",
            "spec.gpus",
            "gpus: " + gpus + " (expected: 1 to " + Shape.MAX_GPUS_PER_NODE + ")");
      }
      return new Shape(1, gpus);
    }
    if (gpus % largest != 0 || gpus / largest > Shape.MAX_NODES) {
      throw invalid(
          "SHAPE_REQUIRED",
          "spec.gpus",
          String.format(
              "gpus: %d is more than the largest node of queue %s has (%d %s) and is not whole nodes of it"
                  + " (expected: nodes and gpusPerNode)",
              gpus, queue, largest, unit));
    }
    return new Shape(gpus / largest, largest);
  }

  // Submission

  /** Throws unless the job can be accepted. */
  public void check(JobKey key, JobSpec spec, int priority) {
    Queue queue = queue(key.queue());
    QuotaShare share = state.shares().get(new ShareKey(key.queue(), spec.share()));
    if (share == null) {
      throw new RejectedException(
          Kind.NOT_FOUND,
          "SHARE_NOT_FOUND",
          "spec.share",
          String.format(
              "share: %s does not exist in queue %s (expected: one of %s)",
              spec.share(),
              key.queue(),
              state.sharesOf(key.queue()).stream().map(s -> s.key().share()).toList()));
    }
    if (queue.state() != AdminState.ENABLED) {
      throw precondition(
          "QUEUE_DISABLED", "parent", "queue " + queue.name() + " is disabled and takes no jobs");
    }
    if (share.state() != AdminState.ENABLED) {
      throw precondition(
          "SHARE_DISABLED",
          "spec.share",
          "share " + spec.share() + " is disabled and takes no jobs");
    }
    if (state.archive().job(key).isPresent()) {
      throw new RejectedException(
          Kind.ALREADY_EXISTS, "JOB_EXISTS", "job_id", "job_id: " + key + " exists already");
    }
    checkPriority(priority, "spec.priority");
    if (!spec.allowInfeasible()) {
      Pool pool = state.poolOrEmpty(new PoolKey(key.queue(), spec.unit()));
      Feasibility.impossible(pool, share, spec).ifPresent(JobSteps::refuse);
    }
  }

  private static void refuse(Feasibility.Impossible why) {
    TreeMap<String, String> metadata = new TreeMap<>();
    metadata.put("exceeded", Long.toString(why.exceeded()));
    throw new RejectedException(
        Kind.FAILED_PRECONDITION,
        why.reason().name(),
        "spec",
        "the job could never run: "
            + why.detail()
            + " (to submit it all the same: allowInfeasible)",
        metadata);
  }

  /** Accepts a job. */
  public Job submit(JobKey key, JobSpec spec, int priority) {
    check(key, spec, priority);
    state.pool(new PoolKey(key.queue(), spec.unit()));
    Job job = Job.submitted(key, spec, priority, state.takeSequence(), state.now());
    state.putJob(job);
    moves.event(JobEvent.Type.SUBMITTED, job, null, "");
    return job;
  }

  /** Takes over a job that runs already. */
  public Job adopt(
      JobKey key,
      JobSpec spec,
      int priority,
      Map<String, Integer> devicesByNode,
      long startedAtMillis,
      OptionalLong lastCheckpointMillis) {
    check(key, spec, priority);
    Pool pool = state.pool(new PoolKey(key.queue(), spec.unit()));
    List<Part> parts = new ArrayList<>();
    for (Map.Entry<String, Integer> place : new TreeMap<>(devicesByNode).entrySet()) {
      List<String> devices = pool.nodes().get(place.getKey()).pick(place.getValue());
      parts.add(
          new Part(
              parts.size(),
              place.getKey(),
              devices,
              PartPhase.RUNNING,
              0,
              OptionalInt.empty(),
              OptionalInt.empty(),
              false,
              OptionalLong.empty(),
              OptionalLong.empty(),
              ""));
    }
    Checkpoint checkpoint =
        lastCheckpointMillis.isPresent()
            ? new Checkpoint(
                OptionalLong.empty(),
                lastCheckpointMillis.getAsLong(),
                lastCheckpointMillis.getAsLong())
            : null;
    Job job =
        Job.submitted(key, spec, priority, state.takeSequence(), startedAtMillis)
            .change()
            .state(JobState.RUNNING)
            .attempts(1)
            .checkpoint(checkpoint)
            .build();
    Attempt attempt =
        Attempt.scheduled(
                job.newestAttempt(), job.share(), spec.unit(), parts, startedAtMillis, false)
            .change()
            .state(AttemptState.RUNNING)
            .running(startedAtMillis)
            .progress(
                new Progress(OptionalLong.empty(), OptionalLong.empty(), checkpoint, 0, false))
            .build();
    state.putJob(job);
    state.putAttempt(attempt);
    return job;
  }

  private Queue queue(String name) {
    Queue queue = state.queues().get(name);
    if (queue == null) {
      throw new RejectedException(
          Kind.NOT_FOUND,
          "QUEUE_NOT_FOUND",
          "parent",
          String.format(
              "queue: %s does not exist (expected: one of %s)", name, state.queues().keySet()));
    }
    return queue;
  }

  static void checkPriority(int priority, String field) {
    if (priority < 0 || priority > JobSpec.MAX_PRIORITY) {
      throw invalid(
          "PRIORITY_OUT_OF_RANGE",
          field,
          "priority: " + priority + " (expected: 0 to " + JobSpec.MAX_PRIORITY + ")");
    }
  }

  private static RejectedException invalid(String reason, String field, String message) {
    return new RejectedException(Kind.INVALID_ARGUMENT, reason, field, message);
  }

  private static RejectedException precondition(String reason, String field, String message) {
    return new RejectedException(Kind.FAILED_PRECONDITION, reason, field, message);
  }
}
