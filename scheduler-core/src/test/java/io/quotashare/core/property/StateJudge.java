package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.PoolKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What must hold whenever the scheduler has decided: I1, I2, I5, V2, V6, and rows that agree. */
final class StateJudge {
  private final Mirror rows;

  StateJudge(Mirror rows) {
    this.rows = rows;
  }

  /**
   * @param recovering whether the scheduler holds all decisions back
   */
  void judge(boolean recovering) {
    judgeDevices();
    rows.jobs.values().forEach(this::judge);
    rows.live.values().forEach(this::judge);
    if (!recovering) {
      rows.plans.values().forEach(this::judge);
    }
    for (PoolKey pool : rows.pools()) {
      if (rows.queues.containsKey(pool.queue())) {
        judge(pool, recovering);
      }
    }
  }

  private void judgeDevices() {
    Map<String, Attempt> holders = new HashMap<>();
    for (Attempt attempt : rows.live.values()) {
      for (Part part : attempt.parts()) {
        if (part.phase().isFree()) {
          continue;
        }
        for (String uuid : part.devices()) {
          Attempt other = holders.put(uuid, attempt);
          unless(other == null, "I1", "%s is held by %s and %s", uuid, other, attempt);
        }
      }
    }
  }

  private void judge(Job job) {
    Optional<Attempt> live = rows.liveOf(job.key());
    boolean shouldLive = !job.state().isWaiting() && !job.state().isTerminal();
    unless(
        live.isPresent() == shouldLive, "I5", "%s is %s and has %s", job.key(), job.state(), live);
    live.ifPresent(
        attempt -> {
          unless(
              attempt.state().shownAs() == job.state(),
              "1",
              "%s shows %s and its attempt is %s",
              job.key(),
              job.state(),
              attempt.state());
          unless(attempt.key().number() == job.attempts(), "V9", "%s is not newest", attempt.key());
        });
    unless(job.state() != JobState.SUBMITTED, "7", "%s was not looked at", job.key());
    unless(
        (job.waiting() != null) == job.state().isWaiting(),
        "7",
        "%s is %s and waits for %s",
        job.key(),
        job.state(),
        job.waiting());
  }

  private void judge(Attempt attempt) {
    long twins =
        rows.live.values().stream().filter(a -> a.key().job().equals(attempt.key().job())).count();
    unless(twins == 1, "V2", "%s has %s live attempts", attempt.key().job(), twins);
    unless(attempt.heldGpus() > 0, "6.2", "%s holds nothing and has not ended", attempt.key());
    unless(
        (attempt.stop() != null)
            == (attempt.state() == AttemptState.PREEMPTING
                || attempt.state() == AttemptState.STOPPING),
        "1",
        "%s is %s with stop %s",
        attempt.key(),
        attempt.state(),
        attempt.stop());
  }

  private void judge(Plan plan) {
    unless(Plans.stands(rows, plan), "4.8", "plan %s is void and was kept", plan);
    Job job = rows.jobs.get(plan.beneficiary());
    unless(
        job.state().isWaiting() || job.state() == JobState.PREEMPTING,
        "4.8",
        "plan %s is for a job that is %s",
        plan.id(),
        job.state());
  }

  private void judge(PoolKey pool, boolean recovering) {
    Facts facts = Facts.of(rows, pool);
    unless(
        facts.planned().free() >= 0 || recovering,
        "I2",
        "%s: U is %s more than E",
        pool,
        -facts.planned().free());
    unless(facts.held().free() >= 0, "I2", "%s: held %s of E", pool, facts.held().sum());
  }
}
