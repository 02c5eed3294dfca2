package io.quotashare.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * The two daemons are programs of their own, which the launcher starts. They stand in the list of
 * commands, and say where to find them if this program is asked for one.
 */
final class DaemonCommands {
  private DaemonCommands() {}

  /** {@code quotashare server}. */
  @Command(
      name = "server",
      description = "Run the scheduler (quotashare server --help).",
      footer = "  quotashare server --dev --data /var/lib/quotashare")
  static final class Server implements Callable<Integer> {
    @Unmatched private List<String> rest = new ArrayList<>();

    @Override
    public Integer call() {
      throw notHere("server", rest);
    }
  }

  /** {@code quotashare agent}. */
  @Command(
      name = "agent",
      description = "Run the daemon of a GPU host (quotashare agent --help).",
      footer = "  quotashare agent --dev --node n1 --scheduler 127.0.0.1:7071")
  static final class Agent implements Callable<Integer> {
    @Unmatched private List<String> rest = new ArrayList<>();

    @Override
    public Integer call() {
      throw notHere("agent", rest);
    }
  }

  private static UsageException notHere(String daemon, List<String> rest) {
    String line = String.join(" ", rest);
    return new UsageException(
        "the "
            + daemon
            + " is a program of its own: start it with the launcher, "
            + ("./quotashare " + daemon + " " + line).strip());
  }
}
