package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.property.Acts.Act;
import io.quotashare.core.property.DecisionJudge.Decided;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Judges a start against the rows before it: sections 1, 2, 3 and 4.8, I1, I3 and I4. */
final class StartJudge {
  private final Mirror before;
  private final Attempt attempt;
  private final long now;
  private final PoolKey pool;
  private final Job job;

  StartJudge(Mirror before, Attempt attempt, long now) {
    this.before = before;
    this.attempt = attempt;
    this.now = now;
    this.pool = attempt.pool();
    this.job = before.jobs.get(attempt.key().job());
  }

  /**
   * @param plan the plan that is served; null if none
   * @param decided what was missing when the plan was decided
   */
  void judge(Plan plan, Decided decided) {
    unless(job.state().isWaiting(), "2.2", "%s starts while it is %s", job.key(), job.state());
    unless(!job.held(), "7", "%s starts while it is held", job.key());
    unless(before.liveOf(job.key()).isEmpty(), "V2", "%s has a live attempt", job.key());
    unless(attempt.key().number() == job.attempts() + 1, "V9", "%s is not next", attempt.key());
    unless(attempt.share().equals(job.share()), "1", "%s charges another share", attempt.key());
    unless(
        Rules.isEnabled(before, pool, before.shares.get(job.share())),
        "9.3",
        "%s starts though its share or queue is disabled",
        job.key());
    judgeDevices();
    judgeRoom(plan);
    if (plan == null) {
      judgeStep();
    } else {
      judgePlanned(decided);
    }
  }

  // Devices

  private void judgeDevices() {
    Set<String> nodes = new HashSet<>();
    for (Part part : attempt.parts()) {
      Facts.Place place = Facts.of(before, pool).places.get(part.node());
      unless(place != null && place.takesWork(), "1", "%s takes no work", part.node());
      unless(nodes.add(part.node()), "1", "%s has two parts on %s", job.key(), part.node());
      unless(
          part.devices().size() == job.spec().shape().gpusPerNode(),
          "1",
          "%s gets %s devices on %s",
          job.key(),
          part.devices().size(),
          part.node());
      for (String uuid : part.devices()) {
        judgeDevice(place, part, uuid);
      }
    }
    unless(nodes.size() == job.spec().shape().nodes(), "1", "%s is not whole", job.key());
  }

  private void judgeDevice(Facts.Place place, Part part, String uuid) {
    Optional<Device> device =
        Mirror.devices(place.node, pool.unit()).stream()
            .filter(d -> d.uuid().equals(uuid))
            .findFirst();
    unless(
        device.isPresent() && device.get().healthy() && !device.get().outside(),
        "1",
        "device %s is not startable",
        uuid);
    for (Attempt other : before.live.values()) {
      for (Part held : other.parts()) {
        unless(
            held.phase().isFree() || !held.devices().contains(uuid),
            "I1",
            "%s of %s is held by %s",
            uuid,
            part.node(),
            other.key());
      }
    }
  }

  /** Nobody takes what a plan claims, or what a hold needs (3e, 4.8). */
  private void judgeRoom(Plan plan) {
    Facts facts = Facts.of(before, pool, job);
    Map<String, Integer> places = new TreeMap<>();
    attempt.parts().forEach(part -> places.put(part.node(), part.devices().size()));
    boolean asPlanned = plan != null && places.equals(plan.places());
    places.forEach(
        (node, devices) -> {
          Facts.Place place = facts.places.get(node);
          int others = place.claimed + (asPlanned ? 0 : place.kept);
          int left = place.free - Math.max(0, others - place.leaving);
          unless(
              left >= devices,
              asPlanned ? "4.8" : "3e",
              "%s takes %s devices of %s, where others leave %s",
              job.key(),
              devices,
              node,
              left);
        });
  }

  // Limits and cover

