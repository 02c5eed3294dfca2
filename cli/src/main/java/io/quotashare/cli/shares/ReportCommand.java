package io.quotashare.cli.shares;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.UsageException;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Moments;
import io.quotashare.cli.output.Resource;
import io.quotashare.cli.yaml.Durations;
import io.quotashare.client.UsageQuery;
import io.quotashare.client.UsageReport;
import io.quotashare.client.internal.QueueProtos;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quotashare report}. */
@Command(
    name = "report",
    description = {
      "Show where every GPU-second of a queue went.",
      "The classes add up to devices times wall time. An instant is written 2026-03-01,"
          + " 2026-03-01T12:00 (in the local zone), 2026-03-01T12:00:00Z, or 24h for 24 hours ago. A"
          + " report begins and ends at instants that are kept, every 5 minutes by default, and covers"
          + " at least what was asked for."
    },
    footer = {
      "  quotashare report",
      "  quotashare report --share vision --from 24h --step 1h",
      "  quotashare report --from 2026-03-01 --to 2026-04-01 -o json"
    })
public final class ReportCommand extends ListCommand {
  @Mixin private QueueArgument queue = new QueueArgument();

  @Option(
      names = "--share",
      paramLabel = "SHARE",
      description = "Of the shares only this one. Default: all.")
  private String share = "";

  @Option(
      names = "--from",
      paramLabel = "INSTANT",
      description = "Start of the report. Default: when the queue first had devices.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "INSTANT", description = "End of the report. Default: now.")
  private @Nullable String to;

  @Option(
      names = "--step",
      paramLabel = "DURATION",
      description =
          "Also by intervals of this length, at least 1m, at most 1000 of them; longer where no"
              + " instant is kept to cut at. Default: not divided.")
  private @Nullable Duration step;

  @Override
  protected void show(Session session, Format format) {
    String name = queue.resolve(session);
    UsageReport report = session.client().queues().usageReport(name, query(session));
    Resource<UsageReport> resource =
        new Resource<>("reports", List.of(), r -> "queues/" + name, QueueProtos::toProto);
    session
        .printer()
        .one(format, resource, report, out -> new Ledger(session.style()).write(out, report));
  }

  private UsageQuery query(Session session) {
    Instant start = instant(session, "--from", from);
    Instant end = instant(session, "--to", to);
    if (start != null && end != null && !start.isBefore(end)) {
      throw new UsageException("--to: \"" + to + "\" is not later than --from, \"" + from + "\"");
    }
    if (step != null && step.compareTo(UsageQuery.MIN_STEP) < 0) {
      throw new UsageException(
          "--step: " + Durations.format(step) + " is not valid here, expected 1m or more");
    }
    return new UsageQuery(share, start, end, step);
  }

  private static @Nullable Instant instant(Session session, String option, @Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return Moments.parse(text, session.now(), ZoneId.systemDefault());
    } catch (IllegalArgumentException e) {
      throw new UsageException(option + ": " + e.getMessage());
    }
  }
}
