package io.quotashare.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What can be known of a job's description without asking the scheduler. */
final class JobSpecRules {
  private static final int MAX_NAME_LENGTH = 128;
  private static final int MAX_NODES = 4096;
  private static final int MAX_GPUS_PER_NODE = 10_000;
  private static final int MAX_COMMAND_WORDS = 4096;
  private static final int MAX_ENV = 256;
  private static final int MAX_LABELS = 64;
  private static final int MAX_RETRIES = 10;

  private static final Pattern ENV_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** The prefix of the variables that the node agent sets. */
  private static final String OWN_ENV_PREFIX = "QS_";

  private final List<FieldProblem> found = new ArrayList<>();

  private static final int MAX_EXIT_CODES = 64;

  private JobSpecRules() {}

  static List<FieldProblem> check(JobSpec spec) {
    JobSpecRules rules = new JobSpecRules();
    rules.id("queue", spec.queue());
    rules.id("share", spec.share());
    if (spec.displayName().length() > MAX_NAME_LENGTH) {
      rules.add(
          "name", spec.displayName().length() + " characters, expected at most " + MAX_NAME_LENGTH);
    }
    rules.shape(spec);
    if (spec.priority() < JobSpec.MIN_PRIORITY || spec.priority() > JobSpec.MAX_PRIORITY) {
      rules.found.add(priorityProblem(spec.priority()));
    }
    rules.command(spec.command());
    rules.maps(spec);
    rules.times(spec);
    rules.range("retries", spec.retries(), 0, MAX_RETRIES);
    rules.exitCodes(spec);
    Integer budget = spec.preemptionRetriesBeforeTermination();
    if (budget != null) {
      rules.range("preemptionRetriesBeforeTermination", budget, 0, Integer.MAX_VALUE);
    }
    return List.copyOf(rules.found);
  }

  static FieldProblem priorityProblem(int priority) {
    return new FieldProblem(
        "priority",
        priority
            + " is not valid here, expected "
            + JobSpec.MIN_PRIORITY
            + " to "
            + JobSpec.MAX_PRIORITY);
  }

  private void shape(JobSpec spec) {
    boolean shaped = spec.nodes() != null || spec.gpusPerNode() != null;
    if (spec.gpus() != null && shaped) {
      add("gpus", "given together with nodes and gpusPerNode, expected one of the two");
    } else if (spec.gpus() == null && !shaped) {
      add("gpus", "missing, expected the number of devices, or nodes and gpusPerNode");
    } else if (shaped && spec.gpusPerNode() == null) {
      add("gpusPerNode", "missing, expected it together with nodes");
    }
    range("gpus", spec.gpus(), 1, MAX_NODES * MAX_GPUS_PER_NODE);
    range("nodes", spec.nodes(), 1, MAX_NODES);
    range("gpusPerNode", spec.gpusPerNode(), 1, MAX_GPUS_PER_NODE);
  }

  private void command(List<String> command) {
    if (command.isEmpty()) {
      add("command", "empty, expected a program and its arguments");
    } else if (command.get(0).isEmpty()) {
      add("command", "the program has no name");
    }
    if (command.size() > MAX_COMMAND_WORDS) {
      add("command", command.size() + " words, expected at most " + MAX_COMMAND_WORDS);
    }
    if (command.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
      add("command", "a word has a NUL character, which no program can be given");
    }
  }

  private void maps(JobSpec spec) {
    if (spec.env().size() > MAX_ENV) {
      add("env", spec.env().size() + " variables, expected at most " + MAX_ENV);
    }
    spec.env()
        .forEach(
            (key, value) -> {
              if (!ENV_NAME.matcher(key).matches()) {
                add("env", "\"" + key + "\" is not a name, expected letters, digits and _");
              } else if (key.startsWith(OWN_ENV_PREFIX)) {
                add("env", key + " is refused: names with QS_ are the scheduler's own");
              }
              if (value.indexOf('\0') >= 0) {
                add("env", key + " has a NUL character in its value");
              }
            });
    if (spec.labels().size() > MAX_LABELS) {
      add("labels", spec.labels().size() + " labels, expected at most " + MAX_LABELS);
    }
    if (spec.labels().keySet().stream().anyMatch(String::isBlank)) {
      add("labels", "a label has no name");
    }
    String folder = spec.workingDirectory();
    if (!folder.isEmpty() && !folder.startsWith("/")) {
      add("workingDirectory", "\"" + folder + "\" is not absolute, expected a path from / on");
    }
  }

  private void times(JobSpec spec) {
    positive("timeLimit", spec.timeLimit());
    positive("lostAfter", spec.lostAfter());
    positive("checkpointEvery", spec.checkpointEvery());
    if (spec.grace() != null && spec.grace().isNegative()) {
      add("grace", spec.grace() + " is not valid here, expected 0 or more");
    }
    if (spec.lostNever() && spec.lostAfter() != null) {
      add("lostAfter", "given together with lostNever, expected one of the two");
    }
  }

  private void exitCodes(JobSpec spec) {
    if (!spec.retryExitCodes().isEmpty() && !spec.failExitCodes().isEmpty()) {
      add("failExitCodes", "given together with retryExitCodes, expected one of the two");
    }
    exitCodes("retryExitCodes", spec.retryExitCodes());
    exitCodes("failExitCodes", spec.failExitCodes());
  }

  private void exitCodes(String field, Set<Integer> codes) {
    if (codes.size() > MAX_EXIT_CODES) {
      add(field, codes.size() + " exit codes, expected at most " + MAX_EXIT_CODES);
    }
    codes.forEach(code -> range(field, code, 1, 255));
  }

  private void id(String field, String value) {
    try {
      ResourceNames.id(field, value);
    } catch (IllegalArgumentException e) {
      add(field, "\"" + value + "\" is not a name, expected text without / and outer blanks");
    }
  }

  private void positive(String field, @Nullable Duration value) {
    if (value != null && (value.isNegative() || value.isZero())) {
      add(field, value + " is not valid here, expected more than 0");
    }
  }

  private void range(String field, @Nullable Integer value, int min, int max) {
    if (value != null && (value < min || value > max)) {
      String top = max == Integer.MAX_VALUE ? " or more" : " to " + max;
      add(field, value + " is not valid here, expected " + min + top);
    }
  }

  private void add(String field, String message) {
    found.add(new FieldProblem(field, message));
  }
}
