package io.quotashare.core.replay;

import java.util.OptionalLong;

/** How far a job has come over all its attempts. */
final class JobWork {
  private final OptionalLong durationMillis;
  private final OptionalLong checkpointEveryMillis;
  private long durableMillis;

  JobWork(VirtualJob job) {
    this.durationMillis = job.durationMillis();
    this.checkpointEveryMillis = job.spec().checkpointEveryMillis();
  }

  /** Work that the job consists of; empty if it never ends. */
  OptionalLong durationMillis() {
    return durationMillis;
  }

  /** Running time between two checkpoints; empty if it makes none by itself. */
  OptionalLong checkpointEveryMillis() {
    return checkpointEveryMillis;
  }

  /** Work in its newest durable checkpoint: where the next attempt resumes. */
  long durableMillis() {
    return durableMillis;
  }

  /** A checkpoint with this much work is durable. */
  void saved(long workMillis) {
    durableMillis = workMillis;
  }
}
