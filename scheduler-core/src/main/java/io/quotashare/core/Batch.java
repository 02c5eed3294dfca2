package io.quotashare.core;

import java.util.List;

/**
 * What came of one or more steps: to be committed, then told.
 *
 * @param changes rows to write, one a key, in a stable order
 * @param effects to be told to agents after the commit
 * @param events to be told to watchers after the commit, in the order in which they happened
 */
public record Batch(List<Change> changes, List<Effect> effects, List<JobEvent> events) {
  public Batch {
    changes = List.copyOf(changes);
    effects = List.copyOf(effects);
    events = List.copyOf(events);
  }

  /** Whether nothing changed. */
  public boolean isEmpty() {
    return changes.isEmpty() && effects.isEmpty() && events.isEmpty();
  }
}
