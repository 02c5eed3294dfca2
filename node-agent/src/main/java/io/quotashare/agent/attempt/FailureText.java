package io.quotashare.agent.attempt;

import io.quotashare.agent.supervise.ExitRecord;
import io.quotashare.agent.supervise.LaunchFailure;
import io.quotashare.agent.supervise.LaunchSpec;
import io.quotashare.agent.supervise.Observation;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** What went wrong with an attempt, in sentences that a person can act on. */
final class FailureText {
  private static final Map<Integer, String> ERRORS =
      Map.of(
          1, "not permitted",
          2, "no such file or folder",
          7, "arguments and environment are too long",
          8, "it is no program for this kind of host, or a script without a #! line",
          11, "the host is out of processes",
          12, "the host is out of memory",
          13, "permission denied",
          20, "a part of the path is no folder",
          26, "the program file is being written");

  private FailureText() {}

  static String of(
      LaunchFailure failure, Attempt attempt, AttemptSettings settings, RunFolders folders) {
    String node = settings.node();
    String program = attempt.spec().command().get(0);
    String path =
        attempt.launch.map(l -> l.environment().get("PATH")).orElse(settings.user().path());
    Path workDir =
        attempt.launch.map(LaunchSpec::workingDirectory).orElse(folders.workDir(attempt.name()));
    return switch (failure.stage()) {
      case EXEC -> exec(failure.errno(), program, node, path);
      case CWD ->
          "working directory "
              + workDir
              + " cannot be entered on node "
              + node
              + ": "
              + error(failure.errno());
      case LOCK ->
          "device " + failure.detail() + " is locked by another supervisor on node " + node;
      case INTERRUPTED ->
          "the agent of node " + node + " was restarted during the start; nothing runs";
      case SUPERVISOR ->
          "the supervisor could not be started on node " + node + ": " + failure.detail();
      default ->
          "the supervisor on node "
              + node
              + " failed at "
              + failure.stage()
              + ": "
              + error(failure.errno());
    };
  }

  private static String exec(int errno, String program, String node, String path) {
    if (errno == 2 && !program.contains("/")) {
      return "command '"
          + program
          + "' was not found on node "
          + node
          + ": it is in none of "
          + path;
    }
    if (errno == 2) {
      return "command '"
          + program
          + "' was not found on node "
          + node
          + ", or it is a script whose interpreter (#! line) is missing";
    }
    return "command '" + program + "' cannot be run on node " + node + ": " + error(errno);
  }

  private static String error(int errno) {
    return ERRORS.getOrDefault(errno, "system error " + errno);
  }

  /** Why devices cannot be used. */
  static String devices(Map<String, String> busy) {
    return busy.entrySet().stream()
        .map(entry -> "device " + entry.getKey() + " is " + entry.getValue())
        .sorted()
        .collect(Collectors.joining("; "));
  }

  /** What is to be known of an end, beside its code; empty if nothing. */
  static String end(Attempt attempt, Observation.Ended ended) {
    if (ended.rebooted() && ended.exit().isEmpty()) {
      return "LOST_EXIT: the host was rebooted while it ran";
    }
    if (ended.exit().isEmpty()) {
      return lostExit(attempt);
    }
    return switch (ended.exit().get().cause()) {
      case LEASE ->
          "stopped by its supervisor: the scheduler was silent for longer than its lost-after";
      case SIGNAL -> "somebody on the host sent SIGTERM to its supervisor";
      case OWN, STOP -> "";
    };
  }

  private static String lostExit(Attempt attempt) {
    String lost = "LOST_EXIT: its supervisor was killed, so its exit is not known";
    boolean confirmed =
        attempt.stop().isPresent()
            && attempt.progress().filter(p -> p.ackSeq() >= attempt.stop().get().seq()).isPresent();
    if (confirmed) {
      return lost + "; it had confirmed request " + attempt.stop().get().seq() + " before";
    }
    return attempt.destroyedText().map(text -> "LOST_EXIT: " + text).orElse(lost);
  }

  /** For the log. */
  static String exit(ExitRecord exit) {
    return exit.code().isPresent()
        ? "exit code " + exit.code().getAsInt()
        : "signal " + exit.signal().getAsInt();
  }
}
