package io.quotashare.agent.attempt;

import com.google.protobuf.Duration;
import io.quotashare.proto.agent.v1.StartAttempt;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks start commands (reliability-and-security Z9, Z12, Z13). */
final class StartCommands {
  static final int ARGUMENTS_MAX = 4096;
  static final int ENVIRONMENT_MAX = 256;
  static final int DEVICES_MAX = 256;

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern UUID = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9_.]{0,95}");

  /** Set by the agent alone; also what a launcher sets for its own children. */
  private static final Set<String> RESERVED =
      Set.of(
          "CUDA_VISIBLE_DEVICES",
          "CUDA_DEVICE_ORDER",
          "NVIDIA_VISIBLE_DEVICES",
          "MASTER_ADDR",
          "MASTER_PORT");

  private static final List<String> RESERVED_PREFIXES = List.of("LD_", "QS_");

  private StartCommands() {}

  /**
   * The durable part of a command.
   *
   * @throws StartRefusedException with the first field that is not as it should be
   */
  static AttemptSpec check(AttemptName name, StartAttempt command) throws StartRefusedException {
    checkCommand(command.getCommandList());
    checkEnvironment(command.getEnvMap());
    checkDevices(command.getDeviceUuidsList());
    checkWorkingDirectory(command.getWorkingDirectory());
    require(command.getNodes() >= 1, "nodes", command.getNodes(), ">= 1");
    require(
        command.getRank() >= 0 && command.getRank() < command.getNodes(),
        "rank",
        command.getRank(),
        "0 to " + (command.getNodes() - 1));
    require(
        command.getMasterPort() >= 0 && command.getMasterPort() <= 65_535,
        "master_port",
        command.getMasterPort(),
        "0 to 65535");
    long grace = millis("grace", command.getGrace());
    OptionalLong lostAfter = OptionalLong.empty();
    if (command.hasLostAfter()) {
      long lost = millis("lost_after", command.getLostAfter());
      require(lost > 0, "lost_after", lost + " ms", "above 0");
      lostAfter = OptionalLong.of(lost);
    }
    return new AttemptSpec(
        name,
        command.getShare(),
        command.getDeviceUuidsList(),
        command.getRank(),
        command.getNodes(),
        command.getCommandList(),
        grace,
        lostAfter,
        command.getOnDemandCheckpoint(),
        command.getJobSequence());
  }

  private static void checkCommand(List<String> command) throws StartRefusedException {
    require(!command.isEmpty(), "command", "empty", "a program and its arguments");
    require(!command.get(0).isEmpty(), "command[0]", "empty", "a program");
    require(
        command.size() <= ARGUMENTS_MAX,
        "command",
        command.size() + " arguments",
        "at most " + ARGUMENTS_MAX);
    for (int i = 0; i < command.size(); i++) {
      require(noNul(command.get(i)), "command[" + i + "]", "holds a NUL character", "none");
    }
  }

  private static void checkEnvironment(Map<String, String> environment)
      throws StartRefusedException {
    require(
        environment.size() <= ENVIRONMENT_MAX,
        "env",
        environment.size() + " entries",
        "at most " + ENVIRONMENT_MAX);
    for (Map.Entry<String, String> entry : environment.entrySet()) {
      String key = entry.getKey();
      require(
          VARIABLE.matcher(key).matches(),
          "env",
          "'" + key + "'",
          "a name of letters, digits and _");
      boolean reserved =
          RESERVED.contains(key) || RESERVED_PREFIXES.stream().anyMatch(key::startsWith);
      require(
          !reserved,
          "env",
          key,
          "a name that is not set by the agent: LD_*, QS_*, "
              + RESERVED.stream().sorted().toList()
              + " are");
      // The value may be a secret, so it is not shown.
      require(noNul(entry.getValue()), "env " + key, "holds a NUL character", "none");
    }
  }

  private static void checkDevices(List<String> uuids) throws StartRefusedException {
    require(
        uuids.size() <= DEVICES_MAX,
        "device_uuids",
        uuids.size() + " devices",
        "at most " + DEVICES_MAX);
    Set<String> seen = new HashSet<>();
    for (String uuid : uuids) {
      require(UUID.matcher(uuid).matches(), "device_uuids", "'" + uuid + "'", "a device UUID");
      require(seen.add(uuid), "device_uuids", uuid + " twice", "each device once");
    }
  }

  private static void checkWorkingDirectory(String folder) throws StartRefusedException {
    if (!folder.isEmpty()) {
      require(noNul(folder), "working_directory", "holds a NUL character", "none");
      require(isAbsolute(folder), "working_directory", "'" + folder + "'", "an absolute path");
    }
  }

  /** Not so either if the locale of this process cannot express the path. */
  private static boolean isAbsolute(String folder) {
    try {
      return Path.of(folder).isAbsolute();
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static long millis(String field, Duration duration) throws StartRefusedException {
    // A century is out of the range of sense, and in the range of long.
    require(
        duration.getSeconds() >= 0
            && duration.getSeconds() < 3_155_760_000L
            && duration.getNanos() >= 0,
        field,
        duration.getSeconds() + " s",
        "0 or more, less than 100 years");
    return duration.getSeconds() * 1_000 + duration.getNanos() / 1_000_000;
  }

  private static boolean noNul(String text) {
    return text.indexOf('\0') < 0;
  }

  private static void require(boolean condition, String field, Object value, String expected)
      throws StartRefusedException {
    if (!condition) {
      throw new StartRefusedException(field + ": " + value + " (expected: " + expected + ")");
    }
  }
}
