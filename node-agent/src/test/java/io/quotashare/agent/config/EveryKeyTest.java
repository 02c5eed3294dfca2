package io.quotashare.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every key of the agent's file, with values of the wrong type and out of range. */
class EveryKeyTest {
  private static final List<String> NO_TIME =
      List.of("soon", "5", "-5s", "99999999d", "'999999999999999999999s'");
  private static final List<String> NO_SIZE = List.of("much", "-1B", "99999999TiB");
  private static final List<String> NO_PATH = List.of("''");

  private static final Map<Setting, List<String>> BAD = new EnumMap<>(Setting.class);

  static {
    BAD.put(Setting.DEV, List.of("maybe", "7"));
    BAD.put(Setting.NODE, List.of("N1", "''", "a b"));
    BAD.put(Setting.SCHEDULER, List.of("localhost", "'localhost:0'", "'10.1.1.1:1'"));
    BAD.put(Setting.LABELS, List.of("pool", "7", "{a b: c}"));
    BAD.put(Setting.STATE, NO_PATH);
    BAD.put(Setting.CHECKPOINT_ROOT, NO_PATH);
    BAD.put(Setting.ADVERTISE_ADDRESS, List.of("a b", "''"));
    BAD.put(Setting.NVML_LIBRARY, NO_PATH);
    BAD.put(Setting.UNITS, List.of("H100", "7"));
    for (Setting time :
        List.of(
            Setting.SWEEP_INTERVAL,
            Setting.NVML_DEADLINE,
            Setting.NVML_INIT_DEADLINE,
            Setting.NVML_RETRY_MAX,
            Setting.RECONNECT_MAX,
            Setting.POLL_INTERVAL,
            Setting.START_TIMEOUT,
            Setting.RELEASE_TIMEOUT,
            Setting.KEEP_FOR)) {
      BAD.put(time, NO_TIME);
    }
    BAD.put(Setting.LOG_FILE_SIZE, NO_SIZE);
    BAD.put(Setting.LOG_FILES, List.of("1", "65", "some"));
    BAD.put(Setting.KEEP_ATTEMPTS, List.of("0", "100001", "some"));
    BAD.put(Setting.KEEP_OUTPUT, NO_SIZE);
    BAD.put(Setting.LOCK_DIR, NO_PATH);
    BAD.put(Setting.CGROUP_ROOT, NO_PATH);
    BAD.put(Setting.SHIM, NO_PATH);
  }

  /** Any text is a search path, an empty one too: jobs then find no program by its name. */
  private static final List<Setting> WITHOUT_A_BAD_TEXT = List.of(Setting.JOB_PATH);

  @TempDir private Path folder;

  private List<String> problems(Setting setting, String value) throws Exception {
    List<String> lines = new ArrayList<>();
    lines.add(setting.key() + ": " + value);
    if (setting != Setting.DEV) {
      lines.add("dev: true");
    }
    if (setting != Setting.NODE) {
      lines.add("node: n1");
    }
    Path file = Files.write(folder.resolve("agent.yaml"), lines);
    ConfigException refused =
        catchThrowableOfType(
            ConfigException.class,
            () -> ConfigLoader.load(ConfigLoaderTest.USER, "--config", file.toString()));
    return refused == null ? List.of() : refused.problems();
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseABadValueWithFileLineKeyAndExpectation(Setting setting) throws Exception {
    if (!WITHOUT_A_BAD_TEXT.contains(setting)) {
      assertThat(BAD)
          .as("add " + setting.key() + " to the table of this test, with its bad values")
          .containsKey(setting);
    }
    for (String value : BAD.getOrDefault(setting, List.of())) {
      assertThat(problems(setting, value))
          .as(setting.key() + ": " + value)
          .anyMatch(p -> p.contains(":1: " + setting.key()) && p.contains("expected"));
    }
    assertThat(problems(setting, "[[a]]"))
        .as(setting.key() + ": a list")
        .anyMatch(p -> p.contains(":1: " + setting.key()) && p.contains("expected"));
  }
}
