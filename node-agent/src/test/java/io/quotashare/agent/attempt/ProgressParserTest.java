package io.quotashare.agent.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The progress file is written by a job that nobody trusts (docs/checkpoint-contract.md). */
class ProgressParserTest {
  private static final Path CHECKPOINTS = Path.of("/ckpt/q/j");
  private static final Instant STARTED = Instant.ofEpochSecond(1_000);
  private static final Instant NOW = Instant.ofEpochSecond(2_000);

  private final Map<Path, Instant> modified = new HashMap<>();
  private final ProgressParser parser =
      new ProgressParser(CHECKPOINTS, path -> Optional.ofNullable(modified.get(path)));

  private ProgressReport parse(String json) throws ProgressRefusedException {
    return parser.parse(json.getBytes(StandardCharsets.UTF_8), STARTED, NOW, 7);
  }

  @Test
  void shouldReadEverythingThatTheContractHas() throws Exception {
    ProgressReport report =
        parse(
            "{\"step\":1200,\"t\":1990.1,\"ckpt_step\":1100,\"ckpt_state_t\":1500.5,"
                + "\"ckpt_durable_t\":1501,\"ckpt_path\":\"step-1100.json\",\"ack_seq\":7,"
                + "\"pid\":4711,\"caps\":[\"on_demand\",\"other\"],\"state\":\"stopped\"}");
    assertThat(report.step()).hasValue(1200);
    assertThat(report.checkpointStep()).hasValue(1100);
    assertThat(report.checkpointStateTime()).contains(Instant.ofEpochMilli(1_500_500));
    assertThat(report.checkpointDurableTime()).contains(Instant.ofEpochSecond(1_501));
    assertThat(report.ackSeq()).isEqualTo(7);
    assertThat(report.onDemand()).isTrue();
    assertThat(report.state()).isEqualTo(ProgressReport.State.STOPPED);
  }

