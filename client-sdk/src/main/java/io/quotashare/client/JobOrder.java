package io.quotashare.client;

/** Order of a list of jobs. */
public enum JobOrder {
  /** By queue and job id. */
  ID,
  /** Newest submission first. */
  NEWEST_FIRST,
  /** Oldest submission first. */
  OLDEST_FIRST
}