  private void judgePlanned(Decided decided) {
    Facts facts = Facts.of(before, pool);
    Facts.Ledger planned = facts.planned().plus(job.share(), job.gpus());
    unless(planned.withinBorrowLimit(job.share()), "I3", "%s is over its limits", job.share());
    if (!planned.within(job.share())) {
      unless(planned.missing() == 0, "I4", "%s borrows what is not lent", job.key());
    }
    boolean within = planned.within(job.share());
    int tolerated = within ? Math.max(decided.missingHeld(), facts.held().missing()) : 0;
    unless(
        Rules.charges(facts.held(), job, true, tolerated),
        "I4",
        "%s starts by its plan, and as held its share uses %s and %s are missing (tolerated: %s)",
        job.key(),
        facts.held().use(job.share()) + job.gpus(),
        facts.held().plus(job.share(), job.gpus()).missing(),
        tolerated);
  }

  private void judgeStep() {
    Facts facts = Facts.of(before, pool, job);
    Rules.Step step = Rules.chargedAs(before, facts, job);
    unless(
        step != Rules.Step.NONE,
        "3",
        "%s starts; as planned its share then uses %s and %s are missing, as held %s and %s",
        job.key(),
        facts.planned().plus(job.share(), job.gpus()).use(job.share()),
        facts.planned().plus(job.share(), job.gpus()).missing(),
        facts.held().plus(job.share(), job.gpus()).use(job.share()),
        facts.held().plus(job.share(), job.gpus()).missing());
    List<Job> line = Rules.line(before, pool, job.share());
    unless(!line.isEmpty(), "2.4", "%s starts though it is passed over", job.key());
    if (line.get(0).key().equals(job.key())) {
      judgeTurn(facts, step);
    } else {
      unless(
          before.shares.get(job.share()).ordering() == Ordering.BACKFILL,
          "2.4",
          "%s overtakes %s",
          job.key(),
          line.get(0).key());
      new BackfillJudge(before, attempt, line.get(0), now).judge();
    }
    if (step == Rules.Step.BORROW) {
      unless(
          !Acts.isBorrowingBlocked(before, pool, now),
          "4.6",
          "%s borrows while an owner waits for minRuntime",
          job.key());
      unless(
          ShortLoanRule.of(before, attempt, now) != ShortLoanRule.Verdict.YES,
          "6.6",
          "%s borrows, and gives victims to the front job of another share, which had none",
          job.key());
    }
  }

  // Order (2.1, 2.3)

  private void judgeTurn(Facts facts, Rules.Step step) {
    for (Job other : Rules.fronts(before, pool)) {
      if (!other.key().equals(job.key()) && goesBefore(facts, other, step)) {
        Act act = Acts.of(before, pool, other, now).act();
        unless(
            act != Act.START && act != Act.PLAN,
            Rules.isWithin(facts, other) ? "2.1" : "2.3",
            "%s starts before %s, which could %s",
            job.key(),
            other.key(),
            act);
      }
    }
  }

  private boolean goesBefore(Facts facts, Job other, Rules.Step step) {
    boolean otherWithin = Rules.isWithin(facts, other);
    if (step == Rules.Step.BORROW) {
      boolean otherBorrows = Rules.step(before, pool, other) == Rules.Step.BORROW;
      return otherWithin || (otherBorrows && compareIdle(facts, other) < 0);
    }
    return step == Rules.Step.OWN && otherWithin && compareFill(facts, other) < 0;
  }

  /** Smallest U / C first, then submission. */
  private int compareFill(Facts facts, Job other) {
    long mine = (long) used(facts, job.share()) * facts.uses.get(other.share()).c;
    long theirs = (long) used(facts, other.share()) * facts.uses.get(job.share()).c;
    int byFill = Long.compare(theirs, mine);
    return byFill != 0 ? byFill : Long.compare(other.sequence(), job.sequence());
  }

  private int compareIdle(Facts facts, Job other) {
    int byShare = 0;
    if (facts.queue.idleAssignment() == IdleAssignment.FAIR) {
      long mine = (long) facts.planned().above(job.share()) * weight(facts, other);
      long theirs = (long) facts.planned().above(other.share()) * weight(facts, job);
      byShare = Long.compare(theirs, mine);
    }
    return byShare != 0 ? byShare : Long.compare(other.sequence(), job.sequence());
  }

  private static int weight(Facts facts, Job of) {
    return facts.uses.get(of.share()).share.weight();
  }

  private static int used(Facts facts, ShareKey share) {
    return facts.planned().use(share);
  }
}
