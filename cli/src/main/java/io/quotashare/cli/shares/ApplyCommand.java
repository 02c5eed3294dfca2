package io.quotashare.cli.shares;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Resource;
import io.quotashare.cli.policy.PolicyFile;
import io.quotashare.cli.policy.PolicyParser;
import io.quotashare.client.PolicyOptions;
import io.quotashare.client.PolicyResult;
import io.quotashare.client.SharesClient;
import io.quotashare.client.internal.PlanProtos;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quotashare apply}. */
@Command(
    name = "apply",
    description = {
      "Make queues and shares as a policy file says, all or nothing.",
      "What the file does not name is listed and left as it is."
    },
    footer = {
      "  quotashare apply -f policy.yaml --dry-run",
      "  quotashare apply -f policy.yaml",
      "  quotashare apply -f policy.yaml --drain-now"
    })
public final class ApplyCommand extends SessionCommand {
  private static final Resource<PolicyResult> RESULT =
      new Resource<>("results", List.of(), r -> "", PlanProtos::toProto);

  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "Policy as YAML or JSON.")
  private Path file = Path.of("");

  @Option(names = "--dry-run", description = "Only check, and say what would change.")
  private boolean dryRun;

  @Option(
      names = "--drain-now",
      description = "Stop at once what a lowered limit leaves above it, instead of on demand.")
  private boolean drainNow;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table, json or yaml. Default: ${DEFAULT-VALUE}.")
  private Format format = Format.table;

  @Override
  protected int run(Session session) {
    PolicyFile policy = PolicyParser.parse(file);
    SharesClient shares = session.client().shares();
    PolicyResult result;
    if (dryRun) {
      result = shares.checkPolicy(policy.queues(), PolicyOptions.defaults());
    } else if (drainNow) {
      result = shares.applyPolicy(policy.queues(), PolicyOptions.defaults().drainingNow());
    } else {
      result = shares.applyPolicy(policy.queues());
    }
    session.printer().one(format, RESULT, result, out -> write(out, result));
    result.warnings().forEach(warning -> session.note("warning: " + warning));
    if (dryRun) {
      session.note("this was a dry run: nothing was changed");
    }
    return ExitCode.OK;
  }

  private static void write(PrintWriter out, PolicyResult result) {
    result.created().forEach(name -> out.println("created    " + name));
    result.updated().forEach(name -> out.println("changed    " + name));
    result.unchanged().forEach(name -> out.println("unchanged  " + name));
    result.unmanaged().forEach(name -> out.println("left       " + name + " (not in the file)"));
  }
}
