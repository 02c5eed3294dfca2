package io.quotashare.cli.simulate;

import static io.quotashare.core.model.Check.checkState;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.replay.ReplayRecord;
import io.quotashare.core.replay.ReplaySummary;
import io.quotashare.core.replay.ReplaySummary.NotHeld;
import io.quotashare.core.replay.ReplaySummary.ShareSummary;
import io.quotashare.core.replay.ReplaySummary.Waits;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Writes a replay for programs: one JSON object a line, keys as in scenario-format, Output. */
final class JsonLines {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int UTILIZATION_DECIMALS = 4;

  /** One entry for every kind of line. */
  private static final List<Form<?>> FORMS =
      List.of(
          form(ReplayRecord.Submitted.class, JsonLines::submitted),
          form(ReplayRecord.Rejected.class, JsonLines::rejected),
          form(ReplayRecord.WaitingFor.class, JsonLines::waiting),
          form(ReplayRecord.Started.class, JsonLines::started),
          form(ReplayRecord.Running.class, JsonLines::running),
          form(ReplayRecord.Preempting.class, JsonLines::preempting),
          form(ReplayRecord.WouldPreempt.class, JsonLines::wouldPreempt),
          form(ReplayRecord.Stopped.class, JsonLines::stopped),
          form(ReplayRecord.Requeued.class, JsonLines::requeued),
          form(ReplayRecord.Ended.class, JsonLines::ended),
          form(ReplayRecord.PriorityChanged.class, JsonLines::priority),
          form(ReplayRecord.QueueChanged.class, JsonLines::queue),
          form(ReplayRecord.ShareChanged.class, JsonLines::share),
          form(ReplayRecord.NodeChanged.class, JsonLines::node),
          form(ReplayRecord.Summary.class, JsonLines::summary));

  private final PrintWriter out;
  private final @Nullable String scenario;

  /** Writes the fields of one kind of line, from {@code event} on. */
  @FunctionalInterface
  private interface Fields<R extends ReplayRecord> {
    void write(JsonGenerator json, R line) throws IOException;
  }

  private record Form<R extends ReplayRecord>(Class<R> type, Fields<R> fields) {
    boolean writesIfOfType(JsonGenerator json, ReplayRecord line) throws IOException {
      if (!type.isInstance(line)) {
        return false;
      }
      fields.write(json, type.cast(line));
      return true;
    }
  }

  /**
   * @param scenario name of the file, which every line carries where there are several; null if not
   */
  JsonLines(PrintWriter out, @Nullable String scenario) {
    this.out = out;
    this.scenario = scenario;
  }

