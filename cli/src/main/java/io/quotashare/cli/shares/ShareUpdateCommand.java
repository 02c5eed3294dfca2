package io.quotashare.cli.shares;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.UsageException;
import io.quotashare.client.ShareUpdate;
import io.quotashare.client.SharesClient;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quotashare share update}. */
@Command(
    name = "update",
    description = {
      "Change the settings of a share that are given, and no others.",
      "A lowered limit stops nobody, until others ask for the devices; --drain-now does."
    },
    footer = {
      "  quotashare share update nlp --capacity H100=4,A100=2",
      "  quotashare share update nlp --capacity H100=4 --drain-now",
      "  quotashare share update nlp --state DISABLED"
    })
final class ShareUpdateCommand extends SessionCommand {
  @Mixin private ShareArgument argument = new ShareArgument();

  @Mixin private ShareFlags flags = new ShareFlags();

  @Option(
      names = "--drain-now",
      description = "Stop at once what a lowered limit leaves above it, instead of on demand.")
  private boolean drainNow;

  @Option(
      names = "--etag",
      paramLabel = "ETAG",
      description =
          "Only if the share still has this etag, as -o json shows it. Default: whatever it has.")
  private String etag = "";

  @Option(names = "--dry-run", description = "Only check.")
  private boolean dryRun;

  @Mixin private RequestIdOption requestId = new RequestIdOption();

  @Override
  protected int run(Session session) {
    if (flags.isEmpty()) {
      throw new UsageException("nothing to change was given: name at least one setting");
    }
    ShareUpdate.Builder builder = ShareUpdate.of(argument.queue(session), argument.id);
    flags.into(builder);
    ShareUpdate update = builder.ifUnchanged(etag).build();
    if (drainNow) {
      update = update.drainingNow();
    }
    UUID id = requestId.get();
    if (id != null) {
      update = update.withRequestId(id);
    }
    SharesClient shares = session.client().shares();
    String name = update.share().name();
    if (dryRun) {
      shares.checkUpdate(update);
      session.note("this was a dry run: " + name + " would be changed");
    } else {
      shares.update(update);
      session.note(name + " is changed");
    }
    return ExitCode.OK;
  }
}
