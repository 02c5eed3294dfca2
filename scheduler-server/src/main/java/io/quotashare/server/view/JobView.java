package io.quotashare.server.view;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import org.jspecify.annotations.Nullable;

/**
 * A job as readers see it.
 *
 * @param job the job
 * @param attempt its newest attempt; null before the first
 */
public record JobView(Job job, @Nullable Attempt attempt) {
  public JobView {
    requireNonNull(job, "job is null");
  }
}
