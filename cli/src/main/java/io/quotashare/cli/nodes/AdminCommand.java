package io.quotashare.cli.nodes;

import io.quotashare.cli.CommandGroup;
import io.quotashare.cli.ExitCode;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.output.Sheet;
import io.quotashare.cli.output.Times;
import io.quotashare.client.SchedulerStatus;
import java.time.Duration;
import picocli.CommandLine.Command;

/** {@code quotashare admin}: the scheduler itself. */
@Command(
    name = "admin",
    description = "Look at the scheduler itself.",
    footer = {"  quotashare admin status"},
    subcommands = AdminCommand.Status.class)
public final class AdminCommand extends CommandGroup {
  /** {@code quotashare admin status}. */
  @Command(
      name = "status",
      description = "Show who leads, since when, and how much there is.",
      footer = {"  quotashare admin status"})
  static final class Status extends SessionCommand {
    @Override
    protected int run(Session session) {
      SchedulerStatus status = session.client().admin().status();
      Sheet sheet = new Sheet(session.style());
      sheet.add("version", status.version());
      sheet.add("epoch", String.valueOf(status.epoch()));
      sheet.add("leads for", Times.rounded(Duration.ofSeconds(status.leadingSeconds())));
      sheet.add("live jobs", String.valueOf(status.liveJobs()));
      sheet.add("connected agents", String.valueOf(status.connectedAgents()));
      sheet.write(session.out());
      return ExitCode.OK;
    }
  }
}
