package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a job is: fixed at submission, except for its priority. Made with {@link #builder}.
 *
 * @param queue queue id
 * @param share id of the share that is charged
 * @param displayName name for people, up to 128 characters; empty: the job id
 * @param nodes number of distinct nodes of the gang, 1 to 4096; null where {@code gpus} is given
 * @param gpusPerNode devices on each node, 1 to 10000; null where {@code gpus} is given
 * @param gpus shorthand for the shape in devices: one node if that many fit on the largest node
 *     ever seen, else whole nodes; null where the shape is given
 * @param unit capacity unit, such as H100; empty where the queue has one unit
 * @param priority 0 to 9999, higher goes first inside the share; 0 is a value like every other
 * @param command program and arguments, never passed through a shell
 * @param env environment of the processes
 * @param workingDirectory absolute working directory on the nodes; empty: a folder of the attempt
 * @param labels labels for filters
 * @param timeLimit longest running time of one attempt; null: no limit
 * @param grace time between the request to stop and SIGKILL; null: 60 s; at most the queue's
 *     maxGrace
 * @param lostAfter silence of a node after which the attempt may be started elsewhere; null: the
 *     scheduler's default
 * @param lostNever a silent node's attempt is never started elsewhere before its node is heard or
 *     fenced
 * @param checkpointEvery suggested interval between the job's own checkpoints; null: none
 * @param onDemandCheckpoint the job reads checkpoint requests
 * @param retries retries after a failed attempt, 0 to 10; preemption never uses one
 * @param retryExitCodes only these exit codes are retried; empty: every failure. 1 to 255 each, at
 *     most 64; an exit by a signal counts as 128 plus its number
 * @param failExitCodes these exit codes are not retried; not together with retryExitCodes
 * @param preemptionRetriesBeforeTermination preemptions after which the next one fails the job;
 *     null: no limit; 0: the first preemption fails it
 * @param borrow whether it may run on borrowed devices
 * @param allowInfeasible accept a job that can never run as things are
 */
public record JobSpec(
    String queue,
    String share,
    String displayName,
    @Nullable Integer nodes,
    @Nullable Integer gpusPerNode,
    @Nullable Integer gpus,
    String unit,
    int priority,
    List<String> command,
    Map<String, String> env,
    String workingDirectory,
    Map<String, String> labels,
    @Nullable Duration timeLimit,
    @Nullable Duration grace,
    @Nullable Duration lostAfter,
    boolean lostNever,
    @Nullable Duration checkpointEvery,
    boolean onDemandCheckpoint,
    int retries,
    Set<Integer> retryExitCodes,
    Set<Integer> failExitCodes,
    @Nullable Integer preemptionRetriesBeforeTermination,
    BorrowMode borrow,
    boolean allowInfeasible) {
  /** Smallest priority. */
  public static final int MIN_PRIORITY = 0;

  /** Largest priority. */
  public static final int MAX_PRIORITY = 9999;

  /** Checks that nothing required is null and copies the collections. */
  public JobSpec {
    requireNonNull(queue, "queue");
    requireNonNull(share, "share");
    requireNonNull(displayName, "displayName");
    requireNonNull(unit, "unit");
    command = List.copyOf(command);
    env = Collect.copy(env);
    requireNonNull(workingDirectory, "workingDirectory");
    labels = Collect.copy(labels);
    retryExitCodes = Collections.unmodifiableSet(new LinkedHashSet<>(retryExitCodes));
    failExitCodes = Collections.unmodifiableSet(new LinkedHashSet<>(failExitCodes));
    requireNonNull(borrow, "borrow");
  }

  /** Starts the description of a job that is charged to {@code share} of {@code queue}. */
  public static Builder builder(String queue, String share) {
    return new Builder(queue, share);
  }

  /** Throws unless 0 &lt;= priority &lt;= 9999. */
  static int checkPriority(int priority) {
    if (priority < MIN_PRIORITY || priority > MAX_PRIORITY) {
      throw new IllegalArgumentException(JobSpecRules.priorityProblem(priority).toString());
    }
    return priority;
  }

  /** Describes a job step by step. Not safe for use by several threads. */
  public static final class Builder {
    private final String queue;
    private final String share;
    private String displayName = "";
    private @Nullable Integer nodes;
    private @Nullable Integer gpusPerNode;
    private @Nullable Integer gpus;
    private String unit = "";
    private int priority;
    private List<String> command = List.of();
    private final Map<String, String> env = new TreeMap<>();
    private String workingDirectory = "";
    private final Map<String, String> labels = new TreeMap<>();
    private @Nullable Duration timeLimit;
    private @Nullable Duration grace;
    private @Nullable Duration lostAfter;
    private boolean lostNever;
    private @Nullable Duration checkpointEvery;
    private boolean onDemandCheckpoint;
    private int retries;
    private final Set<Integer> retryExitCodes = new LinkedHashSet<>();
    private final Set<Integer> failExitCodes = new LinkedHashSet<>();
    private @Nullable Integer preemptionRetries;
    private BorrowMode borrow = BorrowMode.ALLOWED;
    private boolean allowInfeasible;

    private Builder(String queue, String share) {
      this.queue = requireNonNull(queue, "queue");
      this.share = requireNonNull(share, "share");
    }

    /** Name for people, up to 128 characters. */
    public Builder name(String value) {
      displayName = requireNonNull(value, "name");
      return this;
    }

    /** Devices in total; the scheduler makes the shape. Not together with {@link #shape}. */
    public Builder gpus(int count) {
      gpus = count;
      return this;
    }

    /** A gang of {@code nodes} distinct nodes with {@code gpusPerNode} devices each. */
    public Builder shape(int nodeCount, int perNode) {
      nodes = nodeCount;
      gpusPerNode = perNode;
      return this;
    }

    /** Capacity unit, such as H100. */
    public Builder unit(String value) {
      unit = requireNonNull(value, "unit");
      return this;
    }

    /** 0 (the default) to 9999, higher goes first inside the share. */
    public Builder priority(int value) {
      priority = value;
      return this;
    }

    /** Program and arguments. */
    public Builder command(String... words) {
      return command(List.of(words));
    }

    /** Program and arguments. */
    public Builder command(List<String> words) {
      command = new ArrayList<>(words);
      return this;
    }

    /** One variable of the environment. */
    public Builder env(String key, String value) {
      env.put(requireNonNull(key, "key"), requireNonNull(value, "value"));
      return this;
    }

    /** Absolute working directory on the nodes. */
    public Builder workingDirectory(String path) {
      workingDirectory = requireNonNull(path, "path");
      return this;
    }

    /** One label. */
    public Builder label(String key, String value) {
      labels.put(requireNonNull(key, "key"), requireNonNull(value, "value"));
      return this;
    }

    /** Longest running time of one attempt. */
    public Builder timeLimit(Duration limit) {
      timeLimit = requireNonNull(limit, "limit");
      return this;
    }

    /** Time between the request to stop and SIGKILL. */
    public Builder grace(Duration value) {
      grace = requireNonNull(value, "grace");
      return this;
    }

    /** Silence of a node after which the attempt may be started elsewhere. */
    public Builder lostAfter(Duration silence) {
      lostAfter = requireNonNull(silence, "silence");
      return this;
    }

    /** Never start elsewhere what runs on a silent node. */
    public Builder lostNever() {
      lostNever = true;
      return this;
    }

    /** Suggested interval between the job's own checkpoints. */
    public Builder checkpointEvery(Duration interval) {
      checkpointEvery = requireNonNull(interval, "interval");
      return this;
    }

    /** The job reads checkpoint requests. */
    public Builder onDemandCheckpoint() {
      onDemandCheckpoint = true;
      return this;
    }

    /** Retries after a failed attempt, 0 (the default) to 10. */
    public Builder retries(int count) {
      retries = count;
      return this;
    }

    /**
     * Retry only attempts that end with one of these exit codes, 1 to 255. An exit by a signal
     * counts as 128 plus its number.
     */
    public Builder retryExitCodes(int... exitCodes) {
      Arrays.stream(exitCodes).forEach(retryExitCodes::add);
      return this;
    }

    /** Never retry attempts that end with one of these exit codes, 1 to 255. */
    public Builder failExitCodes(int... exitCodes) {
      Arrays.stream(exitCodes).forEach(failExitCodes::add);
      return this;
    }

    /** Preemptions after which the next one fails the job; 0: the first one fails it. */
    public Builder preemptionRetriesBeforeTermination(int count) {
      preemptionRetries = count;
      return this;
    }

    /** Run only within the share's own limit. */
    public Builder neverBorrow() {
      borrow = BorrowMode.NEVER;
      return this;
    }

    /** Accept the job even if it can never run as things are. */
    public Builder allowInfeasible() {
      allowInfeasible = true;
      return this;
    }

    /** What is wrong with the values so far, as far as it can be known here. */
    public List<FieldProblem> problems() {
      return JobSpecRules.check(spec());
    }

    /**
     * The finished description.
     *
     * @throws IllegalArgumentException naming every field, its value and what was expected
     */
    public JobSpec build() {
      JobSpec spec = spec();
      List<FieldProblem> problems = JobSpecRules.check(spec);
      if (!problems.isEmpty()) {
        throw new IllegalArgumentException(
            String.join("; ", problems.stream().map(FieldProblem::toString).toList()));
      }
      return spec;
    }

    private JobSpec spec() {
      return new JobSpec(
          queue,
          share,
          displayName,
          nodes,
          gpusPerNode,
          gpus,
          unit,
          priority,
          command,
          env,
          workingDirectory,
          labels,
          timeLimit,
          grace,
          lostAfter,
          lostNever,
          checkpointEvery,
          onDemandCheckpoint,
          retries,
          retryExitCodes,
          failExitCodes,
          preemptionRetries,
          borrow,
          allowInfeasible);
    }
  }
}
