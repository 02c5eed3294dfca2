package io.quotashare.core.model;

import static java.util.Objects.requireNonNull;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Nodes that are kept for a front job within its limit for which no admissible victims exist
 * (quota-semantics 3e).
 *
 * @param job the job
 * @param pool its pool; at most one hold a pool
 * @param places devices that it needs, by node
 */
public record Hold(JobKey job, PoolKey pool, SortedMap<String, Integer> places) {
  public Hold {
    requireNonNull(job, "job is null");
    requireNonNull(pool, "pool is null");
    places = new TreeMap<>(places);
  }
}
