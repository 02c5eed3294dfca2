package io.quotashare.cli.shares;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.UsageException;
import io.quotashare.cli.jobs.PlanPrinter;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Resource;
import io.quotashare.cli.policy.PolicyFile;
import io.quotashare.cli.policy.PolicyParser;
import io.quotashare.client.FieldProblem;
import io.quotashare.client.InvalidRequestException;
import io.quotashare.client.PlannedVictim;
import io.quotashare.client.PolicyPlan;
import io.quotashare.client.internal.PlanProtos;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quotashare plan}. */
@Command(
    name = "plan",
    description = {
      "Say what applying a policy file would do now: to queues and shares, and who would start, be"
          + " stopped and wait. Changes nothing.",
      "The exit status tells a script whether anybody would be stopped."
    },
    exitCodeList = {
      "0:Nobody would be stopped or cancelled.",
      "1:Somebody would be.",
      "2:The policy is not valid, or wrong usage."
    },
    footer = {
      "  quotashare plan -f policy.yaml",
      "  quotashare plan -f policy.yaml --prune --drain-now -o json",
      "  quotashare plan -f policy.yaml && quotashare apply -f policy.yaml"
    })
public final class PlanCommand extends SessionCommand {
  private static final Resource<PolicyPlan> PLAN =
      new Resource<>(
          "plans",
          List.of(),
          plan ->
              plan.wouldStop().stream().map(PlannedVictim::job).collect(Collectors.joining("\n")),
          PlanProtos::toProto);

  @Mixin private PolicyFlags policyFlags = new PolicyFlags();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description =
          "table, wide: for people; json, yaml: the plan; name: the names of the jobs that would be"
              + " stopped. Default: ${DEFAULT-VALUE}.")
  private Format format = Format.table;

  @Override
  protected int run(Session session) {
    PolicyFile policy = PolicyParser.parse(policyFlags.file);
    PolicyPlan plan = plan(session, policy);
    session.printer().one(format, PLAN, plan, out -> write(session, out, plan));
    plan.changes().warnings().forEach(warning -> session.note("warning: " + warning));
    return plan.wouldStop().isEmpty() && plan.wouldCancel().isEmpty()
        ? ExitCode.OK
        : ExitCode.NOT_SO;
  }

  /** What the scheduler finds wrong with the file is a mistake of the file as well. */
  private PolicyPlan plan(Session session, PolicyFile policy) {
    try {
      return session.client().shares().planPolicy(policy.queues(), policyFlags.options(null));
    } catch (InvalidRequestException e) {
      String fields =
          e.fields().stream()
              .filter(field -> !String.valueOf(e.getMessage()).contains(field.message()))
              .map(FieldProblem::toString)
              .map(field -> "; " + field)
              .collect(Collectors.joining());
      throw new UsageException(policyFlags.file + ": " + e.getMessage() + fields);
    }
  }

  private static void write(Session session, PrintWriter out, PolicyPlan plan) {
    PolicyChanges.write(out, plan.changes());
    out.println();
    plan.wouldStart().forEach(job -> out.println("would start   " + job));
    plan.wouldCancel().forEach(job -> out.println("would cancel  " + job));
    PlanPrinter.victims(session, out, plan.wouldStop());
    out.println(
        "in all: "
            + count(plan.wouldStart().size(), "would start")
            + ", "
            + count(plan.wouldStop().size(), "would be stopped")
            + ", "
            + count(plan.wouldCancel().size(), "would be cancelled")
            + ", "
            + count(plan.wouldWait(), "would still wait")
            + (plan.unlistedJobs() == 0
                ? ""
                : "; and " + count(plan.unlistedJobs(), "of the first three, not listed here")));
  }

  private static String count(int jobs, String what) {
    return jobs + (jobs == 1 ? " job " : " jobs ") + what;
  }
}
