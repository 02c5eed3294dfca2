package io.quotashare.cli.shares;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Sheet;
import io.quotashare.cli.output.TableWriter;
import io.quotashare.cli.yaml.Durations;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.ShareStatus;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code quotashare share get}. */
@Command(
    name = "get",
    description = "Show one share: its policy in plain words, and what it uses.",
    footer = {"  quotashare share get background", "  quotashare share get background -o yaml"})
final class ShareGetCommand extends ListCommand {
  @Mixin private ShareArgument share = new ShareArgument();

  @Override
  protected void show(Session session, Format format) {
    ShareStatus status = session.client().shares().get(share.queue(session), share.id);
    session.printer().one(format, ShareTexts.shares(), status, out -> write(session, out, status));
  }

  /** A share for people. */
  static void write(Session session, PrintWriter out, ShareStatus status) {
    QuotaShare share = status.share();
    Sheet sheet = new Sheet(session.style());
    sheet.add("share", share.id() + " of queue " + share.queue());
    sheet.add(
        "state", share.state().name() + (status.removing() ? ", " + ShareTexts.REMOVING : ""));
    sheet.add("owns", ShareTexts.devices(share.capacity()));
    sheet.add("strategy", share.strategy() + ": " + strategy(share));
    sheet.add(
        "in-share preemption",
        share.inSharePreemption()
            ? "on: a job may stop its share's jobs of lower priority"
            : "off: a job waits until its share's jobs have ended");
    sheet.add("ordering", share.ordering().name());
    sheet.add("weight", String.valueOf(share.weight()));
    sheet.add("minimum runtime", Durations.format(share.minRuntime()));
    sheet.write(out);
    out.println();
    boolean severalUnits = status.usage().size() > 1;
    new TableWriter(session.style())
        .write(out, ShareTexts.shareColumns(severalUnits), ShareTexts.lines(List.of(status)));
  }

  /** What the strategy and its limits mean for the share's devices. */
  static String strategy(QuotaShare share) {
    String lends = share.strategy().lends() ? "lends " + lendLimit(share) : "does not lend";
    String borrows =
        share.strategy().borrows() ? "borrows " + borrowLimit(share) : "does not borrow";
    return lends + ", " + borrows;
  }

  private static String lendLimit(QuotaShare share) {
    if (!share.lendLimit().isEmpty()) {
      return "up to " + ShareTexts.devices(share.lendLimit());
    }
    Integer percent = share.lendLimitPercent();
    return percent == null || percent == 100
        ? "all that is idle"
        : "up to " + percent + " % of what it owns";
  }

  private static String borrowLimit(QuotaShare share) {
    if (!share.borrowLimit().isEmpty()) {
      return "up to " + ShareTexts.devices(share.borrowLimit());
    }
    Integer percent = share.borrowLimitPercent();
    return percent == null || percent == QuotaShare.UNLIMITED
        ? "whatever others lend"
        : "up to " + percent + " % of what it owns";
  }
}
