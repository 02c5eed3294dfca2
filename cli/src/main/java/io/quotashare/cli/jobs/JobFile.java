package io.quotashare.cli.jobs;

import io.quotashare.cli.yaml.Durations;
import io.quotashare.cli.yaml.InvalidFileException;
import io.quotashare.cli.yaml.StrictYaml;
import io.quotashare.cli.yaml.YamlMap;
import io.quotashare.cli.yaml.YamlProblems;
import io.quotashare.cli.yaml.YamlValue;
import io.quotashare.client.JobSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job as a file describes it, {@code submit -f job.yaml}. The keys are those of a job in a
 * scenario, and those that only real processes need.
 */
final class JobFile {
  private static final Set<String> KEYS =
      Set.of(
          "queue",
          "share",
          "id",
          "name",
          "gpus",
          "nodes",
          "gpusPerNode",
          "unit",
          "priority",
          "labels",
          "env",
          "workingDirectory",
          "timeLimit",
          "grace",
          "lostAfter",
          "checkpointEvery",
          "onDemandCheckpoint",
          "retries",
          "retryExitCodes",
          "failExitCodes",
          "preemptionRetriesBeforeTermination",
          "borrow",
          "allowInfeasible",
          "command");

  /** More jobs in one file are refused, as the scheduler refuses them in one call. */
  static final int MAX_JOBS = 1000;

  private static final int ANY = Integer.MAX_VALUE;
  private static final Duration MILLI = Duration.ofMillis(1);

  private final YamlMap map;

  private JobFile(YamlMap map) {
    this.map = map;
  }

  /**
   * Reads the file, one job a document, and fills in what the flags left open: flags win.
   *
   * @return the flags of each job, in the order of the file
   * @throws InvalidFileException with all problems of the file
   */
  static List<JobFlags> read(JobFlags flags, Path file) {
    YamlProblems problems = new YamlProblems(file.toString());
    List<JobFlags> jobs = new ArrayList<>();
    for (YamlValue document : StrictYaml.readDocuments(file, MAX_JOBS, problems)) {
      JobFlags job = flags.copy();
      document.asMap(KEYS).ifPresent(map -> new JobFile(map).fill(job));
      jobs.add(job);
    }
    problems.throwIfAny();
    return jobs;
  }

  private void fill(JobFlags flags) {
    flags.queue = or(flags.queue, map.string("queue"));
    flags.share = or(flags.share, map.string("share"));
    flags.id = or(flags.id, map.string("id"));
    flags.name = or(flags.name, map.string("name"));
    fillShape(flags);
    flags.unit = or(flags.unit, map.string("unit"));
    flags.priority =
        or(flags.priority, map.integer("priority", JobSpec.MIN_PRIORITY, JobSpec.MAX_PRIORITY));
    map.get("labels")
        .flatMap(YamlValue::asStringMap)
        .ifPresent(labels -> labels.forEach(flags.labels::putIfAbsent));
    map.get("env")
        .flatMap(YamlValue::asStringMap)
        .ifPresent(env -> env.forEach(flags.env::putIfAbsent));
    flags.workingDirectory = or(flags.workingDirectory, map.string("workingDirectory"));
    flags.timeLimit = or(flags.timeLimit, map.duration("timeLimit", MILLI));
    flags.grace = or(flags.grace, map.duration("grace", Duration.ZERO));
    flags.lostAfter = or(flags.lostAfter, lostAfter());
    flags.checkpointEvery = or(flags.checkpointEvery, map.duration("checkpointEvery", MILLI));
    flags.onDemandCheckpoint = or(flags.onDemandCheckpoint, map.bool("onDemandCheckpoint"));
    flags.retries = or(flags.retries, map.integer("retries", 0, 10));
    fillExitCodes("retryExitCodes", flags.retryExitCodes);
    fillExitCodes("failExitCodes", flags.failExitCodes);
    flags.preemptionRetries =
        or(flags.preemptionRetries, map.integer("preemptionRetriesBeforeTermination", 0, ANY));
    flags.neverBorrow = or(flags.neverBorrow, neverBorrow());
    flags.allowInfeasible = or(flags.allowInfeasible, map.bool("allowInfeasible"));
    Optional<List<String>> command = map.get("command").flatMap(YamlValue::asStrings);
    if (flags.command.isEmpty()) {
      command.ifPresent(words -> flags.command = words);
    }
  }

  private void fillExitCodes(String key, List<Integer> flag) {
    Optional<List<YamlValue>> codes = map.get(key).flatMap(YamlValue::asList);
    if (flag.isEmpty()) {
      codes.ifPresent(all -> all.forEach(code -> code.asInt(1, 255).ifPresent(flag::add)));
    }
  }

  /** A shape on the command line replaces that of the file whole: gpus and nodes contradict. */
  private void fillShape(JobFlags flags) {
    Optional<Integer> gpus = map.integer("gpus", 1, 4096 * 10_000);
    Optional<Integer> nodes = map.integer("nodes", 1, 4096);
    Optional<Integer> gpusPerNode = map.integer("gpusPerNode", 1, 10_000);
    if (flags.gpus == null && flags.nodes == null && flags.gpusPerNode == null) {
      flags.gpus = gpus.orElse(null);
      flags.nodes = nodes.orElse(null);
      flags.gpusPerNode = gpusPerNode.orElse(null);
    }
  }

  private Optional<String> lostAfter() {
    Optional<YamlValue> value = map.get("lostAfter");
    Optional<String> text = value.flatMap(YamlValue::asString);
    if (text.isPresent() && !text.get().equals(JobFlags.NEVER)) {
      return value.flatMap(v -> v.asDuration(MILLI)).map(Durations::format);
    }
    return text;
  }

  private Optional<Boolean> neverBorrow() {
    return map.get("borrow")
        .flatMap(value -> value.asChoice(List.of("ALLOWED", "NEVER")))
        .map("NEVER"::equals);
  }

  private static <T> @Nullable T or(@Nullable T flag, Optional<T> inFile) {
    return flag == null ? inFile.orElse(null) : flag;
  }
}
