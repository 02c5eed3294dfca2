package io.quotashare.core.replay;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import java.util.OptionalLong;

/**
 * A job that only pretends to work.
 *
 * @param key identity
 * @param spec what is submitted; its interval between checkpoints is kept exactly
 * @param priority first priority
 * @param durationMillis work at full speed, from RUNNING on; empty for ever
 */
public record VirtualJob(JobKey key, JobSpec spec, int priority, OptionalLong durationMillis) {
  public VirtualJob {
    requireNonNull(key, "key is null");
    requireNonNull(spec, "spec is null");
    requireNonNull(durationMillis, "durationMillis is null");
    checkArgument(
        durationMillis.orElse(0) >= 0,
        "durationMillis: %s (expected: >= 0)",
        durationMillis.orElse(0));
    checkArgument(
        spec.checkpointEveryMillis().orElse(1) >= 1,
        "checkpointEveryMillis: %s (expected: >= 1)",
        spec.checkpointEveryMillis().orElse(1));
  }
}
