package io.quotashare.cli.jobs;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Resource;
import io.quotashare.client.Explanation;
import io.quotashare.client.internal.JobProtos;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code quotashare job explain}. */
@Command(
    name = "explain",
    description = "Say why a job waits, was stopped, or could be stopped.",
    footer = {"  quotashare job explain j-1"})
final class JobExplainCommand extends ListCommand {
  private static final Resource<Explanation> EXPLANATION =
      new Resource<>("explanations", List.of(), e -> e.job().name(), JobProtos::toProto);

  @Mixin private JobArgument argument = new JobArgument();

  @Override
  protected void show(Session session, Format format) {
    Explanation explanation = argument.handle(session).explain();
    session.printer().one(format, EXPLANATION, explanation, out -> write(out, explanation));
  }

  private static void write(PrintWriter out, Explanation explanation) {
    out.println(explanation.summary());
    explanation.details().forEach(detail -> out.println("  " + detail));
    if (!explanation.stoppingJobs().isEmpty()) {
      out.println("  Stopping for it: " + String.join(", ", explanation.stoppingJobs()) + ".");
    }
    if (!explanation.rejected().isEmpty()) {
      String rejected =
          explanation.rejected().stream()
              .map(PlanPrinter::alternative)
              .collect(Collectors.joining(", "));
      out.println("  Not chosen: " + rejected + ".");
    }
  }
}
