package io.quotashare.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every key: its default, its flag, its line in a file, and what is said of a wrong value. */
class ConfigLoaderTest {
  static final Surroundings USER =
      new Surroundings(
          "u",
          Path.of("/home/u"),
          "/bin",
          Optional.of(Path.of("/run/user/1")),
          Optional.of(Path.of("/native")));

  private static final AgentConfig DEFAULTS =
      new AgentConfig(
          "n1",
          "127.0.0.1",
          7071,
          Map.of(),
          Path.of("/home/u/.local/state/quotashare/agent/n1"),
          Path.of("/home/u/.local/state/quotashare/agent/n1/checkpoints"),
          "127.0.0.1",
          Optional.empty(),
          Map.of(),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofMillis(100),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          100L << 20,
          5,
          200,
          Duration.ofDays(30),
          10L << 30,
          Path.of("/run/user/1/quotashare"),
          Optional.empty(),
          Path.of("/native/qs-shim"),
          "/bin");

  private static final AgentConfig ALL =
      new AgentConfig(
          "n1",
          "::1",
          9,
          Map.of("pool", "research", "rack", "r1"),
          Path.of("/s"),
          Path.of("/c"),
          "10.0.0.7",
          Optional.of(Path.of("/lib/x.so")),
          Map.of("2330", "H100"),
          Duration.ofMillis(200),
          Duration.ofMillis(300),
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          Duration.ofSeconds(4),
          Duration.ofMillis(50),
          Duration.ofSeconds(7),
          Duration.ofSeconds(0),
          1L << 20,
          9,
          3,
          Duration.ofDays(7),
          5L << 10,
          Path.of("/l"),
          Optional.of(Path.of("/cg")),
          Path.of("/x/shim"),
          "/opt/bin");

  private static final Map<Setting, String> FLAGS =
      Map.ofEntries(
          Map.entry(Setting.DEV, "true"),
          Map.entry(Setting.NODE, "n1"),
          Map.entry(Setting.SCHEDULER, "[::1]:9"),
          Map.entry(Setting.LABELS, "pool=research,rack=r1"),
          Map.entry(Setting.STATE, "/s"),
          Map.entry(Setting.CHECKPOINT_ROOT, "/c"),
          Map.entry(Setting.ADVERTISE_ADDRESS, "10.0.0.7"),
          Map.entry(Setting.NVML_LIBRARY, "/lib/x.so"),
          Map.entry(Setting.UNITS, "2330=H100"),
          Map.entry(Setting.SWEEP_INTERVAL, "200ms"),
          Map.entry(Setting.NVML_DEADLINE, "300ms"),
          Map.entry(Setting.NVML_INIT_DEADLINE, "1m"),
          Map.entry(Setting.NVML_RETRY_MAX, "2m"),
          Map.entry(Setting.RECONNECT_MAX, "4s"),
          Map.entry(Setting.POLL_INTERVAL, "50ms"),
          Map.entry(Setting.START_TIMEOUT, "7s"),
          Map.entry(Setting.RELEASE_TIMEOUT, "0s"),
          Map.entry(Setting.LOG_FILE_SIZE, "1MiB"),
          Map.entry(Setting.LOG_FILES, "9"),
          Map.entry(Setting.KEEP_ATTEMPTS, "3"),
          Map.entry(Setting.KEEP_FOR, "7d"),
          Map.entry(Setting.KEEP_OUTPUT, "5KiB"),
          Map.entry(Setting.LOCK_DIR, "/l"),
          Map.entry(Setting.CGROUP_ROOT, "/cg"),
          Map.entry(Setting.SHIM, "/x/shim"),
          Map.entry(Setting.JOB_PATH, "/opt/bin"));

  @TempDir Path folder;

  private static AgentConfig load(Surroundings surroundings, String... args) throws Exception {
    return ((ConfigLoader.Run) ConfigLoader.load(surroundings, args)).config();
  }

  private static List<String> problems(String... args) {
    return catchThrowableOfType(ConfigException.class, () -> ConfigLoader.load(USER, args))
        .problems();
  }

  private Path file(String... lines) throws Exception {
    return Files.write(folder.resolve("agent.yaml"), List.of(lines));
  }

  @Test
  void shouldHaveADefaultForEverything() throws Exception {
    assertThat(load(USER, "--dev", "--node", "n1")).isEqualTo(DEFAULTS);
  }

