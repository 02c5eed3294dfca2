package io.quotashare.cli.shares;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code quotashare loans}. */
@Command(
    name = "loans",
    description = {
      "Show who lends what to whom, since when, and who would be stopped to give it back.",
      "WOULD STOP names the jobs that a job of the lender that asked for all of these GPUs now would"
          + " stop: each with its GPUs, the age of its last checkpoint, and the work it would lose."
    },
    footer = {"  quotashare loans", "  quotashare loans --watch", "  quotashare loans -o json"})
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
