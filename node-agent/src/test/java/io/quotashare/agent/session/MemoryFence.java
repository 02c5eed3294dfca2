package io.quotashare.agent.session;

import java.io.IOException;
import java.io.UncheckedIOException;

/** An epoch in memory, on a disk that may be full. */
final class MemoryFence implements EpochFence {
  long highest;
  boolean full;

  @Override
  public long highest() {
    return highest;
  }

  @Override
  public void raise(long epoch) {
    if (full) {
      throw new UncheckedIOException(new IOException("disk full"));
    }
    highest = epoch;
  }

  @Override
  public String place() {
    return "/state/epoch";
  }
}
