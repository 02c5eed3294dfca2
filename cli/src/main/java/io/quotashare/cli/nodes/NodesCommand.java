package io.quotashare.cli.nodes;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quotashare nodes}. */
@Command(
    name = "nodes",
    description = "List nodes with their devices.",
    footer = {"  quotashare nodes", "  quotashare nodes -o wide"})
public final class NodesCommand extends ListCommand {
  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description = "Only of this queue. Default: of all.")
  private String queue = "";

  @Override
  protected void show(Session session, Format format) {
    session
        .printer()
        .list(format, NodeTexts.nodes(session.now()), session.client().nodes().list(queue));
  }
}
