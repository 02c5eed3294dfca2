package io.quotashare.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What can be known of a job's description without asking the scheduler. Ranges and expectations
 * are those of the scheduler, word for word; a test compares them.
 */
final class JobSpecRules {
  private static final int MAX_NAME_LENGTH = 128;
  private static final int MAX_NODES = 4096;
  private static final int MAX_GPUS_PER_NODE = 10_000;
  private static final int MAX_COMMAND_WORDS = 4096;
  private static final int MAX_ENV = 256;
  private static final int MAX_LABELS = 64;
  private static final int MAX_RETRIES = 10;

  /** What Linux takes for one argument, its end included. */
  private static final int MAX_STRING_BYTES = 128 * 1024 - 1;

  /** Command and environment together. */
  private static final int MAX_TOTAL_BYTES = 512 * 1024;

  private static final int MAX_LABEL_VALUE_LENGTH = 128;
  private static final int MAX_PATH_LENGTH = 4096;
  private static final int MAX_SHOWN = 64;
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final Duration MAX_GRACE = Duration.ofHours(24);
  private static final Duration TEN_YEARS = Duration.ofDays(3650);

  private static final Pattern UNIT = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9._+]{0,62}");
  private static final Pattern ENV_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,254}");
  private static final Pattern LABEL_KEY =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9._/]{0,61}[A-Za-z0-9])?");

  /** Set by the agent for every attempt. */
  private static final Set<String> AGENT_VARIABLES =
      Set.of(
          "CUDA_VISIBLE_DEVICES",
          "CUDA_DEVICE_ORDER",
          "NVIDIA_VISIBLE_DEVICES",
          "MASTER_ADDR",
          "MASTER_PORT");

  /** The scheduler's own, and what would change what the supervisor runs. */
  private static final List<String> REFUSED_PREFIXES = List.of("QS_", "LD_");

  private final List<FieldProblem> found = new ArrayList<>();

  private static final int MAX_EXIT_CODES = 64;

  private JobSpecRules() {}

  static List<FieldProblem> check(JobSpec spec) {
    JobSpecRules rules = new JobSpecRules();
    rules.id("queue", spec.queue());
    rules.id("share", spec.share());
    if (!isLine(spec.displayName(), MAX_NAME_LENGTH)) {
      rules.expected(
          "name", spec.displayName(), "one line of at most " + MAX_NAME_LENGTH + " characters");
    }
    if (!spec.unit().isEmpty() && !UNIT.matcher(spec.unit()).matches()) {
      rules.expected("unit", spec.unit(), "1 to 63 letters, digits, - . _ +, such as H100-1g.10gb");
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
      add("gpus", spec.gpus() + " together with nodes or gpusPerNode, expected one of the two");
    } else if (spec.gpus() == null && !shaped) {
      add("gpus", "unset, expected gpus, or nodes and gpusPerNode");
    } else if (shaped && spec.gpusPerNode() == null) {
      add("gpusPerNode", "unset, expected gpus, or nodes and gpusPerNode");
    }
    range("gpus", spec.gpus(), 1, MAX_NODES * MAX_GPUS_PER_NODE);
    range("nodes", spec.nodes(), 1, MAX_NODES);
    range("gpusPerNode", spec.gpusPerNode(), 1, MAX_GPUS_PER_NODE);
  }

  private void command(List<String> command) {
    if (command.isEmpty() || command.size() > MAX_COMMAND_WORDS) {
      counted(
          "command",
          command.size() + " entries",
          "a program and its arguments, 1 to " + MAX_COMMAND_WORDS + " entries");
      return;
    }
    if (command.get(0).isBlank()) {
      expected("command[0]", "empty", "a program");
    }
    for (int i = 0; i < command.size(); i++) {
      word("command[" + i + "]", command.get(i));
    }
  }

  /** Says the length alone: a value may be a secret. */
  private void word(String field, String value) {
    boolean hasNul = value.indexOf('\0') >= 0;
    if (hasNul || bytes(value) > MAX_STRING_BYTES) {
      counted(
          field,
          bytes(value) + " bytes" + (hasNul ? " with a NUL" : ""),
          "no NUL, at most " + MAX_STRING_BYTES + " bytes");
    }
  }

  private void maps(JobSpec spec) {
    env(spec.env());
    long total = 0;
    for (String word : spec.command()) {
      total += bytes(word) + 1;
    }
    for (Map.Entry<String, String> entry : spec.env().entrySet()) {
      total += bytes(entry.getKey()) + bytes(entry.getValue()) + 2;
    }
    if (total > MAX_TOTAL_BYTES) {
      counted("command", total + " bytes together with env", "at most " + MAX_TOTAL_BYTES);
    }
    labels(spec.labels());
    String folder = spec.workingDirectory();
    if (!folder.isEmpty() && !(folder.startsWith("/") && isLine(folder, MAX_PATH_LENGTH))) {
      expected(
          "workingDirectory",
          folder,
          "an absolute path of at most " + MAX_PATH_LENGTH + " characters");
    }
  }

  private void env(Map<String, String> env) {
    if (env.size() > MAX_ENV) {
      counted("env", env.size() + " entries", "at most " + MAX_ENV);
    }
    env.forEach(
        (key, value) -> {
          String field = "env[" + key + "]";
          if (!ENV_NAME.matcher(key).matches()) {
            expected(field, key, "a name of letters, digits and _, not beginning with a digit");
          } else if (AGENT_VARIABLES.contains(key)
              || REFUSED_PREFIXES.stream().anyMatch(key::startsWith)) {
            add(field, key + " is set by the scheduler or refused, expected another");
          }
          word(field, value);
        });
  }

  private void labels(Map<String, String> labels) {
    if (labels.size() > MAX_LABELS) {
      counted("labels", labels.size() + " entries", "at most " + MAX_LABELS);
    }
    labels.forEach(
        (key, value) -> {
          String field = "labels[" + key + "]";
          if (!LABEL_KEY.matcher(key).matches()) {
            expected(
                field,
                key,
                "a key of 1 to 63 letters, digits, - . _ /, ending in letters or digits");
          }
          if (!isLine(value, MAX_LABEL_VALUE_LENGTH)) {
            expected(field, value, "one line of at most " + MAX_LABEL_VALUE_LENGTH + " characters");
          }
        });
  }

  private void times(JobSpec spec) {
    span("timeLimit", spec.timeLimit(), Duration.ofMillis(1), TEN_YEARS);
    span("grace", spec.grace(), Duration.ZERO, MAX_GRACE);
    span("lostAfter", spec.lostAfter(), Duration.ofSeconds(1), TEN_YEARS);
    span("checkpointEvery", spec.checkpointEvery(), Duration.ofMillis(1), TEN_YEARS);
    if (spec.lostNever() && spec.lostAfter() != null) {
      add("lostAfter", "set together with lostNever, expected one of the two");
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

  private void span(String field, @Nullable Duration value, Duration min, Duration max) {
    if (value != null
        && (value.compareTo(min) < 0
            || value.compareTo(max) > 0
            || value.toNanosPart() % NANOS_PER_MILLI != 0)) {
      expected(
          field,
          value.toString(),
          inWords(min) + " to " + inWords(max) + ", in whole milliseconds");
    }
  }

  private static String inWords(Duration span) {
    return span.toMillis() % 1000 == 0 ? span.toSeconds() + " s" : span.toMillis() + " ms";
  }

  private static boolean isLine(String text, int max) {
    return text.length() <= max && text.codePoints().noneMatch(Character::isISOControl);
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private void range(String field, @Nullable Integer value, int min, int max) {
    if (value != null && (value < min || value > max)) {
      String top = max == Integer.MAX_VALUE ? " or more" : " to " + max;
      add(field, value + " is not valid here, expected " + min + top);
    }
  }

  private void expected(String field, String value, String expectation) {
    String shown = value.isEmpty() ? "empty" : value;
    String cut = shown.length() <= MAX_SHOWN ? shown : shown.substring(0, MAX_SHOWN) + "...";
    add(field, cut + " is not valid here, expected " + expectation);
  }

  private void counted(String field, String count, String expectation) {
    add(field, count + ", expected " + expectation);
  }

  private void add(String field, String message) {
    found.add(new FieldProblem(field, message));
  }
}