  @Test
  void shouldTakeWhatIsLeftOutForNotKnown() throws Exception {
    ProgressReport report = parse("{}");
    assertThat(report.step()).isEmpty();
    assertThat(report.checkpointStep()).isEmpty();
    assertThat(report.checkpointStateTime()).isEmpty();
    assertThat(report.ackSeq()).isZero();
    assertThat(report.onDemand()).isFalse();
    assertThat(report.state()).isEqualTo(ProgressReport.State.RUNNING);
    assertThat(parse("{\"step\":null,\"caps\":null,\"state\":null,\"ckpt_path\":null}"))
        .isEqualTo(report);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[1]|it is not a JSON object",
        "{\"step\":1|it is not JSON",
        "{} {}|it is not JSON",
        "{\"step\":1,\"step\":2}|it is not JSON: Duplicate field 'step'",
        "{\"stepp\":1}|unknown key 'stepp' (expected: ack_seq, caps, ",
        "{\"step\":\"1\"}|step: \"1\" (expected: a whole number >= 0)",
        "{\"step\":1.5}|step: 1.5",
        "{\"step\":-1}|step: -1",
        "{\"step\":99999999999999999999}|step: 99999999999999999999",
        "{\"ckpt_step\":true}|ckpt_step: true",
        "{\"pid\":0}|pid: 0 (expected: a whole number >= 1)",
        "{\"ack_seq\":8}|ack_seq: 8 (expected: at most 7, the newest request)",
        "{\"t\":\"now\"}|t: \"now\" (expected: seconds since 1970)",
        "{\"t\":-1}|t: -1",
        "{\"t\":1e300}|t: 1.0E300",
        "{\"t\":NaN}|it is not JSON",
        "{\"ckpt_state_t\":1600,\"ckpt_durable_t\":1500}|ckpt_durable_t is before ckpt_state_t",
        "{\"ckpt_path\":\"../k/x\"}|ckpt_path: \"../k/x\" (expected: a path under /ckpt/q/j)",
        "{\"ckpt_path\":\"/etc/passwd\"}|ckpt_path: \"/etc/passwd\"",
        "{\"ckpt_path\":\"/ckpt/q/jj/x\"}|ckpt_path: \"/ckpt/q/jj/x\"",
        "{\"ckpt_path\":\"a\\u0000b\"}|ckpt_path: \"a\\u0000b\"",
        "{\"ckpt_path\":7}|ckpt_path: 7",
        "{\"caps\":\"on_demand\"}|caps: \"on_demand\" (expected: a list",
        "{\"caps\":[1]}|caps: [1]",
        "{\"state\":\"DONE\"}|state: \"DONE\" (expected: running, saving, stopped or done)",
        "{\"state\":{}}|state: {}",
        "{\"caps\":[[[[[[1]]]]]]}|it is not JSON"
      })
  void shouldRefuseWhatBreaksARule(String json, String expected) {
    assertThatThrownBy(() -> parse(json))
        .isInstanceOf(ProgressRefusedException.class)
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "./a/../x", "/ckpt/q/j/x", "a/b/c", "ünïcode"})
  void shouldAcceptPathsUnderTheCheckpointFolder(String path) throws Exception {
    assertThat(parse("{\"step\":1,\"ckpt_path\":\"" + path + "\"}").step()).hasValue(1);
  }

  @Test
  void shouldRefuseWhatIsTooLarge() {
    String json = "{\"state\":\"running\"" + " ".repeat(ProgressParser.BYTES_MAX) + "}";
    assertThatThrownBy(() -> parse(json)).hasMessageContaining("expected: at most 65536");
  }

  @Test
  void shouldClampTimesToTheLifeOfTheAttempt() throws Exception {
    ProgressReport early = parse("{\"ckpt_state_t\":1,\"ckpt_durable_t\":2}");
    assertThat(early.checkpointStateTime()).contains(STARTED);
    assertThat(early.checkpointDurableTime()).contains(STARTED);
    ProgressReport late = parse("{\"ckpt_state_t\":5000,\"ckpt_durable_t\":6000}");
    assertThat(late.checkpointStateTime()).contains(NOW);
    assertThat(late.checkpointDurableTime()).contains(NOW);
  }

  @Test
  void shouldNotBelieveAStateThatIsNewerThanItsFile() throws Exception {
    modified.put(CHECKPOINTS.resolve("x"), Instant.ofEpochSecond(1_400));
    assertThat(parse("{\"ckpt_path\":\"x\",\"ckpt_state_t\":1900}").checkpointStateTime())
        .contains(Instant.ofEpochSecond(1_400));
    assertThat(parse("{\"ckpt_path\":\"x\",\"ckpt_state_t\":1300}").checkpointStateTime())
        .contains(Instant.ofEpochSecond(1_300));
    // A file system whose clock is ahead proves nothing.
    modified.put(CHECKPOINTS.resolve("x"), Instant.ofEpochSecond(9_000));
    assertThat(parse("{\"ckpt_path\":\"x\",\"ckpt_state_t\":1900}").checkpointStateTime())
        .contains(Instant.ofEpochSecond(1_900));
  }

  @Property(tries = 2_000)
  void shouldSurviveAnyBytes(@ForAll byte[] bytes) {
    refusedOrSane(bytes);
  }

  @Property(tries = 2_000)
  void shouldSurviveAnythingThatLooksLikeTheContract(@ForAll("lookalikes") String json) {
    refusedOrSane(json.getBytes(StandardCharsets.UTF_8));
  }

  private void refusedOrSane(byte[] bytes) {
    try {
      ProgressReport report = parser.parse(bytes, STARTED, NOW, 7);
      assertThat(report.ackSeq()).isBetween(0L, 7L);
      report.checkpointStateTime().ifPresent(t -> assertThat(t).isBetween(STARTED, NOW));
      report.checkpointDurableTime().ifPresent(t -> assertThat(t).isBetween(STARTED, NOW));
      report.step().ifPresent(step -> assertThat(step).isNotNegative());
    } catch (ProgressRefusedException e) {
      assertThat(e.getMessage()).isNotBlank().hasSizeLessThan(400);
    }
  }

  @Provide
  Arbitrary<String> lookalikes() {
    Arbitrary<String> key =
        Arbitraries.of(
            "step",
            "t",
            "ckpt_step",
            "ckpt_state_t",
            "ckpt_durable_t",
            "ckpt_path",
            "ack_seq",
            "pid",
            "caps",
            "state",
            "x");
    Arbitrary<String> value =
        Arbitraries.oneOf(
            Arbitraries.longs().map(String::valueOf),
            Arbitraries.integers().between(0, 3_000).map(String::valueOf),
            Arbitraries.doubles().map(String::valueOf),
            Arbitraries.of(
                "null",
                "true",
                "[]",
                "{}",
                "\"running\"",
                "\"..\"",
                "[\"on_demand\"]",
                "1e999",
                "-0"),
            Arbitraries.strings().ofMaxLength(300).map(s -> "\"" + s + "\""));
    return net.jqwik.api.Combinators.combine(key, value)
        .as((k, v) -> "\"" + k + "\":" + v)
        .list()
        .ofMaxSize(6)
        .map(entries -> "{" + String.join(",", entries) + "}");
  }
}
