package io.quotashare.cli.shares;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.SharesClient;
import io.quotashare.client.internal.Blocking;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quotashare share create}. */
@Command(
    name = "create",
    description = {
      "Make a share.",
      "Capacity, strategy and in-share preemption have no default: what is decided about other"
          + " people's work is written down."
    },
    footer = {
      "  quotashare share create nlp --capacity H100=8 --strategy LEND --no-in-share-preemption",
      "  quotashare share create batch --capacity H100=0 --strategy LEND_AND_BORROW \\",
      "      --in-share-preemption --borrow-limit H100=4 --ordering BACKFILL"
    })
final class ShareCreateCommand extends SessionCommand {
  @Mixin private ShareArgument argument = new ShareArgument();

  @Mixin private ShareFlags flags = new ShareFlags();

  @Option(names = "--dry-run", description = "Only check.")
  private boolean dryRun;

  @Mixin private RequestIdOption requestId = new RequestIdOption();

  @Override
  protected int run(Session session) {
    QuotaShare share = flags.toShare(argument.queue(session), argument.id);
    SharesClient shares = session.client().shares();
    if (dryRun) {
      shares.checkCreate(share);
      session.note("this was a dry run: " + share.name() + " would be made");
    } else {
      Blocking.get(shares.createAsync(share, requestId.get()));
      session.note(share.name() + " is made");
    }
    return ExitCode.OK;
  }
}
