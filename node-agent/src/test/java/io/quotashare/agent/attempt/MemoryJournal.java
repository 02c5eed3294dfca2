package io.quotashare.agent.attempt;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A journal that outlives the agent that uses it, in memory. */
public final class MemoryJournal implements AttemptJournal {
  private final List<Entry> entries = new ArrayList<>();
  private boolean full;

  /** Whether the disk is full. */
  public void setFull(boolean full) {
    this.full = full;
  }

  public List<Entry> entries() {
    return List.copyOf(entries);
  }

  @Override
  public List<Entry> load() {
    return List.copyOf(entries);
  }

  @Override
  public void append(Entry entry) {
    if (full) {
      throw new UncheckedIOException(new IOException("No space left on device"));
    }
    entries.add(entry);
  }

  @Override
  public void compact(List<Entry> compacted) {
    entries.clear();
    entries.addAll(compacted);
  }
}
