package io.quotashare.agent.attempt;

import io.quotashare.agent.attempt.AttemptJournal.Acknowledged;
import io.quotashare.agent.attempt.AttemptJournal.Entry;
import io.quotashare.agent.attempt.AttemptJournal.Generation;
import io.quotashare.agent.attempt.AttemptJournal.Requested;
import io.quotashare.agent.attempt.AttemptJournal.StartIntent;
import io.quotashare.agent.supervise.StartedRecord;
import io.quotashare.proto.agent.v1.AttemptStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the journal comes to.
 *
 * @param generation number of the newest agent process in it, 0 if none
 * @param open attempts that were started and are not known to be over
 * @param over attempts that are over, oldest first
 */
record Recovery(long generation, Map<AttemptName, Open> open, Map<AttemptName, Ended> over) {

  /**
   * An attempt that may run.
   *
   * @param started as it was seen running; empty if that was not seen
   */
  record Open(StartIntent intent, Optional<StartedRecord> started, List<Requested> requests) {
    private Open seenRunning(StartedRecord as) {
      return new Open(intent, Optional.of(as), requests);
    }
  }

  /** An attempt that is over. */
  record Ended(AttemptStatus status, boolean acknowledged) {}

  static Recovery read(List<Entry> entries) {
    long generation = 0;
    Map<AttemptName, Open> open = new LinkedHashMap<>();
    Map<AttemptName, Ended> over = new LinkedHashMap<>();
    for (Entry entry : entries) {
      if (entry instanceof Generation g) {
        generation = Math.max(generation, g.number());
      } else if (entry instanceof StartIntent intent) {
        open.put(intent.spec().name(), new Open(intent, Optional.empty(), new ArrayList<>()));
      } else if (entry instanceof AttemptJournal.Started started) {
        open.computeIfPresent(
            started.attempt(), (name, attempt) -> attempt.seenRunning(started.record()));
      } else if (entry instanceof Requested requested) {
        Open attempt = open.get(requested.attempt());
        if (attempt != null) {
          attempt.requests().add(requested);
        }
      } else if (entry instanceof AttemptJournal.Over end) {
        open.remove(end.attempt());
        over.put(end.attempt(), new Ended(end.status(), false));
      } else if (entry instanceof Acknowledged acknowledged) {
        over.computeIfPresent(acknowledged.attempt(), (name, end) -> new Ended(end.status(), true));
      }
    }
    return new Recovery(generation, open, over);
  }
}
