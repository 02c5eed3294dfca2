package io.quotashare.cli.shares;

import io.quotashare.cli.output.Column;
import io.quotashare.cli.output.Resource;
import io.quotashare.cli.output.Times;
import io.quotashare.cli.output.Tone;
import io.quotashare.client.Loan;
import io.quotashare.client.LoanVictim;
import io.quotashare.client.PoolUsage;
import io.quotashare.client.Preemption;
import io.quotashare.client.PreemptionMode;
import io.quotashare.client.Queue;
import io.quotashare.client.ShareStatus;
import io.quotashare.client.ShareUsage;
import io.quotashare.client.internal.QueueProtos;
import io.quotashare.client.internal.ShareProtos;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How queues, shares, loans and preemptions are shown. */
final class ShareTexts {
  /** One line of the table of shares: a share and one of its units. */
  record UnitOfShare(ShareStatus share, ShareUsage usage) {}

  /** What is true of a share that is being removed. */
  static final String REMOVING = "being removed: gone when its last job has ended";

  private static final String WOULD_STOP = "WOULD STOP (last checkpoint → work it would lose)";
  private static final double SECONDS_PER_HOUR = 3600;

  private ShareTexts() {}

  /** A line for each share and unit; a share that uses no unit has one line too. */
  static List<UnitOfShare> lines(List<ShareStatus> shares) {
    List<UnitOfShare> lines = new ArrayList<>();
    for (ShareStatus share : shares) {
      List<ShareUsage> usage =
          share.usage().isEmpty()
              ? List.of(new ShareUsage("-", 0, 0, 0, 0, 0, 0, 0, 0, 0))
              : share.usage();
      usage.forEach(u -> lines.add(new UnitOfShare(share, u)));
    }
    return lines;
  }

  /** Columns of the table of shares. */
  static List<Column<UnitOfShare>> shareColumns(boolean severalUnits) {
    List<Column<UnitOfShare>> columns = new ArrayList<>();
    columns.add(Column.text("SHARE", line -> line.share().share().id()));
    columns.add(Column.text("STRATEGY", line -> line.share().share().strategy().name()));
    if (severalUnits) {
      columns.add(Column.text("UNIT", line -> line.usage().unit()));
    }
    columns.add(Column.number("LIMIT", line -> line.usage().limit()));
    columns.add(Column.number("USED", line -> line.usage().used()));
    columns.add(Column.number("OWN", line -> line.usage().own()));
    columns.add(Column.number("BORROWED", line -> line.usage().borrowed()));
    columns.add(Column.number("LENT", line -> line.usage().lent()));
    columns.add(
        Column.<UnitOfShare>number("OVER", line -> line.usage().over())
            .toned(line -> line.usage().over() > 0 ? Tone.BAD : Tone.PLAIN));
    columns.add(Column.number("IDLE", line -> line.usage().idle()));
    columns.add(
        Column.<UnitOfShare>number(
            "WAITING(GPU)",
            line -> line.usage().waitingJobs() + " (" + line.usage().waitingGpus() + ")"));
    columns.add(Column.number("PREEMPTED/24H", line -> line.share().preemptedLast24h()));
    columns.add(
        Column.number(
            "GPU-H LOST/24H", line -> Times.oneDigit(line.share().lostDeviceHoursLast24h())));
    return columns;
  }

  /** What {@code -o json|yaml|name} print of shares. */
  static Resource<ShareStatus> shares() {
    return new Resource<>("shares", List.of(), s -> s.share().name(), ShareProtos::toProto);
  }

  /**
   * The line that always adds up: {@code research: 24 GPUs = 21 held + 3 reserved idle + ...}.
   * Devices kept for a job that is about to start are named where there are any.
   */
  static String poolLine(String queue, PoolUsage pool, boolean severalUnits) {
    String kept =
        pool.heldForBeneficiary() == 0
            ? ""
            : " + " + pool.heldForBeneficiary() + " kept for a job that starts";
    return queue
        + (severalUnits ? " (" + pool.unit() + ")" : "")
        + ": "
        + count(pool.total())
        + " = "
        + pool.held()
        + " held"
        + kept
        + " + "
        + pool.reservedIdle()
        + " reserved idle + "
        + pool.free()
        + " free + "
        + pool.outside()
        + " held outside + "
        + pool.unhealthy()
        + " unhealthy";
  }

  /** The parts of a pool together. */
  static int sum(PoolUsage pool) {
    return pool.held()
        + pool.heldForBeneficiary()
        + pool.reservedIdle()
        + pool.free()
        + pool.outside()
        + pool.unhealthy();
  }

