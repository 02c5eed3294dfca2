package io.quotashare.cli.shares;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Resource;
import io.quotashare.client.UsageReport;
import io.quotashare.client.internal.QueueProtos;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code quotashare report}. */
@Command(
    name = "report",
    description = {
      "Show where every GPU-second of a queue went.",
      "The classes add up to devices times wall time."
    },
    footer = {"  quotashare report", "  quotashare report -o json"})
public final class ReportCommand extends ListCommand {
  @Mixin private QueueArgument queue = new QueueArgument();

  @Override
  protected void show(Session session, Format format) {
    String name = queue.resolve(session);
    UsageReport report = session.client().queues().usageReport(name);
    Resource<UsageReport> resource =
        new Resource<>("reports", List.of(), r -> "queues/" + name, QueueProtos::toProto);
    session
        .printer()
        .one(format, resource, report, out -> new Ledger(session.style()).write(out, report));
  }
}
