package io.quotashare.core.decide;

import io.quotashare.core.decide.DecisionPass.Tried;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Observation.Victim;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.preemption.Answer;
import io.quotashare.core.preemption.Candidate;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes down whom a queue that only observes would have stopped. Each decision is made as if it
 * were the only one, since none is carried out: two beneficiaries may name the same victims.
 */
final class Observer {
  private final State state;

  Observer(State state) {
    this.state = state;
  }

  /** Whether an answer stops an attempt; plans that are void or only use what comes free do not. */
  static boolean stopsSomebody(Answer.Found found) {
    return found.victims().stream().anyMatch(v -> v.kind() == Candidate.Kind.ATTEMPT);
  }

  /** Notes what came of the front jobs of a pool. */
  void note(Pool pool, Map<JobKey, Tried> tried) {
    if (!pool.queue().observesOnly()) {
      return;
    }
    for (Map.Entry<JobKey, Tried> entry : new TreeMap<>(tried).entrySet()) {
      Answer.Found found = entry.getValue().observed();
      if (found != null) {
        Job job = state.job(entry.getKey());
        state
            .observations()
            .note(
                pool,
                job.share(),
                job.key(),
                victims(job, found),
                found.approximate(),
                found.rejected());
      }
    }
  }

  private List<Victim> victims(Job job, Answer.Found found) {
    List<Victim> victims = new ArrayList<>();
    for (Candidate candidate : found.victims()) {
      if (candidate.kind() == Candidate.Kind.ATTEMPT) {
        Attempt attempt = state.liveAttempt(candidate.job()).orElseThrow();
        StopCause cause =
            attempt.share().equals(job.share()) ? StopCause.IN_SHARE : StopCause.RECLAIM;
        victims.add(
            new Victim(
                attempt.key(),
                attempt.share(),
                cause,
                attempt.heldGpus(),
                candidate.costDeviceMillis()));
      }
    }
    return victims;
  }
}
