package io.quotashare.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConfigTest {
  /** A value for every key that is not its default. */
  private static final Map<String, String> OTHER =
      Map.ofEntries(
          Map.entry("dev", "true"),
          Map.entry("data", "/tmp/elsewhere"),
          Map.entry("listen", "127.0.0.1:1070"),
          Map.entry("agentListen", "localhost:0"),
          Map.entry("adminListen", "[::1]:1072"),
          Map.entry("httpListen", "127.0.0.2:1080"),
          Map.entry("engine.maxQueuedCalls", "7"),
          Map.entry("engine.maxQueuedReports", "8"),
          Map.entry("engine.maxBatch", "9"),
          Map.entry("agents.heartbeatInterval", "250ms"),
          Map.entry("agents.suspectAfter", "3s"),
          Map.entry("agents.lostAfter", "1h30m"),
          Map.entry("agents.clockDriftPercent", "1"),
          Map.entry("agents.fenceMargin", "1s500ms"),
          Map.entry("agents.resendAfter", "4s"),
          Map.entry("agents.recoveryGrace", "5s"),
          Map.entry("agents.maxOutbound", "10"),
          Map.entry("agents.maxReports", "11"),
          Map.entry("agents.masterPorts", "3000-3999"),
          Map.entry("watch.keptEvents", "120"),
          Map.entry("watch.maxLagEvents", "60"),
          Map.entry("watch.maxWatches", "13"),
          Map.entry("dryRun.maxWaiting", "3"),
          Map.entry("dryRun.maxRows", "1000"),
          Map.entry("dryRun.timeout", "2s"),
          Map.entry("watch.bookmarkInterval", "6s"),
          Map.entry("logs.maxStreams", "14"),
          Map.entry("logs.openTimeout", "7s"),
          Map.entry("retention.endedJobs", "7d"),
          Map.entry("retention.maxEndedJobs", "500"),
          Map.entry("retention.audit", "90d"),
          Map.entry("retention.maxAudit", "2000"),
          Map.entry("retention.answers", "2h"),
          Map.entry("retention.maxAnswers", "3000"),
          Map.entry("usage.sampleInterval", "10m"),
          Map.entry("retention.usageSamples", "1d"),
          Map.entry("retention.hourlyUsage", "40d"),
          Map.entry("retention.dailyUsage", "400d"));

  @TempDir Path folder;

  @Test
  void everyKeyHasADefaultThatItsTypeAccepts() {
    for (ConfigKey<?> key : ConfigKeys.ALL) {
      assertThat(key.type().parse(key.defaultText()))
          .as(key.path())
          .map(Object.class::cast)
          .hasValue(key.defaultValue());
    }
  }

  @Test
  void everyKeyIsReadFromTheFile() throws IOException {
    assertThat(OTHER.keySet())
        .containsExactlyInAnyOrderElementsOf(ConfigKeys.ALL.stream().map(ConfigKey::path).toList());
    StringBuilder yaml = new StringBuilder();
    for (String section :
        List.of("", "engine", "agents", "watch", "logs", "dryRun", "retention", "usage")) {
      if (!section.isEmpty()) {
        yaml.append(section).append(":\n");
      }
      OTHER.forEach(
          (path, value) -> {
            int dot = path.indexOf('.');
            if ((dot < 0 ? "" : path.substring(0, dot)).equals(section)) {
              yaml.append(dot < 0 ? "" : "  ")
                  .append(path.substring(dot + 1))
                  .append(": \"")
                  .append(value)
                  .append("\"\n");
            }
          });
    }

    ServerConfig config = parse("--config", file(yaml.toString()));

    for (ConfigKey<?> key : ConfigKeys.ALL) {
      assertThat(text(config, key)).as(key.path()).isEqualTo(OTHER.get(key.path()));
    }
  }

  @Test
  void allKeysOfTheClassAreListed() throws IllegalAccessException {
    List<Object> declared = new ArrayList<>();
    for (Field field : ConfigKeys.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigKey.class) {
        declared.add(field.get(null));
      }
    }

    assertThat(declared).containsExactlyInAnyOrderElementsOf(ConfigKeys.ALL);
  }

  @Test
  void flagsWinOverTheFile() throws IOException {
    String file = file("dev: true\nlisten: 127.0.0.1:1\nagentListen: 127.0.0.1:2\n");

    ServerConfig config = parse("--config", file, "--listen", "127.0.0.1:3", "--data=/x");

    assertThat(config.get(ConfigKeys.LISTEN).port()).isEqualTo(3);
    assertThat(config.get(ConfigKeys.AGENT_LISTEN).port()).isEqualTo(2);
    assertThat(config.get(ConfigKeys.ADMIN_LISTEN).port()).isEqualTo(7072);
    assertThat(config.get(ConfigKeys.DATA)).isEqualTo(Path.of("/x"));
    assertThat(config.get(ConfigKeys.SUSPECT_AFTER)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void everythingWrongInAFileIsToldWithItsLine() throws IOException {
    String file =
        file(
            """
            dev: true
            agents:
              suspectAftr: 10s
              lostAfter: soon
              maxOutbound: 0
            listen: 127.0.0.1:7
            listen: 127.0.0.1:8
            engine: 5
            watch: {keptEvents: [1]}
            """);

    ConfigException e = catchThrowableOfType(ConfigException.class, () -> parse("--config", file));

    assertThat(e.problems())
        .containsExactly(
            file + ":3: agents.suspectAftr: unknown key; did you mean agents.suspectAfter?",
            file + ":4: agents.lostAfter: soon (expected: 100ms to 365d)",
            file + ":5: agents.maxOutbound: 0 (expected: 1 to 1000000)",
            file + ":7: listen: set twice (expected: once)",
            file + ":8: engine: not a map (expected: the keys of this section)",
            file + ":9: watch.keptEvents: not a single value (expected: 1 to 10000000)");
  }

  @Test
  void brokenFilesAreSaidToBe() throws IOException {
    assertThatThrownBy(() -> parse("--config", folder.resolve("none.yaml").toString()))
        .hasMessageContaining("there is no such file");
    assertThatThrownBy(() -> parse("--config", file("a: [")))
        .hasMessageContaining("not valid YAML");
    assertThatThrownBy(() -> parse("--config", file("- a\n"))).hasMessageContaining("not a map");
    assertThatThrownBy(() -> parse("--config", file("dev: true\n---\ndev: true\n")))
        .hasMessageContaining("second document");
  }

  @Test
  void emptyFileLeavesTheDefaults() throws IOException {
    assertThat(parse("--dev", "--config", file("# nothing\n")).get(ConfigKeys.MAX_BATCH))
        .isEqualTo(500);
  }

  @Test
  void onlyDevelopmentModeExists() {
    assertThatThrownBy(() -> parse())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--dev");
  }

  @ParameterizedTest
  @CsvSource({
    "--listen,0.0.0.0:7070",
    "--agent-listen,10.1.2.3:7071",
    "--admin-listen,[::]:7072",
    "--http-listen,no-such-host.invalid:7080"
  })
  void developmentModeStaysOnLoopback(String flag, String address) {
    assertThatThrownBy(() -> parse("--dev", flag, address))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(flag)
        .hasMessageContaining(address)
        .hasMessageContaining("loopback");
  }

  @ParameterizedTest
  @CsvSource({
    "--lisen,unknown flag; did you mean --listen?",
    "--listen,no value",
    "7070,unexpected argument",
    "--listen=7070,HOST:PORT",
    "--listen=127.0.0.1:70700,HOST:PORT",
    "--dev=maybe,true or false"
  })
  void badFlagsAreSaidToBe(String arg, String expected) {
    assertThatThrownBy(() -> parse(arg))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void readersMayNotLagFurtherThanEventsAreKept() {
    assertThatThrownBy(
            () ->
                ServerConfig.builder()
                    .set(ConfigKeys.DEV, true)
                    .set(ConfigKeys.KEPT_EVENTS, 5)
                    .build())
        .hasMessageContaining("watch.maxLagEvents");
  }

  @ParameterizedTest
  @CsvSource({
    "retention.usageSamples,91d,1h to 90d",
    "retention.endedJobs,59m,1h to 3650d",
    "retention.maxEndedJobs,99,100 to 10000000",
    "retention.audit,0s,1d to 3650d",
    "retention.maxAudit,many,1000 to 100000000",
    "retention.answers,31d,1m to 30d",
    "usage.sampleInterval,7m,a whole part of an hour",
    "usage.sampleInterval,30s,a whole part of an hour",
    "usage.sampleInterval,2h,a whole part of an hour"
  })
  void whatCannotBeKeptIsRefused(String path, String value, String expected) throws IOException {
    int dot = path.indexOf('.');
    String file =
        file(
            "dev: true\n%s:\n  %s: %s\n"
                .formatted(path.substring(0, dot), path.substring(dot + 1), value));

    assertThatThrownBy(() -> parse("--config", file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(path)
        .hasMessageContaining(value)
        .hasMessageContaining(expected);
  }

  @Test
  void theLedgerIsKeptTheLongerTheCoarserItIs() throws IOException {
    String file =
        file("dev: true\nretention:\n  usageSamples: 10d\n  hourlyUsage: 9d\n  dailyUsage: 8d\n");

    assertThatThrownBy(() -> parse("--config", file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "retention.usageSamples: 10d (expected: at most retention.hourlyUsage, 9d)")
        .hasMessageContaining(
            "retention.hourlyUsage: 9d (expected: at most retention.dailyUsage, 8d)");
  }

  @Test
  void helpNamesEveryFlag() {
    assertThat(CommandLine.parse(List.of("--dev", "--help"))).isNull();
    assertThat(CommandLine.usage())
        .contains("--dev", "--data", "--listen", "--agent-listen", "--admin-listen")
        .contains("--http-listen", "--config");
  }

  @ParameterizedTest
  @CsvSource({"500ms,500", "10s,10000", "1h30m,5400000", "2d,172800000", "0s,0"})
  void spansAreReadAndWritten(String text, long millis) {
    assertThat(Spans.parse(text)).hasValue(Duration.ofMillis(millis));
    assertThat(Spans.write(Duration.ofMillis(millis))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"10", "s", "-1s", "1.5s", "1 s", "999999999999d999999999999d", "''"})
  void otherTextsAreNoSpans(String text) {
    assertThat(Spans.parse(text).filter(d -> d.toDays() < 1_000_000_000L)).isEmpty();
  }

  private static <T> String text(ServerConfig config, ConfigKey<T> key) {
    return key.type().write(config.get(key));
  }

  private static ServerConfig parse(String... args) {
    ServerConfig config = CommandLine.parse(List.of(args));
    assertThat(config).isNotNull();
    return config;
  }

  private String file(String yaml) throws IOException {
    Path file = Files.createTempFile(folder, "server", ".yaml");
    Files.writeString(file, yaml);
    return file.toString();
  }
}
