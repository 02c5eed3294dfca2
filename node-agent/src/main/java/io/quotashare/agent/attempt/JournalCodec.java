package io.quotashare.agent.attempt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.TextFormat;
import io.quotashare.agent.attempt.AttemptJournal.Acknowledged;
import io.quotashare.agent.attempt.AttemptJournal.Entry;
import io.quotashare.agent.attempt.AttemptJournal.Generation;
import io.quotashare.agent.attempt.AttemptJournal.Over;
import io.quotashare.agent.attempt.AttemptJournal.Requested;
import io.quotashare.agent.attempt.AttemptJournal.StartIntent;
import io.quotashare.agent.attempt.AttemptJournal.Started;
import io.quotashare.agent.supervise.ProcessIdentity;
import io.quotashare.agent.supervise.StartedRecord;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Journal entries as JSON, one object each; {@code spec.json} has the same form of a spec. */
final class JournalCodec {
  private static final ObjectMapper JSON = new ObjectMapper();

  private JournalCodec() {}

  static String write(Entry entry) {
    ObjectNode json = JSON.createObjectNode();
    if (entry instanceof Generation generation) {
      json.put("entry", "generation").put("number", generation.number());
    } else if (entry instanceof StartIntent intent) {
      json.put("entry", "start_intent").put("epoch", intent.epoch());
      json.set("spec", spec(intent.spec()));
    } else if (entry instanceof Started started) {
      StartedRecord record = started.record();
      json.put("entry", "started")
          .put("attempt", started.attempt().toString())
          .put("shim_pid", record.supervisor().pid())
          .put("shim_ticks", record.supervisor().startTicks())
          .put("pid", record.main().pid())
          .put("ticks", record.main().startTicks())
          .put("boot_id", record.bootId())
          .put("time_ms", record.startedAt().toEpochMilli());
    } else if (entry instanceof Requested requested) {
      json.put("entry", "requested")
          .put("attempt", requested.attempt().toString())
          .put("seq", requested.seq())
          .put("reason", requested.reason().name())
          .put("at_ms", requested.at().toEpochMilli())
          .put("stop", requested.stop())
          .put("save_first", requested.saveFirst())
          .put("kill_boot_ms", requested.killBootMillis());
    } else if (entry instanceof Over over) {
      json.put("entry", "over")
          .put("attempt", over.attempt().toString())
          .put(
              "status",
              TextFormat.printer().emittingSingleLine(true).printToString(over.status()).strip());
    } else if (entry instanceof Acknowledged acknowledged) {
      json.put("entry", "acknowledged").put("attempt", acknowledged.attempt().toString());
    } else {
      throw new AssertionError("no such entry: " + entry);
    }
    return json.toString();
  }

  /**
   * Reads an entry.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Entry read(String line) {
    try {
      JsonNode json = JSON.readTree(line);
      String kind = json.path("entry").asText();
      return switch (kind) {
        case "generation" -> new Generation(number(json, "number"));
        case "start_intent" -> new StartIntent(spec(json.path("spec")), number(json, "epoch"));
        case "started" ->
            new Started(
                AttemptName.parse(text(json, "attempt")),
                new StartedRecord(
                    new ProcessIdentity((int) number(json, "shim_pid"), number(json, "shim_ticks")),
                    new ProcessIdentity((int) number(json, "pid"), number(json, "ticks")),
                    text(json, "boot_id"),
                    Instant.ofEpochMilli(number(json, "time_ms"))));
        case "requested" ->
            new Requested(
                AttemptName.parse(text(json, "attempt")),
                number(json, "seq"),
                StopReason.valueOf(text(json, "reason")),
                Instant.ofEpochMilli(number(json, "at_ms")),
                json.path("stop").asBoolean(),
                json.path("save_first").asBoolean(),
                number(json, "kill_boot_ms"));
        case "over" ->
            new Over(
                AttemptName.parse(text(json, "attempt")),
                TextFormat.parse(text(json, "status"), AttemptStatus.class));
        case "acknowledged" -> new Acknowledged(AttemptName.parse(text(json, "attempt")));
        default -> throw new IllegalArgumentException("entry: '" + kind + "' is not known");
      };
    } catch (JsonProcessingException | TextFormat.ParseException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  static ObjectNode spec(AttemptSpec spec) {
    ObjectNode json = JSON.createObjectNode();
    json.put("attempt", spec.name().toString());
    json.put("share", spec.share());
    json.put("rank", spec.rank()).put("nodes", spec.nodes());
    json.put("grace_ms", spec.graceMillis());
    spec.lostAfterMillis().ifPresent(millis -> json.put("lost_after_ms", millis));
    json.put("on_demand_checkpoint", spec.onDemandCheckpoint());
    json.put("job_sequence", spec.jobSequence());
    spec.deviceUuids().forEach(json.putArray("device_uuids")::add);
    spec.command().forEach(json.putArray("command")::add);
    return json;
  }

  /**
   * Reads a spec.
   *
   * @throws IllegalArgumentException if it is none
   */
  static AttemptSpec readSpec(String text) {
    try {
      return spec(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static AttemptSpec spec(JsonNode json) {
    return new AttemptSpec(
        AttemptName.parse(text(json, "attempt")),
        text(json, "share"),
        texts(json, "device_uuids"),
        (int) number(json, "rank"),
        (int) number(json, "nodes"),
        texts(json, "command"),
        number(json, "grace_ms"),
        json.has("lost_after_ms")
            ? OptionalLong.of(number(json, "lost_after_ms"))
            : OptionalLong.empty(),
        json.path("on_demand_checkpoint").asBoolean(),
        json.path("job_sequence").asLong());
  }

  private static long number(JsonNode json, String key) {
    JsonNode value = json.path(key);
    if (!value.isIntegralNumber()) {
      throw new IllegalArgumentException(key + ": " + value + " (expected: a whole number)");
    }
    return value.longValue();
  }

  private static String text(JsonNode json, String key) {
    JsonNode value = json.path(key);
    if (!value.isTextual()) {
      throw new IllegalArgumentException(key + ": " + value + " (expected: a text)");
    }
    return value.textValue();
  }

  private static List<String> texts(JsonNode json, String key) {
    List<String> texts = new ArrayList<>();
    json.path(key).forEach(item -> texts.add(item.asText()));
    return texts;
  }
}
