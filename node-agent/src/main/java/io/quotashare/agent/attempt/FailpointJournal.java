package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.Consumer;

/** A journal that tells of every {@link JournalFailpoint} that it comes to. */
final class FailpointJournal implements AttemptJournal {
  private final AttemptJournal journal;
  private final Consumer<JournalFailpoint> reached;

  FailpointJournal(AttemptJournal journal, Consumer<JournalFailpoint> reached) {
    this.journal = requireNonNull(journal, "journal is null");
    this.reached = requireNonNull(reached, "reached is null");
  }

  @Override
  public List<Entry> load() {
    return journal.load();
  }

  @Override
  public void append(Entry entry) {
    String name = name(entry);
    reached.accept(JournalFailpoint.valueOf("BEFORE_" + name));
    journal.append(entry);
    reached.accept(JournalFailpoint.valueOf("AFTER_" + name));
  }

  @Override
  public void compact(List<Entry> entries) {
    reached.accept(JournalFailpoint.BEFORE_COMPACT);
    journal.compact(entries);
    reached.accept(JournalFailpoint.AFTER_COMPACT);
  }

  private static String name(Entry entry) {
    if (entry instanceof StartIntent) {
      return "START_INTENT";
    }
    if (entry instanceof Started) {
      return "STARTED";
    }
    if (entry instanceof Requested) {
      return "REQUESTED";
    }
    if (entry instanceof Over) {
      return "OVER";
    }
    if (entry instanceof Acknowledged) {
      return "ACKNOWLEDGED";
    }
    // A generation is only ever written with the whole journal.
    return "COMPACT";
  }
}
