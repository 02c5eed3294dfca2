package io.quotashare.cli.simulate;

import io.quotashare.cli.output.Column;
import io.quotashare.cli.output.Style;
import io.quotashare.cli.output.TableWriter;
import io.quotashare.cli.yaml.Durations;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.Shape;
import io.quotashare.core.replay.FailedExpectation;
import io.quotashare.core.replay.ReplayRecord;
import io.quotashare.core.replay.ReplaySummary;
import io.quotashare.core.replay.ReplaySummary.NotHeld;
import io.quotashare.core.replay.ReplaySummary.ShareSummary;
import io.quotashare.core.replay.ReplaySummary.Waits;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes a replay for people: a line for everything that happens, then the figures. */
final class Timeline {
  private static final String LINE = "%9s  %-10s  %-12s  %s%n";

  private static final List<Column<NamedShare>> SHARE_COLUMNS =
      List.of(
          Column.text("SHARE", NamedShare::name),
          Column.number("OWN", x -> deviceTime(x.share().own())),
          Column.number("BORROWED", x -> deviceTime(x.share().borrowed())),
          Column.number("LENT", x -> deviceTime(x.share().lent())),
          Column.number("LOST", x -> deviceTime(x.share().lost())),
          Column.number("WAIT MEAN", x -> mean(x.share().waits())),
          Column.number("WAIT P95", x -> shown(x.share().waits().p95Millis())));

  /** One entry for every kind of line but the summary. */
  private static final List<Wording<?>> WORDINGS =
      List.of(
          wording(
              ReplayRecord.Submitted.class,
              x -> new Words("SUBMITTED", x.job().id(), submitted(x))),
          wording(
              ReplayRecord.Rejected.class,
              x -> new Words("REJECTED", x.job().id(), x.reason() + ": " + x.detail())),
          wording(
              ReplayRecord.WaitingFor.class,
              x -> new Words("WAITING", x.job().id(), x.reason() + ": " + x.detail())),
          wording(ReplayRecord.Started.class, x -> new Words("STARTED", x.job().id(), started(x))),
          wording(ReplayRecord.Running.class, x -> new Words("RUNNING", x.job().id(), "")),
          wording(
              ReplayRecord.Preempting.class,
              x -> new Words("PREEMPTING", x.job().id(), preempting(x))),
          wording(
              ReplayRecord.WouldPreempt.class,
              x -> new Words("WOULD_PREEMPT", x.job().id(), wouldPreempt(x))),
          wording(ReplayRecord.Stopped.class, x -> new Words("STOPPED", x.job().id(), stopped(x))),
          wording(ReplayRecord.Requeued.class, x -> new Words("RUNNABLE", x.job().id(), "")),
          wording(
              ReplayRecord.Ended.class, x -> new Words(x.state().name(), x.job().id(), x.reason())),
          wording(
              ReplayRecord.PriorityChanged.class,
              x -> new Words("PRIORITY", x.job().id(), "now " + x.priority())),
          wording(
              ReplayRecord.QueueChanged.class,
              x -> new Words("QUEUE", "", x.queue().name() + " is " + x.queue().preemptionMode())),
          wording(ReplayRecord.ShareChanged.class, x -> new Words("SHARE", "", share(x.share()))),
          wording(
              ReplayRecord.NodeChanged.class,
              x -> new Words("NODE", "", x.node() + " is " + x.state())));

  private final PrintWriter out;
  private final Style style;

  /** A share as the summary shows it. */
  private record NamedShare(String name, ShareSummary share) {}

  /** What a line says beside its time. */
  private record Words(String event, String job, String detail) {}

  private record Wording<R extends ReplayRecord>(Class<R> type, Function<R, Words> words) {
    Optional<Words> ifOfType(ReplayRecord line) {
      return type.isInstance(line) ? Optional.of(words.apply(type.cast(line))) : Optional.empty();
    }
  }

  Timeline(PrintWriter out, Style style) {
    this.out = out;
    this.style = style;
  }

  /** Begins the timeline of a scenario. */
  void begin(String name) {
    out.println(name);
    out.println();
    out.printf(LINE, "TIME", "EVENT", "JOB", "DETAIL");
  }

  /** Writes one line; the summary stands apart. */
  void write(ReplayRecord line) {
    if (line instanceof ReplayRecord.Summary x) {
      out.println();
      summary(x);
      return;
    }
    Words words = wordsFor(line);
    String text =
        String.format(LINE, shown(line.atMillis()), words.event(), words.job(), words.detail());
    out.println(text.stripTrailing());
  }

  /** What did not hold, one line each. */
  void failures(List<FailedExpectation> failures) {
    for (FailedExpectation failure : failures) {
      out.println("  " + sentence(failure));
    }
  }

  /** A failed expectation in one sentence. */
  static String sentence(FailedExpectation failure) {
    return "at "
        + shown(failure.atMillis())
        + " job "
        + failure.job().id()
        + " should be "
        + failure.expected()
        + ", but is "
        + failure.actual();
  }

  private static <R extends ReplayRecord> Wording<R> wording(
      Class<R> type, Function<R, Words> words) {
    return new Wording<>(type, words);
  }

