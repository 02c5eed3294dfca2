package io.quotashare.cli;

import static java.util.Objects.requireNonNull;

import io.quotashare.cli.admin.AdminCommand;
import io.quotashare.cli.console.Outside;
import io.quotashare.cli.context.ContextCommand;
import io.quotashare.cli.demo.DemoCommand;
import io.quotashare.cli.jobs.JobCommand;
import io.quotashare.cli.jobs.JobsCommand;
import io.quotashare.cli.jobs.SubmitCommand;
import io.quotashare.cli.nodes.NodeCommand;
import io.quotashare.cli.nodes.NodesCommand;
import io.quotashare.cli.shares.ApplyCommand;
import io.quotashare.cli.shares.LoansCommand;
import io.quotashare.cli.shares.PlanCommand;
import io.quotashare.cli.shares.PreemptionsCommand;
import io.quotashare.cli.shares.QueueCommand;
import io.quotashare.cli.shares.ReportCommand;
import io.quotashare.cli.shares.ShareCommand;
import io.quotashare.cli.shares.SharesCommand;
import io.quotashare.cli.simulate.SimulateCommand;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code quotashare}: what all commands have in common. */
@Command(
    name = "quotashare",
    description = "Share GPUs between teams: own, lend, borrow, reclaim.",
    footer = {
      "  quotashare demo",
      "  quotashare apply -f policy.yaml",
      "  quotashare submit --share background --gpus 1 -- python3 train.py",
      "  quotashare shares",
      "  quotashare job explain j-1",
      "  quotashare help submit"
    },
    subcommands = {
      SubmitCommand.class,
      JobsCommand.class,
      JobCommand.class,
      SharesCommand.class,
      ShareCommand.class,
      LoansCommand.class,
      QueueCommand.class,
      NodesCommand.class,
      NodeCommand.class,
      ReportCommand.class,
      PreemptionsCommand.class,
      ApplyCommand.class,
      PlanCommand.class,
      SimulateCommand.class,
      AdminCommand.class,
      DemoCommand.class,
      DaemonCommands.Server.class,
      DaemonCommands.Agent.class,
      ContextCommand.class,
      HelpCommand.class,
      VersionCommand.class,
      CompletionCommand.class
    })
final class RootCommand extends CommandGroup {
  private final Outside outside;

  @Option(
      names = "--scheduler",
      scope = ScopeType.INHERIT,
      paramLabel = "HOST:PORT[,...]",
      description =
          "Where the scheduler is; several, comma-separated, where one leads. Default:"
              + " QUOTASHARE_SCHEDULER, else the context's, else "
              + Settings.DEFAULT_SCHEDULER
              + ".")
  private String scheduler = "";

  @Option(
      names = "--admin",
      scope = ScopeType.INHERIT,
      paramLabel = "HOST:PORT",
      description =
          "Where its admin listener is, for changes to nodes and to the scheduler. Default:"
              + " QUOTASHARE_ADMIN, else the context's, else port "
              + Settings.DEFAULT_ADMIN_PORT
              + " of the scheduler's host.")
  private String admin = "";

  @Option(
      names = "--context",
      scope = ScopeType.INHERIT,
      paramLabel = "CONTEXT",
      description =
          "Named addresses and defaults, see quotashare context. Default: QUOTASHARE_CONTEXT, else"
              + " the one in use.")
  private String context = "";

  RootCommand(Outside outside) {
    this.outside = requireNonNull(outside, "outside");
  }

  Session session(PrintWriter out, PrintWriter err) {
    return new Session(outside, out, err, settings());
  }

  private Settings settings() {
    return new Settings(outside.variables(), new Settings.Flags(scheduler, admin, context));
  }
}
