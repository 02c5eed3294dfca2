package io.quotashare.cli.jobs;

import io.quotashare.cli.UsageException;
import io.quotashare.cli.yaml.Durations;
import io.quotashare.client.FieldProblem;
import io.quotashare.client.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What a job is, from the flags of {@code submit} and the file of {@code -f}; null where unsaid.
 */
final class JobFlags {
  static final String NEVER = "never";

  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description = "Queue. Default: QUOTASHARE_QUEUE, else the context's, else the only one.")
  @Nullable String queue;

  @Option(
      names = "--share",
      paramLabel = "SHARE",
      description = "Share that is charged. Default: QUOTASHARE_SHARE, else the context's.")
  @Nullable String share;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "Id of your choice, 1 to 63 of a-z, 0-9 and - inside. Default: made by the scheduler.")
  @Nullable String id;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name for people, up to 128 characters. Default: the id.")
  @Nullable String name;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      description =
          "Devices in total, 1 or more; the scheduler makes the shape. No default: this, or"
              + " --nodes and --gpus-per-node.")
  @Nullable Integer gpus;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Distinct nodes of the gang, 1 to 4096. Default: 1.")
  @Nullable Integer nodes;

  @Option(
      names = "--gpus-per-node",
      paramLabel = "N",
      description = "Devices on each node, 1 to 10000. No default: this, or --gpus.")
  @Nullable Integer gpusPerNode;

  @Option(
      names = "--unit",
      paramLabel = "UNIT",
      description = "Capacity unit such as H100. Default: the queue's only one.")
  @Nullable String unit;

  @Option(
      names = "--priority",
      paramLabel = "N",
      description = "0 to 9999, higher goes first inside the share. Default: 0.")
  @Nullable Integer priority;

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "Label for filters; may be given several times.")
  final Map<String, String> labels = new TreeMap<>();

  @Option(
      names = "--env",
      paramLabel = "KEY=VALUE",
      description = "Variable of its environment; may be given several times.")
  final Map<String, String> env = new TreeMap<>();

  @Option(
      names = "--workdir",
      paramLabel = "PATH",
      description = "Absolute working directory. Default: a folder of the attempt's own.")
  @Nullable String workingDirectory;

  @Option(
      names = "--time-limit",
      paramLabel = "DURATION",
      description = "Longest running time of one attempt. Default: none.")
  @Nullable Duration timeLimit;

  @Option(
      names = "--grace",
      paramLabel = "DURATION",
      description =
          "Time from the request to stop to SIGKILL, at most the queue's longest. Default: 60s.")
  @Nullable Duration grace;

  @Option(
      names = "--lost-after",
      paramLabel = "DURATION|never",
      description = "Silence of its node before it may start elsewhere. Default: the scheduler's.")
  @Nullable String lostAfter;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "DURATION",
      description = "Suggested interval between its own checkpoints. Default: none is suggested.")
  @Nullable Duration checkpointEvery;

  @Option(
      names = "--on-demand-checkpoint",
      negatable = true,
      description =
          "It reads requests to save, so that it loses no work when it is stopped. Default: no.")
  @Nullable Boolean onDemandCheckpoint;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "Retries after a failed attempt, 0 to 10; preemption uses none. Default: 0.")
  @Nullable Integer retries;

  @Option(
      names = "--retry-on",
      paramLabel = "CODE",
      split = ",",
      description =
          "Retry only these exit codes, 1 to 255; a signal counts as 128 plus its number. Default:"
              + " every failure.")
  List<Integer> retryExitCodes = new ArrayList<>();

  @Option(
      names = "--fail-on",
      paramLabel = "CODE",
      split = ",",
      description = "Never retry these exit codes, 1 to 255. Not together with --retry-on.")
  List<Integer> failExitCodes = new ArrayList<>();

  @Option(
      names = "--preemption-retries",
      paramLabel = "N",
      description = "Preemptions after which the next one fails it, 0 or more. Default: no limit.")
  @Nullable Integer preemptionRetries;

  @Option(
      names = "--no-borrow",
      description = "Run only within the share's own limit: rather wait than be reclaimed.")
  @Nullable Boolean neverBorrow;

  @Option(
      names = "--allow-infeasible",
      description = "Accept it even if it can never run as things are.")
  @Nullable Boolean allowInfeasible;

  @Parameters(
      paramLabel = "COMMAND ARGS",
      arity = "0..*",
      description = "Program and arguments, after --; never passed through a shell.")
  List<String> command = new ArrayList<>();

  /** The same again, to be filled from another document of a file. */
  JobFlags copy() {
    JobFlags copy = new JobFlags();
    copy.queue = queue;
    copy.share = share;
    copy.id = id;
    copy.name = name;
    copy.gpus = gpus;
    copy.nodes = nodes;
    copy.gpusPerNode = gpusPerNode;
    copy.unit = unit;
    copy.priority = priority;
    copy.labels.putAll(labels);
    copy.env.putAll(env);
    copy.workingDirectory = workingDirectory;
    copy.timeLimit = timeLimit;
    copy.grace = grace;
    copy.lostAfter = lostAfter;
    copy.checkpointEvery = checkpointEvery;
    copy.onDemandCheckpoint = onDemandCheckpoint;
    copy.retries = retries;
    copy.retryExitCodes = new ArrayList<>(retryExitCodes);
    copy.failExitCodes = new ArrayList<>(failExitCodes);
    copy.preemptionRetries = preemptionRetries;
    copy.neverBorrow = neverBorrow;
    copy.allowInfeasible = allowInfeasible;
    copy.command = new ArrayList<>(command);
    return copy;
  }

  /**
   * The description.
   *
   * @throws UsageException naming every flag that is missing or wrong
   */
  JobSpec toSpec(String resolvedQueue) {
    if (share == null) {
      throw new UsageException(
          "--share is missing: name the share that is charged, here, in QUOTASHARE_SHARE or in a"
              + " context");
    }
    JobSpec.Builder builder = JobSpec.builder(resolvedQueue, share);
    shape(builder);
    set(name, builder::name);
    set(unit, builder::unit);
    set(priority, builder::priority);
    set(workingDirectory, builder::workingDirectory);
    set(timeLimit, builder::timeLimit);
    set(grace, builder::grace);
    set(checkpointEvery, builder::checkpointEvery);
    set(retries, builder::retries);
    retryExitCodes.forEach(builder::retryExitCodes);
    failExitCodes.forEach(builder::failExitCodes);
    set(preemptionRetries, builder::preemptionRetriesBeforeTermination);
    labels.forEach(builder::label);
    env.forEach(builder::env);
    builder.command(command);
    when(onDemandCheckpoint, builder::onDemandCheckpoint);
    when(neverBorrow, builder::neverBorrow);
    when(allowInfeasible, builder::allowInfeasible);
    lostAfter(builder);
    List<FieldProblem> problems = builder.problems();
    if (!problems.isEmpty()) {
      throw new UsageException(
          problems.stream().map(FieldProblem::toString).collect(Collectors.joining("; ")));
    }
    return builder.build();
  }

  private void shape(JobSpec.Builder builder) {
    set(gpus, builder::gpus);
    if (gpusPerNode != null) {
      builder.shape(nodes == null ? 1 : nodes, gpusPerNode);
    } else if (nodes != null) {
      throw new UsageException("--gpus-per-node is missing: it goes with --nodes");
    }
  }

  private void lostAfter(JobSpec.Builder builder) {
    if (lostAfter == null) {
      return;
    }
    if (lostAfter.equals(NEVER)) {
      builder.lostNever();
      return;
    }
    try {
      builder.lostAfter(Durations.parse(lostAfter));
    } catch (IllegalArgumentException e) {
      throw new UsageException("--lost-after: " + e.getMessage() + ", or " + NEVER);
    }
  }

  private static <T> void set(@Nullable T value, java.util.function.Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }

  private static void when(@Nullable Boolean value, Runnable setter) {
    if (Boolean.TRUE.equals(value)) {
      setter.run();
    }
  }
}
