package io.quotashare.core.steps;

import io.quotashare.core.Effect;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.core.state.State;
import java.util.ArrayList;
import java.util.List;

/** What agents are to be told, derived from the rows. */
public final class Commands {
  private final State state;
  private final Reports reports;

  public Commands(State state, Reports reports) {
    this.state = state;
    this.reports = reports;
  }

  /** What the agent of a node should have been told by now, and has not shown to know. */
  public List<Effect> of(String node) {
    List<Effect> effects = new ArrayList<>();
    for (Attempt attempt : reports.attemptsOn(node)) {
      Job job = state.job(attempt.key().job());
      if (attempt.stop() != null) {
        effects.add(new Effect.Stop(job, attempt));
      } else if (isIn(PartPhase.ASSIGNED, attempt, node)) {
        effects.add(new Effect.Start(job, attempt));
      } else if (attempt.isSaveOutstanding() && isIn(PartPhase.RUNNING, attempt, node)) {
        effects.add(new Effect.Checkpoint(job, attempt));
      }
    }
    return effects;
  }

  private static boolean isIn(PartPhase phase, Attempt attempt, String node) {
    for (Part part : attempt.parts()) {
      if (part.node().equals(node) && part.phase() == phase) {
        return true;
      }
    }
    return false;
  }
}
