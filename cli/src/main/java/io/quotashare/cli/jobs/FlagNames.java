package io.quotashare.cli.jobs;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The flags of {@code submit} by the fields of a job that they stand for. */
final class FlagNames {
  private static final Map<String, String> FLAGS = new LinkedHashMap<>();

  static {
    FLAGS.put("queue", "--queue");
    FLAGS.put("share", "--share");
    FLAGS.put("jobId", "--id");
    FLAGS.put("displayName", "--name");
    FLAGS.put("gpus", "--gpus");
    FLAGS.put("nodes", "--nodes");
    FLAGS.put("gpusPerNode", "--gpus-per-node");
    FLAGS.put("unit", "--unit");
    FLAGS.put("priority", "--priority");
    FLAGS.put("labels", "--label");
    FLAGS.put("env", "--env");
    FLAGS.put("workingDirectory", "--workdir");
    FLAGS.put("timeLimit", "--time-limit");
    FLAGS.put("grace", "--grace");
    FLAGS.put("lostAfter", "--lost-after");
    FLAGS.put("checkpointEvery", "--checkpoint-every");
    FLAGS.put("onDemandCheckpoint", "--on-demand-checkpoint");
    FLAGS.put("retries", "--retries");
    FLAGS.put("retryExitCodes", "--retry-on");
    FLAGS.put("failExitCodes", "--fail-on");
    FLAGS.put("preemptionRetriesBeforeTermination", "--preemption-retries");
    FLAGS.put("borrow", "--no-borrow");
    FLAGS.put("allowInfeasible", "--allow-infeasible");
  }

  /** The field that a message begins with, as the client or the scheduler writes it. */
  private static final Pattern FIRST =
      Pattern.compile("(?<start>^|; )(?:spec\\.)?(?<field>[a-z][A-Za-z_]*)(?=[:.\\[])");

  /** A field inside a sentence: only words that could not be plain English. */
  private static final Pattern INSIDE = Pattern.compile("(?<![-\\w])[a-z]+(?:[A-Z][a-z]+)+\\b");

  private FlagNames() {}

  /** The message with flags in place of fields. */
  static String in(String message) {
    String first =
        FIRST
            .matcher(
                message
                    .replace("nodes and gpusPerNode", "--nodes and --gpus-per-node")
                    .replace("nodes or gpusPerNode", "--nodes or --gpus-per-node"))
            .replaceAll(m -> Matcher.quoteReplacement(m.group(1) + flag(m.group(2))));
    return INSIDE.matcher(first).replaceAll(m -> Matcher.quoteReplacement(flag(m.group())));
  }

  private static String flag(String field) {
    return FLAGS.getOrDefault(camel(field), field);
  }

  /** The scheduler writes fields as the contract does: {@code gpus_per_node}. */
  private static String camel(String field) {
    return Pattern.compile("_([a-z])")
        .matcher(field)
        .replaceAll(m -> m.group(1).toUpperCase(Locale.ROOT));
  }
}
