package io.quotashare.cli;

import io.quotashare.cli.admin.AdminCommand;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;

/**
 * The commands of the first level, in the order of help. Reading the annotations of all of them
 * takes longer than most commands run: a command line that begins with one of them gets that one
 * alone.
 */
final class CommandTable {
  private static final Map<String, Class<?>> BY_NAME = new LinkedHashMap<>();

  static {
    BY_NAME.put("submit", SubmitCommand.class);
    BY_NAME.put("jobs", JobsCommand.class);
    BY_NAME.put("job", JobCommand.class);
    BY_NAME.put("shares", SharesCommand.class);
    BY_NAME.put("share", ShareCommand.class);
    BY_NAME.put("loans", LoansCommand.class);
    BY_NAME.put("queue", QueueCommand.class);
    BY_NAME.put("nodes", NodesCommand.class);
    BY_NAME.put("node", NodeCommand.class);
    BY_NAME.put("report", ReportCommand.class);
    BY_NAME.put("preemptions", PreemptionsCommand.class);
    BY_NAME.put("apply", ApplyCommand.class);
    BY_NAME.put("plan", PlanCommand.class);
    BY_NAME.put("simulate", SimulateCommand.class);
    BY_NAME.put("admin", AdminCommand.class);
    BY_NAME.put("demo", DemoCommand.class);
    BY_NAME.put("server", DaemonCommands.Server.class);
    BY_NAME.put("agent", DaemonCommands.Agent.class);
    BY_NAME.put("context", ContextCommand.class);
    BY_NAME.put("help", HelpCommand.class);
    BY_NAME.put("version", VersionCommand.class);
    BY_NAME.put("completion", CompletionCommand.class);
  }

  /** These look at the others. */
  private static final Set<String> NEED_ALL = Set.of("help", "completion");

  /** Options that stand before a command and take the word after them. */
  private static final Set<String> WITH_VALUE = Set.of("--scheduler", "--admin", "--context");

  private CommandTable() {}

  /**
   * Adds what the command line needs.
   *
   * @param args what was typed; empty for all commands
   */
  static void addTo(CommandLine root, List<String> args) {
    Optional<String> first = firstWord(args).filter(word -> !NEED_ALL.contains(word));
    Class<?> only = first.map(BY_NAME::get).orElse(null);
    if (only != null) {
      root.addSubcommand(only);
    } else {
      BY_NAME.values().forEach(root::addSubcommand);
    }
  }

  /** Names in the order of help. */
  static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  private static Optional<String> firstWord(List<String> args) {
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (!arg.startsWith("-")) {
        return Optional.of(arg);
      }
      if (WITH_VALUE.contains(arg)) {
        i++;
      }
    }
    return Optional.empty();
  }
}
