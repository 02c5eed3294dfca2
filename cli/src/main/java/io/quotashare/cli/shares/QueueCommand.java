package io.quotashare.cli.shares;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.jobs.JobTexts;
import io.quotashare.cli.output.Column;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Resource;
import io.quotashare.cli.output.Sheet;
import io.quotashare.cli.output.TableWriter;
import io.quotashare.cli.yaml.Durations;
import io.quotashare.client.FrontJob;
import io.quotashare.client.Queue;
import io.quotashare.client.QueueSnapshot;
import io.quotashare.client.StateTimeLimit;
import io.quotashare.client.internal.QueueProtos;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code quotashare queue}. */
@Command(
    name = "queue",
    description = {
      "List the queues, or show one with its shares and the job at the front of each.",
    },
    footer = {"  quotashare queue", "  quotashare queue research", "  quotashare queue -o json"})
public final class QueueCommand extends ListCommand {
  private static final Resource<QueueSnapshot> SNAPSHOT =
      new Resource<>("queues", List.of(), s -> s.queue().name(), QueueProtos::toProto);

  private static final List<Column<FrontJob>> FRONTS =
      List.of(
          Column.text("FRONT OF", FrontJob::share),
          Column.text("UNIT", FrontJob::unit),
          Column.text("JOB", front -> front.job().id()),
          Column.number("PRIORITY", front -> front.job().priority()),
          Column.number("GPUS", front -> front.job().totalGpus()),
          Column.text("WHY", front -> JobTexts.why(front.job())));

  @Parameters(
      paramLabel = "QUEUE",
      arity = "0..1",
      description = "Name of a queue. Default: list them all.")
  private @Nullable String queue;

  @Override
  protected void show(Session session, Format format) {
    if (queue == null) {
      session.printer().list(format, ShareTexts.queues(), session.client().queues().list());
      return;
    }
    QueueSnapshot snapshot = session.client().queues().snapshot(queue);
    session.printer().one(format, SNAPSHOT, snapshot, out -> write(session, out, snapshot));
  }

  private static void write(Session session, PrintWriter out, QueueSnapshot snapshot) {
    sheet(session, snapshot.queue()).write(out);
    out.println();
    new SharesTable(session).write(snapshot);
    if (!snapshot.fronts().isEmpty()) {
      out.println();
      new TableWriter(session.style()).write(out, FRONTS, snapshot.fronts());
    }
  }

  private static Sheet sheet(Session session, Queue queue) {
    Sheet sheet = new Sheet(session.style());
    sheet.add("queue", queue.id());
    sheet.add("state", queue.state().name());
    sheet.add("nodes", ShareTexts.selector(queue.nodeSelector()));
    sheet.add("idle assignment", queue.idleAssignment().name());
    sheet.add("unassigned devices", queue.unassigned().name());
    sheet.add("preemption", ShareTexts.preemptionMode(queue));
    sheet.add("longest grace", Durations.format(queue.maxGrace()));
    sheet.add("lost work counts up to", Durations.format(queue.lostWorkCap()));
    sheet.add("restart costs", Durations.format(queue.restartCost()) + " until measured");
    for (StateTimeLimit limit : queue.stateTimeLimits()) {
      sheet.add("fails after", Durations.format(limit.max()) + " of waiting for " + limit.reason());
    }
    return sheet;
  }
}
