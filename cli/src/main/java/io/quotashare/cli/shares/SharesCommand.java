package io.quotashare.cli.shares;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import io.quotashare.client.QueueSnapshot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code quotashare shares}. */
@Command(
    name = "shares",
    description = {
      "Show what each share owns, uses, borrows and lends.",
      "The last line accounts for every GPU of the queue."
    },
    footer = {"  quotashare shares", "  quotashare shares --watch", "  quotashare shares -o json"})
public final class SharesCommand extends ListCommand {
  @Mixin private QueueArgument queue = new QueueArgument();

  @Override
  protected void show(Session session, Format format) {
    QueueSnapshot snapshot = session.client().queues().snapshot(queue.resolve(session));
    if (format == Format.table || format == Format.wide) {
      new SharesTable(session).write(snapshot);
    } else {
      session.printer().list(format, ShareTexts.shares(), snapshot.shares());
    }
  }
}