  private static Words wordsFor(ReplayRecord line) {
    return WORDINGS.stream()
        .flatMap(wording -> wording.ifOfType(line).stream())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("a line without words: " + line));
  }

  private static String submitted(ReplayRecord.Submitted x) {
    String what = shape(x.shape(), x.unit());
    return "to " + x.share() + ", " + what + ", priority " + x.priority();
  }

  private static String preempting(ReplayRecord.Preempting x) {
    String why = x.beneficiary() == null ? "" : " for " + x.beneficiary().id();
    return x.cause() + why + ", gone at " + shown(x.deadlineMillis()) + " at the latest";
  }

  private static String wouldPreempt(ReplayRecord.WouldPreempt x) {
    String why = x.beneficiary() == null ? "" : " for " + x.beneficiary().id();
    return x.cause() + why + ", its queue only observes";
  }

  private static String share(QuotaShare share) {
    String capacity =
        share.capacity().entrySet().stream()
            .map(unit -> unit.getValue() + " " + unit.getKey())
            .collect(Collectors.joining(", "));
    String owns = capacity.isEmpty() ? "nothing" : capacity;
    return share.key().share() + " owns " + owns + ", " + share.strategy();
  }

  private static String started(ReplayRecord.Started x) {
    String places =
        x.devices().entrySet().stream()
            .map(e -> e.getKey() + ranges(e.getValue()))
            .collect(Collectors.joining(" "));
    String whose =
        x.borrowed() == 0
            ? "own"
            : x.own() == 0 ? "borrowed" : x.own() + " own, " + x.borrowed() + " borrowed";
    return "attempt " + x.attempt() + " on " + places + ", " + whose;
  }

  /** {@code [0-3,6]}. */
  private static String ranges(List<Integer> indexes) {
    StringBuilder text = new StringBuilder("[");
    int i = 0;
    while (i < indexes.size()) {
      int from = i;
      while (i + 1 < indexes.size() && indexes.get(i + 1) == indexes.get(i) + 1) {
        i++;
      }
      text.append(text.length() == 1 ? "" : ",").append(indexes.get(from));
      text.append(i == from ? "" : "-" + indexes.get(i));
      i++;
    }
    return text.append("]").toString();
  }

  private static String stopped(ReplayRecord.Stopped x) {
    String saved = x.checkpointed() ? "saved, " : "";
    return saved + "lost " + deviceTime(x.lostDeviceMillis());
  }

  private static String shape(Shape shape, String unit) {
    String perNode = shape.gpusPerNode() + " " + unit;
    return shape.nodes() == 1 ? perNode : shape.nodes() + " nodes x " + perNode;
  }

  private void summary(ReplayRecord.Summary line) {
    ReplaySummary x = line.summary();
    int ended = x.jobs().succeeded() + x.jobs().failed() + x.jobs().cancelled();
    out.printf(
        "Jobs          %d = %d succeeded + %d failed + %d cancelled + %d not ended by %s%n",
        x.jobs().submitted(),
        x.jobs().succeeded(),
        x.jobs().failed(),
        x.jobs().cancelled(),
        x.jobs().submitted() - ended,
        shown(line.atMillis()));
    out.println("Waits         " + waits(x.waits()));
    out.println("Makespan      " + shown(x.makespanMillis()));
    out.println(
        "Preemptions   "
            + x.preemptions().entrySet().stream()
                .map(e -> e.getKey() + " " + e.getValue())
                .collect(Collectors.joining(", "))
            + "; futile "
            + x.futilePreemptions());
    out.printf(Locale.ROOT, "Utilization   %.1f %%%n", 100 * x.utilization());
    out.println("GPU time      " + gpuTime(x.held(), x.notHeld()));
    out.println();
    List<NamedShare> shares = new ArrayList<>();
    x.shares()
        .forEach(
            (queue, byName) -> {
              // A share is named alone where that is unambiguous.
              String prefix = x.shares().size() == 1 ? "" : queue + "/";
              byName.forEach((name, share) -> shares.add(new NamedShare(prefix + name, share)));
            });
    new TableWriter(style).write(out, SHARE_COLUMNS, shares);
  }

  private static String waits(Waits waits) {
    return "mean "
        + mean(waits)
        + ", p50 "
        + shown(waits.p50Millis())
        + ", p95 "
        + shown(waits.p95Millis())
        + ", p99 "
        + shown(waits.p99Millis())
        + ", max "
        + shown(waits.maxMillis());
  }

  /** A sum of the classes that are not 0; it always adds up (quota-semantics 6.7). */
  private static String gpuTime(DeviceMillis held, NotHeld notHeld) {
    Map<String, Long> classes = new LinkedHashMap<>();
    classes.put("useful", held.useful());
    classes.put("startup", held.startup());
    classes.put("lost", held.lost());
    classes.put("saving", held.saving());
    classes.put("draining", held.draining());
    classes.put("held for a beneficiary", notHeld.heldForBeneficiary());
    classes.put("reserved idle", notHeld.reservedIdle());
    classes.put("idle", notHeld.idle());
    classes.put("unhealthy", notHeld.unhealthy());
    classes.put("held outside", notHeld.outside());
    long total = classes.values().stream().mapToLong(Long::longValue).sum();
    String parts =
        classes.entrySet().stream()
            .filter(e -> e.getValue() != 0)
            .map(e -> deviceTime(e.getValue()) + " " + e.getKey())
            .collect(Collectors.joining(" + "));
    return deviceTime(total) + (parts.isEmpty() ? "" : " = " + parts);
  }

  /** A mean is no time at which anything happened: fractions of a second say nothing. */
  private static String mean(Waits waits) {
    return shown(Math.round(waits.meanMillis() / 1000) * 1000);
  }

  /** Device time as the time of one device. */
  private static String deviceTime(long deviceMillis) {
    return shown(deviceMillis);
  }

  private static String shown(long millis) {
    return Durations.format(Duration.ofMillis(millis));
  }
}
