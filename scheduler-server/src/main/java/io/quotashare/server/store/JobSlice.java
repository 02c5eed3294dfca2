package io.quotashare.server.store;

import io.quotashare.core.model.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Part of a list of jobs.
 *
 * @param jobs those that match, in the order of the list
 * @param end last place that was looked at, matching or not; null if there is nothing after it
 * @param looked rows that were looked at: what the slice has cost
 */
public record JobSlice(List<Job> jobs, @Nullable JobPlace end, int looked) {
  public JobSlice {
    jobs = List.copyOf(jobs);
  }
}
