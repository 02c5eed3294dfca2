package io.quotashare.client;

import java.util.List;

/**
 * The jobs that a filter selected to be cancelled.
 *
 * @param jobs their names, {@code queues/{queue}/jobs/{job}}, oldest submission first
 * @param remaining jobs that the filter selects beyond those; 0 after {@link JobsClient#cancelAll},
 *     which goes on until none is left
 */
public record CancelResult(List<String> jobs, int remaining) {
  /** Copies the list. */
  public CancelResult {
    jobs = List.copyOf(jobs);
  }
}
