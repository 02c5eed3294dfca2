package io.quotashare.cli.jobs;

import static java.util.Map.entry;

import io.quotashare.cli.yaml.InvalidFileException;
import io.quotashare.cli.yaml.KeyMatrix;
import io.quotashare.cli.yaml.YamlProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key of {@code job.yaml}, with values of the wrong type and out of range. */
class EveryKeyOfAJobFileTest {
  private static final List<String> NO_TEXT = List.of("[a]", "{a: b}");
  private static final List<String> NO_BOOL = List.of("7", "maybe", "[true]");
  private static final List<String> NO_TIME = List.of("soon", "-5s", "[1s]");
  private static final List<String> NO_MAP = List.of("7", "[a]", "{a: [b]}");
  private static final List<String> NO_CODES = List.of("7", "[0]", "[256]", "[x]");

  @TempDir private Path folder;

  @Test
  void isRefusedByNameWhereItIsBad() {
    KeyMatrix.check(
        KeyMatrix.keys(JobFile.class, "KEYS"),
        Map.ofEntries(
            entry("queue", NO_TEXT),
            entry("share", NO_TEXT),
            entry("id", NO_TEXT),
            entry("name", NO_TEXT),
            entry("gpus", List.of("0", "40960001", "many", "[1]")),
            entry("nodes", List.of("0", "4097", "many")),
            entry("gpusPerNode", List.of("0", "10001", "many")),
            entry("unit", NO_TEXT),
            entry("priority", List.of("-1", "10000", "high", "99999999999999999999")),
            entry("labels", NO_MAP),
            entry("env", NO_MAP),
            entry("workingDirectory", NO_TEXT),
            entry("timeLimit", NO_TIME),
            entry("grace", NO_TIME),
            entry("lostAfter", NO_TIME),
            entry("checkpointEvery", NO_TIME),
            entry("onDemandCheckpoint", NO_BOOL),
            entry("retries", List.of("-1", "11", "often")),
            entry("retryExitCodes", NO_CODES),
            entry("failExitCodes", NO_CODES),
            entry("preemptionRetriesBeforeTermination", List.of("-1", "often")),
            entry("borrow", List.of("SOMETIMES", "7")),
            entry("allowInfeasible", NO_BOOL),
            entry("command", List.of("train", "7", "{a: b}", "[[a]]"))),
        (key, value) -> key + ": " + value + "\n",
        this::problems);
  }

  private List<String> problems(String text) {
    try {
      JobFile.read(new JobFlags(), Files.writeString(folder.resolve("job.yaml"), text));
      return List.of();
    } catch (InvalidFileException e) {
      return e.problems().stream().map(YamlProblem::toString).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
