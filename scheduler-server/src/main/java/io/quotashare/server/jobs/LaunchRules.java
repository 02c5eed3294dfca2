package io.quotashare.server.jobs;

import io.quotashare.proto.v1.JobSpec;
import io.quotashare.server.grpc.FieldChecks;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What a command, its environment, its directory and its labels may look like. */
final class LaunchRules {
  static final int MAX_COMMAND_ENTRIES = 4096;

  /** What Linux takes for one argument (MAX_ARG_STRLEN), its end included. */
  static final int MAX_STRING_BYTES = 128 * 1024 - 1;

  /** Command and environment together. */
  static final int MAX_TOTAL_BYTES = 512 * 1024;

  static final int MAX_ENV_ENTRIES = 256;
  static final int MAX_LABELS = 64;
  static final int MAX_LABEL_VALUE_LENGTH = 128;
  static final int MAX_PATH_LENGTH = 4096;

  private static final Pattern ENV_KEY = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,254}");
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

  /** {@code QS_}: the scheduler's own. {@code LD_}: would change what the supervisor runs. */
  private static final List<String> REFUSED_PREFIXES = List.of("QS_", "LD_");

  private LaunchRules() {}

  static void check(JobSpec spec, FieldChecks checks) {
    command(spec.getCommandList(), checks);
    env(spec.getEnvMap(), checks);
    long total = 0;
    for (String word : spec.getCommandList()) {
      total += bytes(word) + 1;
    }
    for (Map.Entry<String, String> entry : spec.getEnvMap().entrySet()) {
      total += bytes(entry.getKey()) + bytes(entry.getValue()) + 2;
    }
    checks.check(
        total <= MAX_TOTAL_BYTES,
        "command",
        total + " bytes together with env",
        "at most " + MAX_TOTAL_BYTES);
    directory(spec.getWorkingDirectory(), checks);
    labels(spec.getLabelsMap(), checks);
  }

  private static void command(List<String> command, FieldChecks checks) {
    if (!checks.check(
        !command.isEmpty() && command.size() <= MAX_COMMAND_ENTRIES,
        "command",
        command.size() + " entries",
        "a program and its arguments, 1 to " + MAX_COMMAND_ENTRIES + " entries")) {
      return;
    }
    checks.check(!command.get(0).isBlank(), "command[0]", command.get(0), "a program");
    for (int i = 0; i < command.size(); i++) {
      value("command[" + i + "]", command.get(i), checks);
    }
  }

  private static void env(Map<String, String> env, FieldChecks checks) {
    checks.check(
        env.size() <= MAX_ENV_ENTRIES,
        "env",
        env.size() + " entries",
        "at most " + MAX_ENV_ENTRIES);
    env.forEach(
        (key, value) -> {
          String field = "env[" + FieldChecks.shown(key) + "]";
          boolean named =
              checks.check(
                  ENV_KEY.matcher(key).matches(),
                  field,
                  key,
                  "a name of letters, digits and _, not beginning with a digit");
          if (named && isReserved(key)) {
            checks.reject(field, key + " is set by the scheduler or refused (expected: another)");
          }
          value(field, value, checks);
        });
  }

  private static boolean isReserved(String key) {
    return AGENT_VARIABLES.contains(key) || REFUSED_PREFIXES.stream().anyMatch(key::startsWith);
  }

  /** Names the length alone: a value may be a secret. */
  private static void value(String field, String value, FieldChecks checks) {
    boolean hasNul = value.indexOf('\0') >= 0;
    checks.check(
        !hasNul && bytes(value) <= MAX_STRING_BYTES,
        field,
        bytes(value) + " bytes" + (hasNul ? " with a NUL" : ""),
        "no NUL, at most " + MAX_STRING_BYTES + " bytes");
  }

  private static void directory(String directory, FieldChecks checks) {
    checks.check(
        directory.isEmpty()
            || (directory.startsWith("/")
                && directory.length() <= MAX_PATH_LENGTH
                && JobSpecReader.isOneLine(directory)),
        "working_directory",
        directory,
        "an absolute path of at most " + MAX_PATH_LENGTH + " characters");
  }

  /** What labels of jobs may look like, also where a filter looks for them. */
  static void labels(Map<String, String> labels, FieldChecks checks) {
    checks.check(
        labels.size() <= MAX_LABELS, "labels", labels.size() + " entries", "at most " + MAX_LABELS);
    labels.forEach(
        (key, value) -> {
          String field = "labels[" + FieldChecks.shown(key) + "]";
          checks.check(
              LABEL_KEY.matcher(key).matches(),
              field,
              key,
              "a key of 1 to 63 letters, digits, - . _ /, ending in letters or digits");
          checks.check(
              value.length() <= MAX_LABEL_VALUE_LENGTH && JobSpecReader.isOneLine(value),
              field,
              value,
              "one line of at most " + MAX_LABEL_VALUE_LENGTH + " characters");
        });
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
