package io.quotashare.cli.shares;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code quotashare loans}. */
@Command(
    name = "loans",
    description = "Show who lends what to whom, and since when.",
    footer = {"  quotashare loans"})
public final class LoansCommand extends ListCommand {
  @Mixin private QueueArgument queue = new QueueArgument();

  @Override
  protected void show(Session session, Format format) {
    session
        .printer()
        .list(
            format,
            ShareTexts.loans(session.now()),
            session.client().shares().loans(queue.resolve(session)));
  }
}
