package io.quotashare.cli.shares;

import io.quotashare.cli.Confirmation;
import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.client.ChangeOptions;
import io.quotashare.client.ResourceNames;
import io.quotashare.client.ShareDeletion;
import io.quotashare.client.SharesClient;
import io.quotashare.client.internal.Blocking;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quotashare share delete}. */
@Command(
    name = "delete",
    description = {
      "Remove a share that is disabled; its waiting jobs are cancelled, its running ones stopped.",
      "Disable it first: quotashare share update SHARE --state DISABLED. If it still has jobs, they"
          + " are counted, and the count is to be confirmed."
    },
    exitCodeList = "1:The question was answered with no; nothing was removed.",
    footer = {"  quotashare share delete nlp", "  quotashare share delete nlp --yes"})
final class ShareDeleteCommand extends SessionCommand {
  @Mixin private ShareArgument argument = new ShareArgument();

  @Option(
      names = "--etag",
      paramLabel = "ETAG",
      description =
          "Only if the share still has this etag, as -o json shows it. Default: whatever it has.")
  private String etag = "";

  @Option(names = "--dry-run", description = "Only check, and say what would be ended.")
  private boolean dryRun;

  @Mixin private Confirmation confirmation = new Confirmation();

  @Mixin private RequestIdOption requestId = new RequestIdOption();

  @Override
  protected int run(Session session) throws IOException {
    String queue = argument.queue(session);
    String name = ResourceNames.share(queue, argument.id);
    SharesClient shares = session.client().shares();
    ChangeOptions options = new ChangeOptions(etag, requestId.get());
    ShareDeletion would = Blocking.get(shares.checkDeleteAsync(queue, argument.id, options));
    if (dryRun) {
      session.note("this was a dry run: removing " + name + " cancels " + jobs(would));
      return ExitCode.OK;
    }
    boolean harmless = would.cancelledJobs() + would.stoppingJobs() == 0;
    if (!harmless && !confirmation.given(session, "removing " + name + " cancels " + jobs(would))) {
      session.note("nothing was removed");
      return ExitCode.NOT_SO;
    }
    ShareDeletion done = Blocking.get(shares.deleteAsync(queue, argument.id, options));
    session.note(
        done.stoppingJobs() == 0
            ? name + " is removed; cancelled: " + jobs(done)
            : name + " is gone when its last job has ended; cancelled: " + jobs(done));
    return ExitCode.OK;
  }

  private static String jobs(ShareDeletion deletion) {
    return deletion.cancelledJobs()
        + " waiting and "
        + deletion.stoppingJobs()
        + " running "
        + (deletion.cancelledJobs() + deletion.stoppingJobs() == 1 ? "job" : "jobs");
  }
}
