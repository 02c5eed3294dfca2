package io.quotashare.agent.attempt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads the {@code progress} file of a job, which may hold anything: the job is not trusted
 * (docs/checkpoint-contract.md). A file that breaks a rule is refused as a whole.
 */
public final class ProgressParser {
  /** Largest file that is read. */
  public static final int BYTES_MAX = 64 << 10;

  private static final Set<String> KEYS =
      Set.of(
          "step",
          "t",
          "ckpt_step",
          "ckpt_state_t",
          "ckpt_durable_t",
          "ckpt_path",
          "ack_seq",
          "pid",
          "caps",
          "state");

  private static final int CAPS_MAX = 16;

  private static final JsonMapper JSON =
      JsonMapper.builder(
              com.fasterxml.jackson.core.JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(4)
                          .maxStringLength(8_192)
                          .build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  private final Path checkpointDir;
  private final Function<Path, Optional<Instant>> modifiedAt;

  /**
   * A parser for the job with this checkpoint folder.
   *
   * @param modifiedAt when a file was changed last; empty if there is no such file
   */
  public ProgressParser(Path checkpointDir, Function<Path, Optional<Instant>> modifiedAt) {
    this.checkpointDir = checkpointDir.normalize();
    this.modifiedAt = modifiedAt;
  }

  /**
   * Reads a file.
   *
   * @param startedAt start of the attempt: no time can be before it
   * @param now no time can be after it
   * @param lastSeq newest request that was made; 0 if none
   * @throws ProgressRefusedException with the first rule that is broken
   */
  public ProgressReport parse(byte[] file, Instant startedAt, Instant now, long lastSeq)
      throws ProgressRefusedException {
    JsonNode json = object(file);
    checkKeys(json);
    time(json, "t");
    integer(json, "pid", 1);
    Optional<Path> checkpoint = checkpointPath(json);
    Optional<Instant> stateTime = time(json, "ckpt_state_t");
    Optional<Instant> durableTime = time(json, "ckpt_durable_t");
    if (stateTime.isPresent()
        && durableTime.isPresent()
        && durableTime.get().isBefore(stateTime.get())) {
      throw new ProgressRefusedException(
          "ckpt_durable_t is before ckpt_state_t (expected: not before)");
    }
    Optional<Instant> fileTime = checkpoint.flatMap(modifiedAt);
    Instant latestState = fileTime.filter(now::isAfter).orElse(now);
    return new ProgressReport(
        integer(json, "step", 0),
        integer(json, "ckpt_step", 0),
        stateTime.map(t -> clamp(t, startedAt, latestState)),
        durableTime.map(t -> clamp(t, startedAt, now)),
        ackSeq(json, lastSeq),
        onDemand(json),
        state(json));
  }

  private static JsonNode object(byte[] file) throws ProgressRefusedException {
    if (file.length > BYTES_MAX) {
      throw new ProgressRefusedException(
          "it has " + file.length + " bytes (expected: at most " + BYTES_MAX + ")");
    }
    JsonNode json;
    try {
      json = JSON.readTree(file);
    } catch (JsonProcessingException e) {
      throw new ProgressRefusedException("it is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new ProgressRefusedException("it cannot be read: " + e.getMessage());
    }
    if (!json.isObject()) {
      throw new ProgressRefusedException("it is not a JSON object");
    }
    return json;
  }

  private static void checkKeys(JsonNode json) throws ProgressRefusedException {
    for (Iterator<String> keys = json.fieldNames(); keys.hasNext(); ) {
      String key = keys.next();
      if (!KEYS.contains(key)) {
        throw new ProgressRefusedException(
            "unknown key '"
                + shorten(key)
                + "' (expected: "
                + String.join(", ", KEYS.stream().sorted().toList())
                + ")");
      }
    }
  }

  private static OptionalLong integer(JsonNode json, String key, long min)
      throws ProgressRefusedException {
    JsonNode value = json.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return OptionalLong.empty();
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < min) {
      throw new ProgressRefusedException(
          key + ": " + shorten(value.toString()) + " (expected: a whole number >= " + min + ")");
    }
    return OptionalLong.of(value.longValue());
  }

  private static Optional<Instant> time(JsonNode json, String key) throws ProgressRefusedException {
    JsonNode value = json.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    double seconds = value.isNumber() ? value.doubleValue() : Double.NaN;
    // Up to the year 9999, so that what follows cannot overflow.
    if (!(seconds >= 0 && seconds < 253_402_300_800.0)) {
      throw new ProgressRefusedException(
          key + ": " + shorten(value.toString()) + " (expected: seconds since 1970)");
    }
    return Optional.of(Instant.ofEpochMilli(Math.round(seconds * 1_000)));
  }

  private Optional<Path> checkpointPath(JsonNode json) throws ProgressRefusedException {
    JsonNode value = json.path("ckpt_path");
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    try {
      if (value.isTextual()) {
        Path path = checkpointDir.resolve(value.textValue()).normalize();
        if (path.startsWith(checkpointDir)) {
          return Optional.of(path);
        }
      }
    } catch (InvalidPathException e) {
      // Falls through to the one message.
    }
    throw new ProgressRefusedException(
        "ckpt_path: "
            + shorten(value.toString())
            + " (expected: a path under "
            + checkpointDir
            + ")");
  }

  private static long ackSeq(JsonNode json, long lastSeq) throws ProgressRefusedException {
    long seq = integer(json, "ack_seq", 0).orElse(0);
    if (seq > lastSeq) {
      throw new ProgressRefusedException(
          "ack_seq: " + seq + " (expected: at most " + lastSeq + ", the newest request)");
    }
    return seq;
  }

  private static boolean onDemand(JsonNode json) throws ProgressRefusedException {
    JsonNode caps = json.path("caps");
    if (caps.isMissingNode() || caps.isNull()) {
      return false;
    }
    boolean onDemand = false;
    boolean good = caps.isArray() && caps.size() <= CAPS_MAX;
    for (JsonNode cap : caps) {
      good = good && cap.isTextual();
      onDemand |= cap.asText().equals("on_demand");
    }
    if (!good) {
      throw new ProgressRefusedException(
          "caps: "
              + shorten(caps.toString())
              + " (expected: a list of at most "
              + CAPS_MAX
              + " strings)");
    }
    return onDemand;
  }

  private static ProgressReport.State state(JsonNode json) throws ProgressRefusedException {
    JsonNode value = json.path("state");
    if (value.isMissingNode() || value.isNull()) {
      return ProgressReport.State.RUNNING;
    }
    for (ProgressReport.State state : ProgressReport.State.values()) {
      if (value.asText().equals(state.name().toLowerCase(Locale.ROOT))) {
        return state;
      }
    }
    throw new ProgressRefusedException(
        "state: " + shorten(value.toString()) + " (expected: running, saving, stopped or done)");
  }

  private static Instant clamp(Instant t, Instant min, Instant max) {
    Instant notLate = t.isAfter(max) ? max : t;
    return notLate.isBefore(min) ? min : notLate;
  }

  /** What a job wrote is not passed on at any length. */
  private static String shorten(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "...";
  }
}
