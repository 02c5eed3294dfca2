package io.quotashare.core;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.RejectedAlternative;
import java.util.List;
import java.util.OptionalLong;

/**
 * Why a job waits, was stopped, or could be stopped.
 *
 * @param summary one sentence a person understands
 * @param details evidence, one sentence an entry, most important first
 * @param rejected others that were not chosen as victims for it
 * @param stopping jobs that are being stopped for it
 * @param expectedStartMillis when it starts at the latest, if nothing else happens: what it waits
 *     for ends by its deadlines and time limits, and nobody goes before it; empty if it does not
 *     wait, or if it cannot be told
 */
public record Explanation(
    String summary,
    List<String> details,
    List<RejectedAlternative> rejected,
    List<JobKey> stopping,
    OptionalLong expectedStartMillis) {
  public Explanation {
    details = List.copyOf(details);
    rejected = List.copyOf(rejected);
    stopping = List.copyOf(stopping);
    requireNonNull(expectedStartMillis, "expectedStartMillis is null");
  }
}