  /** Writes one line. */
  void write(ReplayRecord line) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      if (scenario != null) {
        json.writeStringField("scenario", scenario);
      }
      seconds(json, "t", line.atMillis());
      boolean written = false;
      for (Form<?> form : FORMS) {
        written |= form.writesIfOfType(json, line);
      }
      checkState(written, "a line that has no form: %s", line);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a text in memory cannot be written", e);
    }
    out.println(text);
  }

  private static <R extends ReplayRecord> Form<R> form(Class<R> type, Fields<R> fields) {
    return new Form<>(type, fields);
  }

  private static void submitted(JsonGenerator json, ReplayRecord.Submitted x) throws IOException {
    job(json, "SUBMITTED", x.job());
    json.writeStringField("share", x.share());
    json.writeNumberField("priority", x.priority());
    json.writeNumberField("nodes", x.shape().nodes());
    json.writeNumberField("gpusPerNode", x.shape().gpusPerNode());
    json.writeStringField("unit", x.unit());
  }

  private static void rejected(JsonGenerator json, ReplayRecord.Rejected x) throws IOException {
    job(json, "REJECTED", x.job());
    json.writeStringField("reason", x.reason());
    json.writeStringField("detail", x.detail());
  }

  private static void waiting(JsonGenerator json, ReplayRecord.WaitingFor x) throws IOException {
    job(json, "WAITING", x.job());
    json.writeStringField("reason", x.reason().name());
    json.writeStringField("detail", x.detail());
  }

  private static void running(JsonGenerator json, ReplayRecord.Running x) throws IOException {
    job(json, "RUNNING", x.job());
    json.writeNumberField("attempt", x.attempt());
  }

  private static void stopped(JsonGenerator json, ReplayRecord.Stopped x) throws IOException {
    job(json, "STOPPED", x.job());
    json.writeNumberField("attempt", x.attempt());
    seconds(json, "lostDeviceSeconds", x.lostDeviceMillis());
    json.writeBooleanField("checkpointed", x.checkpointed());
  }

  private static void requeued(JsonGenerator json, ReplayRecord.Requeued x) throws IOException {
    job(json, "RUNNABLE", x.job());
  }

  private static void ended(JsonGenerator json, ReplayRecord.Ended x) throws IOException {
    job(json, x.state().name(), x.job());
    if (x.state() != JobState.SUCCEEDED) {
      json.writeStringField("reason", x.reason());
    }
  }

  private static void priority(JsonGenerator json, ReplayRecord.PriorityChanged x)
      throws IOException {
    job(json, "PRIORITY", x.job());
    json.writeNumberField("priority", x.priority());
  }

  private static void node(JsonGenerator json, ReplayRecord.NodeChanged x) throws IOException {
    json.writeStringField("event", "NODE");
    json.writeStringField("node", x.node());
    json.writeStringField("state", x.state().name());
  }

  private static void job(JsonGenerator json, String event, JobKey job) throws IOException {
    json.writeStringField("event", event);
    json.writeStringField("job", job.id());
  }

  private static void started(JsonGenerator json, ReplayRecord.Started x) throws IOException {
    job(json, "STARTED", x.job());
    json.writeStringField("share", x.share());
    json.writeNumberField("attempt", x.attempt());
    json.writeObjectFieldStart("devices");
    for (Map.Entry<String, List<Integer>> node : x.devices().entrySet()) {
      json.writeArrayFieldStart(node.getKey());
      for (int index : node.getValue()) {
        json.writeNumber(index);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
    json.writeNumberField("own", x.own());
    json.writeNumberField("borrowed", x.borrowed());
  }

  private static void preempting(JsonGenerator json, ReplayRecord.Preempting x) throws IOException {
    job(json, "PREEMPTING", x.job());
    json.writeStringField("cause", x.cause().name());
    if (x.beneficiary() != null) {
      json.writeStringField("for", x.beneficiary().id());
    }
    seconds(json, "deadline", x.deadlineMillis());
  }

  private static void wouldPreempt(JsonGenerator json, ReplayRecord.WouldPreempt x)
      throws IOException {
    job(json, "WOULD_PREEMPT", x.job());
    json.writeStringField("cause", x.cause().name());
    if (x.beneficiary() != null) {
      json.writeStringField("for", x.beneficiary().id());
    }
    seconds(json, "costDeviceSeconds", x.costDeviceMillis());
  }

  private static void queue(JsonGenerator json, ReplayRecord.QueueChanged x) throws IOException {
    json.writeStringField("event", "QUEUE");
    json.writeStringField("queue", x.queue().name());
    json.writeStringField("preemptionMode", x.queue().preemptionMode().name());
  }

  private static void share(JsonGenerator json, ReplayRecord.ShareChanged x) throws IOException {
    QuotaShare share = x.share();
    json.writeStringField("event", "SHARE");
    json.writeStringField("queue", share.key().queue());
    json.writeStringField("share", share.key().share());
    json.writeObjectFieldStart("capacity");
    for (Map.Entry<String, Integer> unit : share.capacity().entrySet()) {
      json.writeNumberField(unit.getKey(), unit.getValue());
    }
    json.writeEndObject();
    json.writeStringField("strategy", share.strategy().name());
  }

  private static void summary(JsonGenerator json, ReplayRecord.Summary line) throws IOException {
    ReplaySummary x = line.summary();
    json.writeStringField("event", "SUMMARY");
    json.writeNumberField(
        "utilization",
        BigDecimal.valueOf(x.utilization()).setScale(UTILIZATION_DECIMALS, RoundingMode.HALF_UP));
    json.writeObjectFieldStart("waitSeconds");
    mean(json, x.waits());
    seconds(json, "p50", x.waits().p50Millis());
    seconds(json, "p95", x.waits().p95Millis());
    seconds(json, "p99", x.waits().p99Millis());
    seconds(json, "max", x.waits().maxMillis());
    json.writeEndObject();
    seconds(json, "makespanSeconds", x.makespanMillis());
    json.writeObjectFieldStart("jobs");
    json.writeNumberField("submitted", x.jobs().submitted());
    json.writeNumberField("succeeded", x.jobs().succeeded());
    json.writeNumberField("failed", x.jobs().failed());
    json.writeNumberField("cancelled", x.jobs().cancelled());
    json.writeEndObject();
    json.writeObjectFieldStart("preemptions");
    for (var cause : x.preemptions().entrySet()) {
      json.writeNumberField(cause.getKey().name(), cause.getValue());
    }
    json.writeEndObject();
    json.writeNumberField("futilePreemptions", x.futilePreemptions());
    deviceSeconds(json, x.held(), x.notHeld());
    json.writeObjectFieldStart("shares");
    for (var queue : x.shares().entrySet()) {
      // A share is named alone where that is unambiguous.
      String prefix = x.shares().size() == 1 ? "" : queue.getKey() + "/";
      shares(json, prefix, queue.getValue());
    }
    json.writeEndObject();
  }

  private static void deviceSeconds(JsonGenerator json, DeviceMillis held, NotHeld notHeld)
      throws IOException {
    json.writeObjectFieldStart("deviceSeconds");
    seconds(json, "useful", held.useful());
    seconds(json, "startup", held.startup());
    seconds(json, "lost", held.lost());
    seconds(json, "saving", held.saving());
    seconds(json, "draining", held.draining());
    seconds(json, "heldForBeneficiary", notHeld.heldForBeneficiary());
    seconds(json, "reservedIdle", notHeld.reservedIdle());
    seconds(json, "idle", notHeld.idle());
    seconds(json, "unhealthy", notHeld.unhealthy());
    seconds(json, "outside", notHeld.outside());
    json.writeEndObject();
  }

  private static void shares(
      JsonGenerator json, String prefix, SortedMap<String, ShareSummary> shares)
      throws IOException {
    for (var share : shares.entrySet()) {
      json.writeObjectFieldStart(prefix + share.getKey());
      seconds(json, "own", share.getValue().own());
      seconds(json, "borrowed", share.getValue().borrowed());
      seconds(json, "lent", share.getValue().lent());
      seconds(json, "lost", share.getValue().lost());
      json.writeObjectFieldStart("waitSeconds");
      mean(json, share.getValue().waits());
      seconds(json, "p95", share.getValue().waits().p95Millis());
      json.writeEndObject();
      json.writeEndObject();
    }
  }

  private static void mean(JsonGenerator json, Waits waits) throws IOException {
    seconds(json, "mean", Math.round(waits.meanMillis()));
  }

  /** Seconds with at least one decimal, never in exponent form. */
  private static void seconds(JsonGenerator json, String key, long millis) throws IOException {
    BigDecimal value = BigDecimal.valueOf(millis, 3).stripTrailingZeros();
    json.writeFieldName(key);
    json.writeNumber((value.scale() < 1 ? value.setScale(1) : value).toPlainString());
  }
}
