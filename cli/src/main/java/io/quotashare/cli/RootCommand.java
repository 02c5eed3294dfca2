package io.quotashare.cli;

import static java.util.Objects.requireNonNull;

import io.quotashare.cli.console.Outside;
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
