package io.quotashare.cli.shares;

import io.quotashare.cli.Confirmation;
import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Resource;
import io.quotashare.cli.policy.PolicyFile;
import io.quotashare.cli.policy.PolicyParser;
import io.quotashare.client.PolicyOptions;
import io.quotashare.client.PolicyPlan;
import io.quotashare.client.PolicyResult;
import io.quotashare.client.ResourceNames;
import io.quotashare.client.SharesClient;
import io.quotashare.client.internal.PlanProtos;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quotashare apply}. */
@Command(
    name = "apply",
    description = {
      "Make queues and shares as a policy file says, all or nothing.",
      "What the file does not name is listed and left as it is, unless --prune is given: then the jobs"
          + " that this cancels are counted, and the count is to be confirmed. Who would start and be"
          + " stopped is said by quotashare plan."
    },
    exitCodeList = "1:The question was answered with no; nothing was changed.",
    footer = {
      "  quotashare apply -f policy.yaml --dry-run",
      "  quotashare apply -f policy.yaml",
      "  quotashare apply -f policy.yaml --prune --drain-now",
      "  quotashare apply -f policy.yaml --prune --yes"
    })
public final class ApplyCommand extends SessionCommand {
  private static final Resource<PolicyResult> RESULT =
      new Resource<>("results", List.of(), ApplyCommand::names, PlanProtos::toProto);

  /** Jobs that the question names. */
  private static final int NAMED_JOBS = 5;

  @Mixin private PolicyFlags policyFlags = new PolicyFlags();

  @Option(names = "--dry-run", description = "Only check, and say what would change.")
  private boolean dryRun;

  @Mixin private Confirmation confirmation = new Confirmation();

  @Mixin private RequestIdOption requestId = new RequestIdOption();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description =
          "table, wide: a line a queue and share; json, yaml: the answer; name: the names of what"
              + " was made, changed or removed. Default: ${DEFAULT-VALUE}.")
  private Format format = Format.table;

  @Override
  protected int run(Session session) throws IOException {
    PolicyFile policy = PolicyParser.parse(policyFlags.file);
    SharesClient shares = session.client().shares();
    PolicyOptions options = policyFlags.options(requestId.get());
    boolean ask = policyFlags.prune() && !dryRun && confirmation.isOpen();
    if (ask && !mayCancel(session, policy, options)) {
      session.note("nothing was changed");
      return ExitCode.NOT_SO;
    }
    PolicyResult result =
        dryRun
            ? shares.checkPolicy(policy.queues(), options)
            : shares.applyPolicy(policy.queues(), options);
    session.printer().one(format, RESULT, result, out -> PolicyChanges.write(out, result));
    result.warnings().forEach(warning -> session.note("warning: " + warning));
    if (dryRun) {
      session.note("this was a dry run: nothing was changed");
    }
    return ExitCode.OK;
  }

  /** What is pruned takes its jobs with it: other people's work. */
  private boolean mayCancel(Session session, PolicyFile policy, PolicyOptions options)
      throws IOException {
    PolicyPlan plan = session.client().shares().planPolicy(policy.queues(), options);
    List<String> jobs = plan.wouldCancel().stream().map(ResourceNames::lastId).toList();
    if (jobs.isEmpty()) {
      return true;
    }
    String named =
        String.join(", ", jobs.subList(0, Math.min(NAMED_JOBS, jobs.size())))
            + (jobs.size() > NAMED_JOBS ? ", ..." : "");
    return confirmation.given(
        session,
        String.format(
            "pruning removes %s and cancels %d %s: %s",
            String.join(", ", plan.changes().removed()),
            jobs.size(),
            jobs.size() == 1 ? "job" : "jobs",
            named));
  }

  private static String names(PolicyResult result) {
    return String.join(
        "\n",
        Stream.of(result.created(), result.updated(), result.removed())
            .flatMap(List::stream)
            .toList());
  }
}
