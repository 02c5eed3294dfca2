package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Plan;
import java.util.Map;

/** What 4.8 says of plans that stand, pass and start. */
final class Plans {
  private Plans() {}

  /** Whether its share may hold that much, and its places are still there. */
  static boolean stands(Mirror rows, Plan plan) {
    Facts facts = Facts.of(rows, plan.pool());
    int tolerated = facts.planned().within(plan.share()) ? plan.missingPlanned() : 0;
    if (facts.planned().missing() > tolerated
        || !facts.planned().withinBorrowLimit(plan.share())
        || Rules.impossible(facts, rows.jobs.get(plan.beneficiary())).isPresent()
        || !Rules.isEnabled(rows, plan.pool(), rows.shares.get(plan.share()))) {
      return false;
    }
    for (String node : plan.places().keySet()) {
      Facts.Place place = facts.places.get(node);
      if (place == null || !place.exists() || place.free + place.leaving < place.claimed) {
        return false;
      }
    }
    return true;
  }

  /** Whether the beneficiary could start now where the plan says. */
  static boolean couldStart(Mirror rows, Plan plan, DecisionJudge.Decided at) {
    Job job = rows.jobs.get(plan.beneficiary());
    Facts facts = Facts.of(rows, plan.pool());
    boolean mayBorrow = !facts.planned().within(plan.share());
    int tolerated = mayBorrow ? 0 : Math.max(at.missingHeld(), facts.held().missing());
    boolean missesNothing = !mayBorrow || facts.planned().missing() == 0;
    if (!job.state().isWaiting() || !missesNothing) {
      return false;
    }
    for (Map.Entry<String, Integer> entry : plan.places().entrySet()) {
      Facts.Place place = facts.places.get(entry.getKey());
      if (!place.takesWork() || place.free < entry.getValue()) {
        return false;
      }
    }
    return Rules.charges(facts.held(), job, true, tolerated);
  }

  /** If a job of the same share that goes before it fits on them, the plan passes to that job. */
  static void judgePassing(Mirror rows, Plan before, Plan after) {
    Job from = rows.jobs.get(before.beneficiary());
    Job to = rows.jobs.get(after.beneficiary());
    unless(
        to.share().equals(from.share()) && to.pool().equals(from.pool()),
        "4.8",
        "plan %s passes to %s of another share",
        before.id(),
        to.key());
    unless(
        Rules.order().compare(to, from) < 0,
        "4.8",
        "plan %s passes from %s to %s, which goes after it",
        before.id(),
        from.key(),
        to.key());
    unless(
        to.state().isWaiting() || to.state() == JobState.PREEMPTING,
        "4.8",
        "plan %s passes to %s, which is %s",
        before.id(),
        to.key(),
        to.state());
    after
        .places()
        .forEach(
            (node, devices) ->
                unless(
                    before.places().getOrDefault(node, 0) >= devices,
                    "4.8",
                    "plan %s claims more on %s than before",
                    before.id(),
                    node));
    if (to.spec().borrow() == BorrowMode.NEVER) {
      Facts facts = Facts.of(rows, after.pool());
      unless(
          facts.planned().plus(to.share(), to.gpus() - from.gpus()).within(to.share()),
          "3c",
          "plan %s passes to %s, which would borrow",
          before.id(),
          to.key());
    }
  }
}