  @Test
  void shouldHaveOtherPlacesForRootAndForAUserWithoutASession() throws Exception {
    Surroundings root =
        new Surroundings("root", Path.of("/root"), "/bin", Optional.empty(), Optional.empty());
    AgentConfig config = load(root, "--dev", "--node", "n1");
    assertThat(config.state()).isEqualTo(Path.of("/var/lib/quotashare/agent/n1"));
    assertThat(config.lockDir()).isEqualTo(Path.of("/run/lock/quotashare"));
    Surroundings bare =
        new Surroundings("u", Path.of("/home/u"), "/bin", Optional.empty(), Optional.empty());
    assertThat(load(bare, "--dev", "--node", "n1").lockDir())
        .isEqualTo(Path.of("/home/u/.local/state/quotashare/locks"));
  }

  @Test
  void shouldTakeEveryKeyAsAFlag() throws Exception {
    List<String> args = new ArrayList<>();
    FLAGS.forEach((setting, value) -> args.addAll(List.of("--" + setting.key(), value)));
    assertThat(FLAGS.keySet()).containsExactlyInAnyOrder(Setting.values());
    assertThat(load(USER, args.toArray(String[]::new))).isEqualTo(ALL);
    List<String> joined = new ArrayList<>();
    FLAGS.forEach((setting, value) -> joined.add("--" + setting.key() + "=" + value));
    assertThat(load(USER, joined.toArray(String[]::new))).isEqualTo(ALL);
  }

  @Test
  void shouldTakeEveryKeyFromTheFile() throws Exception {
    List<String> lines = new ArrayList<>(List.of("# all keys"));
    FLAGS.forEach(
        (setting, value) -> {
          switch (setting) {
            case LABELS -> lines.addAll(List.of("labels:", "  pool: research", "  rack: r1"));
            case UNITS -> lines.add("units: {'2330': H100}");
            case SCHEDULER -> lines.add("scheduler: '" + value + "'");
            default -> lines.add(setting.key() + ": " + value);
          }
        });
    Path file = file(lines.toArray(String[]::new));
    assertThat(load(USER, "--config", file.toString())).isEqualTo(ALL);
  }

  @Test
  void shouldLetFlagsWinOverTheFile() throws Exception {
    Path file = file("dev: true", "node: from-file", "log-files: 3");
    AgentConfig config =
        load(USER, "--node", "from-flag", "--config", file.toString(), "--log-files=4");
    assertThat(config.node()).isEqualTo("from-flag");
    assertThat(config.logFiles()).isEqualTo(4);
  }

  @Test
  void shouldNameFileLineKeyAndWhatIsExpectedAndAllProblemsAtOnce() throws Exception {
    Path file =
        file(
            "dev: true",
            "nod: n1",
            "scheduler: 10.1.1.1:7071",
            "log-files: 65",
            "state: [a]",
            "labels: pool",
            "log-files: 3");
    assertThat(problems("--config", file.toString()))
        .satisfiesExactly(
            p -> assertThat(p).startsWith(file + ":2: unknown key 'nod' (expected: dev, node, "),
            p ->
                assertThat(p)
                    .isEqualTo(
                        file + ":5: state: has a value of the wrong form (expected: FOLDER)"),
            p ->
                assertThat(p)
                    .isEqualTo(
                        file
                            + ":6: labels: has a value of the wrong form (expected: a map of"
                            + " texts)"),
            p -> assertThat(p).isEqualTo(file + ":7: log-files: is given twice (expected: once)"),
            p -> assertThat(p).startsWith("node: is not set (expected: --node NAME"),
            p ->
                assertThat(p)
                    .startsWith(
                        file + ":3: scheduler: '10.1.1.1:7071' (expected: a loopback address"),
            p ->
                assertThat(p)
                    .isEqualTo(
                        file + ":4: log-files: '65' (expected: a whole number from 2 to 64)"));
  }

  @Test
  void shouldSayWhereAFileIsNoYaml() throws Exception {
    Path file = file("dev: true", "labels: {a: b");
    assertThat(problems("--config", file.toString(), "--node=n1"))
        .anySatisfy(p -> assertThat(p).startsWith(file + ":").contains("is not YAML"));
    assertThat(problems("--config", file("- a").toString(), "--node=n1"))
        .anySatisfy(p -> assertThat(p).contains(":1: is no map (expected: KEY: VALUE)"));
    assertThat(problems("--config", "/nowhere.yaml", "--node=n1"))
        .anySatisfy(
            p ->
                assertThat(p)
                    .isEqualTo(
                        "/nowhere.yaml: cannot be read: NoSuchFileException: /nowhere.yaml"));
  }

