package io.quotashare.server.store;

import java.util.Comparator;

/** Order of a list of jobs. */
public enum JobOrder {
  /** By queue and job id. */
  ID(Comparator.comparing(JobPlace::key)),
  /** Newest submission first. */
  NEWEST_FIRST(Comparator.comparingLong(JobPlace::sequence).reversed()),
  /** Oldest submission first. */
  OLDEST_FIRST(Comparator.comparingLong(JobPlace::sequence));

  private final Comparator<JobPlace> places;

  JobOrder(Comparator<JobPlace> places) {
    this.places = places;
  }

  /** Compares places; no two jobs have the same. */
  public Comparator<JobPlace> places() {
    return places;
  }
}
