package io.quotashare.cli;

import static java.util.Objects.requireNonNull;

import io.quotashare.cli.console.Outside;
import io.quotashare.cli.demo.DemoCommand;
import io.quotashare.cli.jobs.JobCommand;
import io.quotashare.cli.jobs.JobsCommand;
import io.quotashare.cli.jobs.SubmitCommand;
import io.quotashare.cli.nodes.AdminCommand;
import io.quotashare.cli.nodes.NodeCommand;
import io.quotashare.cli.nodes.NodesCommand;
import io.quotashare.cli.shares.ApplyCommand;
import io.quotashare.cli.shares.LoansCommand;
import io.quotashare.cli.shares.PreemptionsCommand;
import io.quotashare.cli.shares.QueueCommand;
import io.quotashare.cli.shares.ReportCommand;
import io.quotashare.cli.shares.ShareCommand;
import io.quotashare.cli.shares.SharesCommand;
import io.quotashare.cli.simulate.SimulateCommand;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code quotashare}: what all commands have in common. */
@Command(
    name = "quotashare",
    description = "Share GPUs between teams: own, lend, borrow, reclaim.",
    synopsisHeading = "Usage: ",
    descriptionHeading = "%n",
    optionListHeading = "%nOptions of every command:%n",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExamples:%n",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "  quotashare demo",
      "  quotashare apply -f policy.yaml",
      "  quotashare submit --share background --gpus 1 -- python3 train.py",
      "  quotashare shares",
      "  quotashare job explain j-1",
      "",
      "Exit status: 0 good, 1 it did not come about (the job failed), 2 wrong usage or an invalid"
          + " file, 3 no scheduler answers, 4 the scheduler refused."
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
      SimulateCommand.class,
      AdminCommand.class,
      DemoCommand.class,
      DaemonCommands.Server.class,
      DaemonCommands.Agent.class,
      VersionCommand.class,
      CompletionCommand.class
    })
final class RootCommand {
  private static final String DEFAULT_SCHEDULER = "127.0.0.1:7070";
  private static final String DEFAULT_ADMIN = "127.0.0.1:7072";

  private final Outside outside;

  @Option(
      names = "--scheduler",
      scope = ScopeType.INHERIT,
      paramLabel = "HOST:PORT[,...]",
      description =
          "Where the scheduler is; several where one leads. Default: QUOTASHARE_SCHEDULER, else "
              + DEFAULT_SCHEDULER
              + ".")
  private String scheduler = "";

  @Option(
      names = "--admin",
      scope = ScopeType.INHERIT,
      paramLabel = "HOST:PORT",
      description =
          "Where its admin listener is, for changes to nodes. Default: QUOTASHARE_ADMIN, else "
              + DEFAULT_ADMIN
              + ".")
  private String admin = "";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // picocli acts on the annotation.
  private boolean help;

  RootCommand(Outside outside) {
    this.outside = requireNonNull(outside, "outside");
  }

  Session session(PrintWriter out, PrintWriter err) {
    return new Session(outside, out, err, schedulers(), admin());
  }

  /** Where the scheduler is looked for: the option, else the variable, else the default. */
  List<String> schedulers() {
    String all = scheduler;
    if (all.isEmpty()) {
      all = outside.variables().getOrDefault("QUOTASHARE_SCHEDULER", "");
    }
    if (all.isEmpty()) {
      all = DEFAULT_SCHEDULER;
    }
    return Arrays.stream(all.split(",", -1)).map(String::strip).toList();
  }

  private String admin() {
    if (!admin.isEmpty()) {
      return admin;
    }
    String variable = outside.variables().getOrDefault("QUOTASHARE_ADMIN", "");
    return variable.isEmpty() ? DEFAULT_ADMIN : variable;
  }
}