  /** Loans in every format. */
  static Resource<Loan> loans(Instant now) {
    return new Resource<>(
        "loans",
        List.of(
            Column.text("LENDER", Loan::lender),
            Column.text("BORROWER", Loan::borrower),
            Column.text("UNIT", Loan::unit).wide(),
            Column.number("GPUS", Loan::gpus),
            Column.<Loan>text("SINCE", loan -> Times.between(loan.since(), now) + " ago"),
            Column.<Loan>text(WOULD_STOP, loan -> wouldStop(loan, now))),
        loan -> loan.lender() + "/" + loan.borrower() + "/" + loan.unit(),
        ShareProtos::toProto);
  }

  /** Whom the lender's own job would stop, with what each would lose. */
  private static String wouldStop(Loan loan, Instant now) {
    return loan.wouldStop().isEmpty()
        ? "-"
        : loan.wouldStop().stream().map(v -> victim(v, now)).collect(Collectors.joining(", "));
  }

  private static String victim(LoanVictim victim, Instant now) {
    String saved =
        victim.checkpointStateTime() == null
            ? "never saved"
            : Times.between(victim.checkpointStateTime(), now);
    String lost = Times.oneDigit(victim.lostDeviceSeconds() / SECONDS_PER_HOUR);
    return victim.job() + " " + victim.gpus() + " (" + saved + " → " + lost + " GPU-h)";
  }

  /** How a queue stops attempts for others, in words where it does not. */
  static String preemptionMode(Queue queue) {
    return queue.preemptionMode() == PreemptionMode.OBSERVE_ONLY
        ? "OBSERVE_ONLY: decides and records whom it would stop, and stops nobody"
        : queue.preemptionMode().name();
  }

  /** Queues in every format. */
  static Resource<Queue> queues() {
    return new Resource<>(
        "queues",
        List.of(
            Column.text("QUEUE", Queue::id),
            Column.<Queue>text("STATE", q -> q.state().name()),
            Column.<Queue>text("NODES", q -> selector(q.nodeSelector())),
            Column.<Queue>text("IDLE GOES", q -> q.idleAssignment().name()),
            Column.<Queue>text("UNASSIGNED", q -> q.unassigned().name()),
            Column.<Queue>text("PREEMPTION", q -> q.preemptionMode().name())
                .toned(q -> q.preemptionMode() == PreemptionMode.ENFORCE ? Tone.PLAIN : Tone.WAIT),
            Column.<Queue>text("MAX GRACE", q -> Times.rounded(q.maxGrace())).wide(),
            Column.<Queue>text("RESTART COST", q -> Times.rounded(q.restartCost())).wide()),
        Queue::name,
        ShareProtos::toProto);
  }

  /** Preemptions in every format. */
  static Resource<Preemption> preemptions() {
    return new Resource<>(
        "preemptions",
        List.of(
            Column.<Preemption>text("TIME", p -> Times.date(p.requestedAt())),
            Column.text("VICTIM", Preemption::jobId),
            Column.number("ATTEMPT", Preemption::attempt).wide(),
            Column.text("SHARE", Preemption::share),
            Column.<Preemption>text("FOR", p -> orNobody(p.beneficiaryJob())),
            Column.<Preemption>text("OF SHARE", p -> orNobody(p.beneficiaryShare())),
            Column.<Preemption>text("CAUSE", p -> p.cause().name()),
            Column.number("GPUS", Preemption::gpus),
            Column.<Preemption>text("SAVED", p -> Times.clock(p.savedAt())),
            Column.<Preemption>number("TOOK", ShareTexts::took),
            Column.<Preemption>number(
                "EXPECTED(GPU-S)", p -> Times.oneDigit(p.expectedCostDeviceSeconds())),
            Column.<Preemption>number("LOST(GPU-S)", p -> Times.oneDigit(p.lostDeviceSeconds()))),
        p -> p.job() + "/attempts/" + p.attempt(),
        QueueProtos::toProto);
  }

  /** A requeue that a person asked for, or a drained node, is for nobody. */
  private static String orNobody(String beneficiary) {
    return beneficiary.isEmpty() ? "-" : beneficiary;
  }

  /** Labels as {@code pool=research}; for none: the nodes that no other queue selects. */
  static String selector(Map<String, String> labels) {
    return labels.isEmpty()
        ? "(all others)"
        : labels.entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining(","));
  }

  /** Limits such as {@code 8 H100, 2 A100}. */
  static String devices(Map<String, Integer> limits) {
    return limits.entrySet().stream()
        .map(e -> e.getValue() + " " + e.getKey())
        .collect(Collectors.joining(", "));
  }

  /** {@code 1 GPU}, {@code 2 GPUs}. */
  static String count(int gpus) {
    return gpus + (gpus == 1 ? " GPU" : " GPUs");
  }

  private static String took(Preemption preemption) {
    if (preemption.observedOnly()) {
      return "observed only";
    }
    return preemption.duration() == null ? "going on" : Times.rounded(preemption.duration());
  }
}
