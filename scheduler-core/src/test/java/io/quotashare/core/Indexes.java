package io.quotashare.core;

import java.util.List;

/** Lets tests of other packages look whether the indexes of a scheduler are true. */
public final class Indexes {
  private Indexes() {}

  /** What is wrong; empty if nothing is. */
  public static List<String> faults(Scheduler scheduler) {
    return scheduler.indexFaults();
  }
}
