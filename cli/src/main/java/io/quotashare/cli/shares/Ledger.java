package io.quotashare.cli.shares;

import io.quotashare.cli.output.Column;
import io.quotashare.cli.output.Style;
import io.quotashare.cli.output.TableWriter;
import io.quotashare.cli.output.Times;
import io.quotashare.cli.output.Tone;
import io.quotashare.client.DeviceSeconds;
import io.quotashare.client.ShareDeviceSeconds;
import io.quotashare.client.UsageInterval;
import io.quotashare.client.UsageReport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A usage report for people: bars that add up, then the shares. */
public final class Ledger {
  private static final int BAR = 30;

  /** One class of device-seconds. */
  private record Line(String name, double seconds, double share, String meaning, Tone tone) {}

  private final Style style;

  /** With or without colours. */
  public Ledger(Style style) {
    this.style = style;
  }

  /** Writes the report. */
  public void write(PrintWriter out, UsageReport report) {
    double total = report.totalDeviceSeconds();
    if (report.start() != null && report.end() != null) {
      out.println("from " + Times.date(report.start()) + " to " + Times.date(report.end()));
    }
    List<Column<Line>> columns =
        List.of(
            Column.<Line>text("CLASS", Line::name).toned(Line::tone),
            Column.number("GPU-S", line -> Times.oneDigit(line.seconds())),
            Column.number("%", line -> String.format(Locale.ROOT, "%.1f", 100 * line.share())),
            Column.<Line>text("", line -> bar(line.share())).toned(Line::tone),
            Column.<Line>text("MEANS", Line::meaning).toned(line -> Tone.DIM));
    new TableWriter(style).write(out, columns, lines(report.classes(), total));
    out.println(sumLine(report.classes(), total));
    if (!report.shares().isEmpty()) {
      out.println();
      shares(out, report);
    }
    if (!report.intervals().isEmpty()) {
      out.println();
      intervals(out, report);
    }
    out.println();
    out.println("futile preemptions: " + report.futilePreemptions());
    out.flush();
  }

  /** The classes and the total; says so if they do not agree. */
  public static String sumLine(UsageReport report) {
    return sumLine(report.classes(), report.totalDeviceSeconds());
  }

  private static String sumLine(DeviceSeconds classes, double total) {
    double sum = classes.sum();
    String line =
        "sum "
            + Times.oneDigit(sum)
            + " GPU-s = devices x wall time "
            + Times.oneDigit(total)
            + " GPU-s";
    return addsUp(classes, total) ? line : line + ": THEY DO NOT AGREE, a fault of the scheduler";
  }

  /** True if the classes add up to devices times wall time, but for rounding. */
  public static boolean addsUp(UsageReport report) {
    return addsUp(report.classes(), report.totalDeviceSeconds());
  }

  private static boolean addsUp(DeviceSeconds classes, double total) {
    return Math.abs(classes.sum() - total) <= Math.max(1e-3, total * 1e-6);
  }

  /** One line an interval: its classes and its total, which is their sum. */
  private void intervals(PrintWriter out, UsageReport report) {
    List<Column<UsageInterval>> columns =
        List.of(
            Column.<UsageInterval>text("FROM", i -> Times.date(i.start())),
            Column.<UsageInterval>text("TO", i -> Times.date(i.end())),
            seconds("USEFUL", DeviceSeconds::useful),
            seconds("STARTUP", DeviceSeconds::startup),
            seconds("LOST", DeviceSeconds::lost),
            seconds("SAVING", DeviceSeconds::saving),
            seconds("DRAINING", DeviceSeconds::draining),
            seconds("KEPT", DeviceSeconds::heldForBeneficiary),
            seconds("RESERVED", DeviceSeconds::reservedIdle),
            seconds("IDLE", DeviceSeconds::idle),
            seconds("UNHEALTHY", DeviceSeconds::unhealthy),
            seconds("OUTSIDE", DeviceSeconds::outside),
            Column.<UsageInterval>number("GPU-S", i -> Times.oneDigit(i.totalDeviceSeconds())));
    new TableWriter(style).write(out, columns, report.intervals());
    for (UsageInterval interval : report.intervals()) {
      if (!addsUp(interval.classes(), interval.totalDeviceSeconds())) {
        out.println(
            "from "
                + Times.date(interval.start())
                + ": "
                + sumLine(interval.classes(), interval.totalDeviceSeconds()));
      }
    }
  }

  private static Column<UsageInterval> seconds(
      String title, ToDoubleFunction<DeviceSeconds> value) {
    return Column.number(title, i -> Times.oneDigit(value.applyAsDouble(i.classes())));
  }

  private void shares(PrintWriter out, UsageReport report) {
    List<Column<ShareDeviceSeconds>> columns =
        List.of(
            Column.text("SHARE", ShareDeviceSeconds::share),
            Column.text("UNIT", ShareDeviceSeconds::unit),
            Column.number("OWN", s -> Times.oneDigit(s.own())),
            Column.number("BORROWED", s -> Times.oneDigit(s.borrowed())),
            Column.number("OVER", s -> Times.oneDigit(s.over())),
            Column.number("LENT", s -> Times.oneDigit(s.lent())),
            Column.number("IDLE", s -> Times.oneDigit(s.idle())),
            Column.number("USEFUL", s -> Times.oneDigit(s.classes().useful())),
            Column.number("LOST", s -> Times.oneDigit(s.classes().lost())));
    new TableWriter(style).write(out, columns, report.shares());
  }

  private static List<Line> lines(DeviceSeconds c, double total) {
    return List.of(
        line("useful", c.useful(), total, "work that was kept", Tone.GOOD),
        line("startup", c.startup(), total, "from the start to the first progress", Tone.WAIT),
        line("lost", c.lost(), total, "work after the last checkpoint of a stop", Tone.BAD),
        line("saving", c.saving(), total, "from the request to save to saved", Tone.WAIT),
        line("draining", c.draining(), total, "from saved to free", Tone.WAIT),
        line(
            "kept for a job",
            c.heldForBeneficiary(),
            total,
            "free, for a job that is about to start",
            Tone.WAIT),
        line("reserved idle", c.reservedIdle(), total, "idle, and not to be lent", Tone.DIM),
        line("idle", c.idle(), total, "free for anybody", Tone.DIM),
        line("unhealthy", c.unhealthy(), total, "not usable, or its node is not", Tone.BAD),
        line("held outside", c.outside(), total, "processes outside the scheduler", Tone.BAD));
  }

  private static Line line(String name, double seconds, double total, String meaning, Tone tone) {
    return new Line(name, seconds, total <= 0 ? 0 : seconds / total, meaning, tone);
  }

  /** A bar of up to thirty cells; anything above 0 shows at least a sliver. */
  private static String bar(double share) {
    int eighths = (int) Math.round(share * BAR * 8);
    if (eighths == 0) {
      return share > 0 ? "▏" : "";
    }
    String full = "█".repeat(eighths / 8);
    int rest = eighths % 8;
    return rest == 0 ? full : full + (char) ('█' + 8 - rest);
  }
}
