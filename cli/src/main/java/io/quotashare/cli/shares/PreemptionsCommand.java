package io.quotashare.cli.shares;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import io.quotashare.client.PreemptionFilter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quotashare preemptions}. */
@Command(
    name = "preemptions",
    description = {
      "List preemptions, newest first: who was stopped for whom, and what was lost.",
      "Where a queue only observes, its would-be victims are listed, and marked: they went on."
    },
    footer = {
      "  quotashare preemptions",
      "  quotashare preemptions --share background",
      "  quotashare preemptions --job j-1 -o wide"
    })
public final class PreemptionsCommand extends ListCommand {
  @Mixin private QueueArgument queue = new QueueArgument();

  @Option(
      names = "--share",
      paramLabel = "SHARE",
      description = "Only victims of this share. Default: of all.")
  private String share = "";

  @Option(
      names = "--job",
      paramLabel = "JOB",
      description = "Only with this job id as victim or beneficiary. Default: of all.")
  private String job = "";

  @Override
  protected void show(Session session, Format format) {
    session
        .printer()
        .list(
            format,
            ShareTexts.preemptions(),
            session
                .client()
                .queues()
                .preemptions(queue.resolve(session), new PreemptionFilter(share, job)));
  }
}