  @Test
  void shouldAcceptAnEmptyFile() throws Exception {
    assertThat(load(USER, "--dev", "--node=n1", "--config", file("# nothing").toString()))
        .isEqualTo(DEFAULTS);
  }

  @Test
  void shouldRunOnlyInDevelopmentMode() {
    assertThat(problems("--node", "n1"))
        .singleElement()
        .satisfies(
            p ->
                assertThat(p)
                    .startsWith(
                        "dev: is not set. This version has no TLS: it supports only --dev"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--node=N1|--node: 'N1' (expected: a name of a-z, 0-9, - and .)",
        "--node=-a|--node: '-a'",
        "--dev=yes|--dev: 'yes' (expected: true or false)",
        "--scheduler=localhost|--scheduler: 'localhost' (expected: HOST:PORT with a port of 1 to"
            + " 65535)",
        "--scheduler=localhost:0|--scheduler: 'localhost:0' (expected: HOST:PORT",
        "--scheduler=localhost:99999|--scheduler: 'localhost:99999'",
        "--scheduler=127.0.0.1.evil.example:1|(expected: a loopback address",
        "--scheduler=0.0.0.0:1|(expected: a loopback address",
        "--labels=pool|--labels: 'pool' (expected: KEY=VALUE,..., each key once)",
        "--labels=a=b,a=c|--labels: 'a=b,a=c'",
        "--labels=a b=c|(expected: at most 64 labels",
        "--advertise-address=a b|(expected: a host name or address)",
        "--sweep-interval=5|--sweep-interval: '5' (expected: a time from 100ms to 600s, such as"
            + " 30s",
        "--sweep-interval=50ms|(expected: a time from 100ms to 600s",
        "--nvml-retry-max=1s|--nvml-retry-max: '1s' (expected: a time from 5s to 600s",
        "--reconnect-max=500ms|(expected: a time from 1s to 600s",
        "--poll-interval=6s|(expected: a time from 10ms to 5s",
        "--start-timeout=0s|(expected: a time from 1s to 600s",
        "--release-timeout=1h|(expected: a time from 0s to 600s",
        "--log-file-size=10|(expected: a size of at least 1024 bytes, such as 100MiB)",
        "--log-file-size=1B|(expected: a size of at least 1024 bytes",
        "--keep-output=99999999TiB|(expected: a size of at least 0 bytes",
        "--log-files=1|(expected: a whole number from 2 to 64)",
        "--keep-for=59s|(expected: a time from 60s to",
        "--keep-attempts=0|(expected: a whole number from 1 to 100000)",
        "--state=|--state: '' (expected: a path)",
        "--state|--state: has no value (expected: --state FOLDER)",
        "--config|--config: has no value (expected: --config FILE)",
        "--nodes=x|--nodes: is not known (expected: --config, --help, --dev, --node,",
        "x|x: is not known"
      })
  void shouldSayWhatIsWrongWithAValue(String arg, String expected) throws Exception {
    String base = file("dev: true", "node: n1").toString();
    assertThat(problems("--config=" + base, arg)).anySatisfy(p -> assertThat(p).contains(expected));
  }

  @Test
  void shouldNotTakeTheValueOfAnUnknownFlagForAnotherOne() {
    assertThat(problems("--dev", "--node=n1", "--nodes", "x")).hasSize(1);
  }

  @Test
  void shouldHelp() throws Exception {
    String help = ((ConfigLoader.Help) ConfigLoader.load(USER, "--help")).text();
    for (Setting setting : Setting.values()) {
      assertThat(help).contains("--" + setting.key()).contains(setting.fallback());
    }
  }

  /** The operator's table says the same as the code. */
  @ParameterizedTest
  @EnumSource(Setting.class)
  void shouldBeDocumented(Setting setting) throws Exception {
    String line =
        String.format(
            "| `%s` | %s | %s | %s |",
            setting.key(),
            setting.value().replace("|", "\\|"),
            setting.fallback(),
            setting.meaning());
    assertThat(Files.readAllLines(Path.of("../docs/node-agent.md"))).contains(line);
  }
}
