package io.quotashare.agent.supervise;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The records that the shim leaves in a run folder, see the head of qs-shim.c.
 *
 * @param failed why the job could not be started
 * @param started that it was started
 * @param ladder signals that were sent
 * @param exit how the main process ended
 * @param empty whether every process is gone
 */
record RunRecords(
    Optional<LaunchFailure> failed,
    Optional<StartedRecord> started,
    Ladder ladder,
    Optional<ExitRecord> exit,
    boolean empty) {

  private static final int RECORD_BYTES_MAX = 4096;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads what is there. The order matters: what is written last is read first, so a record is
   * never missed that was there before a later one that was seen.
   *
   * <p>What is not as the shim writes it is a job's doing, as the shim replaces files as a whole.
   * It counts as not there: to wait for it to be mended would be to wait for ever.
   *
   * @throws IOException if a record cannot be read
   */
  static RunRecords read(Path runDir) throws IOException {
    boolean empty = record(runDir, "empty", json -> json).isPresent();
    Optional<ExitRecord> exit = record(runDir, "exit", RunRecords::exit);
    Optional<Ladder> ladder = record(runDir, "ladder", RunRecords::ladder);
    Optional<StartedRecord> started = record(runDir, "started", RunRecords::started);
    Optional<LaunchFailure> failed = record(runDir, "failed", RunRecords::failure);
    return new RunRecords(failed, started, ladder.orElse(Ladder.NONE), exit, empty);
  }

  private static <T> Optional<T> record(Path runDir, String name, Function<JsonNode, T> reader)
      throws IOException {
    Path file = runDir.resolve(name);
    if (Files.exists(file, NOFOLLOW_LINKS) && !isPlausible(file)) {
      return Optional.empty();
    }
    Optional<byte[]> bytes = SmallFiles.read(file, RECORD_BYTES_MAX);
    try {
      return bytes.isEmpty()
          ? Optional.empty()
          : Optional.of(reader.apply(JSON.readTree(bytes.get())));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static boolean isPlausible(Path file) throws IOException {
    try {
      return Files.isRegularFile(file, NOFOLLOW_LINKS) && Files.size(file) <= RECORD_BYTES_MAX;
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  private static LaunchFailure failure(JsonNode json) {
    return new LaunchFailure(
        LaunchFailure.Stage.valueOf(text(json, "stage").toUpperCase(Locale.ROOT)),
        (int) number(json, "errno"),
        json.path("device").asText(""));
  }

  private static StartedRecord started(JsonNode json) {
    return new StartedRecord(
        new ProcessIdentity((int) number(json, "shim_pid"), number(json, "shim_ticks")),
        new ProcessIdentity((int) number(json, "pid"), number(json, "ticks")),
        text(json, "boot_id"),
        Instant.ofEpochMilli(number(json, "time_ms")));
  }

  private static Ladder ladder(JsonNode json) {
    return new Ladder(instant(json, "term_sent_ms"), instant(json, "kill_sent_ms"));
  }

  private static ExitRecord exit(JsonNode json) {
    return new ExitRecord(
        json.has("code") ? OptionalInt.of((int) number(json, "code")) : OptionalInt.empty(),
        json.has("signal") ? OptionalInt.of((int) number(json, "signal")) : OptionalInt.empty(),
        ExitRecord.Cause.valueOf(text(json, "cause").toUpperCase(Locale.ROOT)),
        ladder(json),
        Instant.ofEpochMilli(number(json, "time_ms")));
  }

  private static Optional<Instant> instant(JsonNode json, String key) {
    long millis = number(json, key);
    return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  private static long number(JsonNode json, String key) {
    JsonNode value = json.path(key);
    if (!value.isIntegralNumber()) {
      throw new IllegalArgumentException(key + " is " + value + " (expected: a whole number)");
    }
    return value.longValue();
  }

  private static String text(JsonNode json, String key) {
    JsonNode value = json.path(key);
    if (!value.isTextual()) {
      throw new IllegalArgumentException(key + " is " + value + " (expected: a text)");
    }
    return value.textValue();
  }
}
