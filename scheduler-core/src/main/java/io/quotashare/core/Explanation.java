package io.quotashare.core;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.RejectedAlternative;
import java.util.List;

/**
 * Why a job waits, was stopped, or could be stopped.
 *
 * @param summary one sentence a person understands
 * @param details evidence, one sentence an entry, most important first
 * @param rejected others that were not chosen as victims for it
 * @param stopping jobs that are being stopped for it
 */
public record Explanation(
    String summary,
    List<String> details,
    List<RejectedAlternative> rejected,
    List<JobKey> stopping) {
  public Explanation {
    details = List.copyOf(details);
    rejected = List.copyOf(rejected);
    stopping = List.copyOf(stopping);
  }
}
