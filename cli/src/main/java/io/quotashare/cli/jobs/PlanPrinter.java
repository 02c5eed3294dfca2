package io.quotashare.cli.jobs;

import io.quotashare.cli.Session;
import io.quotashare.cli.output.Column;
import io.quotashare.cli.output.Resource;
import io.quotashare.cli.output.TableWriter;
import io.quotashare.cli.output.Times;
import io.quotashare.client.JobPlan;
import io.quotashare.client.NodeDevices;
import io.quotashare.client.PlannedVictim;
import io.quotashare.client.RejectedAlternative;
import io.quotashare.client.internal.PlanProtos;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/** What a submission or a policy would do, for people. */
public final class PlanPrinter {
  /** Plans of submissions in every format. */
  static final Resource<JobPlan> PLANS =
      new Resource<>("plans", List.of(), plan -> plan.job().name(), PlanProtos::toProto);

  private static final List<Column<PlannedVictim>> VICTIMS =
      List.of(
          Column.text("WOULD STOP", PlannedVictim::jobId),
          Column.text("SHARE", PlannedVictim::share),
          Column.<PlannedVictim>text("CAUSE", v -> v.cause().name()),
          Column.<PlannedVictim>text(
              "FOR", v -> v.beneficiaryJob().isEmpty() ? "-" : v.beneficiaryJob()),
          Column.number("GPUS", PlannedVictim::gpus),
          Column.<PlannedVictim>number("COST(GPU-S)", v -> Times.oneDigit(v.costDeviceSeconds())));

  private PlanPrinter() {}

  /** A table of those who would be stopped; nothing for none. */
  public static void victims(Session session, PrintWriter out, List<PlannedVictim> victims) {
    if (!victims.isEmpty()) {
      new TableWriter(session.style()).write(out, VICTIMS, victims);
    }
  }

  /** A plan of a submission. */
  static void write(Session session, PrintWriter out, JobPlan plan) {
    out.println(plan.summary());
    plan.details().forEach(detail -> out.println("  " + detail));
    if (plan.startsAtOnce()) {
      out.println(
          "  Devices: "
              + plan.placement().stream().map(PlanPrinter::node).collect(Collectors.joining(", "))
              + " ("
              + plan.ownDevices()
              + " own, "
              + plan.borrowedDevices()
              + " borrowed).");
    }
    if (!plan.rejected().isEmpty()) {
      out.println(
          "  Not chosen: "
              + plan.rejected().stream()
                  .map(PlanPrinter::alternative)
                  .collect(Collectors.joining(", "))
              + ".");
    }
    victims(session, out, plan.victims());
  }

  /** A job that was not chosen, with what it would have cost. */
  static String alternative(RejectedAlternative rejected) {
    String cost =
        rejected.costDeviceSeconds() == null
            ? ""
            : "; cost " + Times.oneDigit(rejected.costDeviceSeconds()) + " GPU-s";
    return rejected.job() + " (" + rejected.why() + cost + ")";
  }

  private static String node(NodeDevices devices) {
    return devices.deviceUuids().size() + " on " + devices.node();
  }
}
