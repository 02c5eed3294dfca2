package io.quotashare.cli.admin;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Resource;
import io.quotashare.cli.output.Sheet;
import io.quotashare.cli.output.Times;
import io.quotashare.cli.output.Tone;
import io.quotashare.client.SchedulerStatus;
import io.quotashare.client.internal.AdminProtos;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code quotashare admin status}. */
@Command(
    name = "status",
    description =
        "Show who leads, since when, how much there is, and whether scheduling is paused.",
    footer = {"  quotashare admin status", "  quotashare admin status -o json"})
final class AdminStatusCommand extends ListCommand {
  private static final Resource<SchedulerStatus> STATUS =
      new Resource<>("schedulers", List.of(), s -> "schedulers/leader", AdminProtos::toProto);

  @Override
  protected void show(Session session, Format format) {
    SchedulerStatus status = session.client().admin().status();
    session.printer().one(format, STATUS, status, out -> write(session, out, status));
  }

  private static void write(Session session, PrintWriter out, SchedulerStatus status) {
    Sheet sheet = new Sheet(session.style());
    sheet.add("version", status.version());
    sheet.add("epoch", String.valueOf(status.epoch()));
    sheet.add("leads for", Times.rounded(Duration.ofSeconds(status.leadingSeconds())));
    sheet.add("live jobs", String.valueOf(status.liveJobs()));
    sheet.add("connected agents", String.valueOf(status.connectedAgents()));
    sheet.add(
        "scheduling",
        status.paused() ? paused(status.pauseReason()) : "goes on",
        status.paused() ? Tone.WAIT : Tone.PLAIN);
    sheet.write(out);
  }

  private static String paused(String reason) {
    return "paused"
        + (reason.isEmpty() ? "" : ": " + reason)
        + " (quotashare admin resume ends that)";
  }
}
