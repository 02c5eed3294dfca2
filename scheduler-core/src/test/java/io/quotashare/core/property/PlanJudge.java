package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.Shape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges a new plan and its victims against the rows before them: sections 4 and 5. */
final class PlanJudge {
  private final Mirror before;
  private final Plan plan;
  private final List<Plan> taken;
  private final List<Attempt> victims;
  private final long now;
  private final PoolKey pool;
  private final Job job;

  PlanJudge(Mirror before, Plan plan, List<Plan> taken, List<Attempt> victims, long now) {
    this.before = before;
    this.plan = plan;
    this.taken = taken;
    this.victims = victims;
    this.now = now;
    this.pool = plan.pool();
    this.job = before.jobs.get(plan.beneficiary());
  }

  void judge() {
    unless(
        plan.victims().stream().collect(Collectors.toSet()).equals(keys()),
        "6.5",
        "the plan names %s, and stopped are %s",
        plan.victims(),
        keys());
    unless(job.share().equals(plan.share()), "4.8", "%s is of another share", job.key());
    unless(
        Rules.fronts(before, pool).stream().anyMatch(front -> front.key().equals(job.key())),
        "2.4",
        "a plan for %s, which is no front job",
        job.key());
    judgePlaces();
    judgeSet();
  }

  private Set<?> keys() {
    return victims.stream().map(Attempt::key).collect(Collectors.toSet());
  }

  private void judgePlaces() {
    Shape shape = job.spec().shape();
    unless(
        plan.places().size() == shape.nodes()
            && plan.places().values().stream().allMatch(n -> n == shape.gpusPerNode()),
        "4.4",
        "%s does not sit on %s",
        shape,
        plan.places());
    Facts after =
        Facts.of(
            before,
            pool,
            victims.stream().map(Attempt::key).collect(Collectors.toSet()),
            taken.stream().map(Plan::id).collect(Collectors.toSet()),
            job);
    for (Map.Entry<String, Integer> entry : plan.places().entrySet()) {
      Facts.Place place = after.places.get(entry.getKey());
      unless(
          place != null && place.takesWork() && place.room() >= entry.getValue(),
          "4.4",
          "%s claims %s on %s, where %s are free or coming free and nobody's",
          job.key(),
          entry.getValue(),
          entry.getKey(),
          place == null ? 0 : place.room());
    }
  }

  private void judgeSet() {
    Acts.Found act = Acts.of(before, pool, job, now);
    unless(
        act.act() == Acts.Act.PLAN || act.act() == Acts.Act.UNKNOWN,
        "3",
        "a plan for %s (victims %s), which should %s %s",
        job.key(),
        names(),
        act.act(),
        act.step());
    if (act.act() == Acts.Act.UNKNOWN) {
      boolean takesOwn =
          taken.isEmpty() && victims.stream().allMatch(v -> v.share().equals(job.share()));
      act = Acts.unknown(before, pool, job, takesOwn, now);
    }
    Choice choice = new Choice(before, pool, job, act.mayBorrow(), act.candidates());
    List<Choice.Candidate> set = new ArrayList<>();
    for (Choice.Candidate candidate : act.candidates()) {
      if (names().contains(candidate.job()) && isMember(candidate)) {
        set.add(candidate);
      }
    }
    unless(
        set.size() == victims.size() + taken.size(),
        "4.2",
        "%s may not be taken for %s, only %s",
        names(),
        job.key(),
        Choice.names(act.candidates()));
    set.forEach(c -> unless(!c.young(), "4.6", "%s is younger than minRuntime", c.job()));
    unless(choice.isLegal(set), "4.2", "%s take a share below its limit", names());
    unless(choice.isFeasible(set), "4.4", "%s is not placeable after %s", job.key(), names());
    unless(!choice.hasSuperfluous(set), "4.5", "one of %s is superfluous", names());
    if (act.act() == Acts.Act.PLAN) {
      Set<JobKey> best = choice.best().orElseThrow();
      unless(
          best.equals(Choice.names(set)),
          "4.5",
          "%s are taken for %s (expected: %s)",
          Choice.names(set),
          job.key(),
          best);
    }
  }

  private boolean isMember(Choice.Candidate candidate) {
    return candidate.isPlan()
        ? taken.stream().anyMatch(p -> p.beneficiary().equals(candidate.job()))
        : victims.stream().anyMatch(a -> a.key().job().equals(candidate.job()));
  }

  private Set<JobKey> names() {
    Set<JobKey> names = new HashSet<>(DecisionJudge.jobs(victims));
    taken.forEach(p -> names.add(p.beneficiary()));
    return names;
  }
}
