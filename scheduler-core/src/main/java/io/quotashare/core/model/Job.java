package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A job at one instant.
 *
 * @param key identity
 * @param spec what was submitted
 * @param priority present priority, 0 to {@link JobSpec#MAX_PRIORITY}; higher goes first inside the
 *     share
 * @param state where it stands
 * @param sequence order of submission among all jobs: the tie-break of quota-semantics 2, kept
 *     through preemptions
 * @param submittedAtMillis when it was accepted
 * @param attempts attempts so far; the newest has this number
 * @param failures attempts that failed
 * @param preemptions preemptions that count against the budget
 * @param held held back by its owner
 * @param waiting why it waits; null unless it waits and was looked at
 * @param checkpoint its newest durable checkpoint over all attempts; null if none
 * @param timings what was measured of it
 * @param endedAtMillis when it reached a terminal state
 * @param endReason why, in words; empty before
 * @param revision grows with every change
 */
public record Job(
    JobKey key,
    JobSpec spec,
    int priority,
    JobState state,
    long sequence,
    long submittedAtMillis,
    int attempts,
    int failures,
    int preemptions,
    boolean held,
    @Nullable Waiting waiting,
    @Nullable Checkpoint checkpoint,
    JobTimings timings,
    OptionalLong endedAtMillis,
    String endReason,
    long revision) {
  public Job {
    requireNonNull(key, "key is null");
    requireNonNull(spec, "spec is null");
    checkArgument(
        priority >= 0 && priority <= JobSpec.MAX_PRIORITY,
        "priority: %s (expected: 0 to %s)",
        priority,
        JobSpec.MAX_PRIORITY);
    requireNonNull(state, "state is null");
    requireNonNull(timings, "timings is null");
    requireNonNull(endedAtMillis, "endedAtMillis is null");
    requireNonNull(endReason, "endReason is null");
    checkArgument(
        state.isTerminal() == endedAtMillis.isPresent(),
        "endedAtMillis: %s in state %s",
        endedAtMillis,
        state);
  }

  /** A job that was just accepted. */
  public static Job submitted(
      JobKey key, JobSpec spec, int priority, long sequence, long nowMillis) {
    return new Job(
        key,
        spec,
        priority,
        JobState.SUBMITTED,
        sequence,
        nowMillis,
        0,
        0,
        0,
        false,
        null,
        null,
        JobTimings.NONE,
        OptionalLong.empty(),
        "",
        1);
  }

  /** Pool that it draws from. */
  public PoolKey pool() {
    return new PoolKey(key.queue(), spec.unit());
  }

  /** Share that is charged. */
  public ShareKey share() {
    return new ShareKey(key.queue(), spec.share());
  }

  /** Key of its newest attempt. Not defined before the first. */
  public AttemptKey newestAttempt() {
    return new AttemptKey(key, attempts);
  }

  /** Devices in total. */
  public int gpus() {
    return spec.shape().total();
  }

  /** A changed copy; its revision is one higher. */
  public Builder change() {
    return new Builder(this);
  }

  /** Collects changes of a job. */
  public static final class Builder {
    private final Job base;
    private int priority;
    private JobState state;
    private int attempts;
    private int failures;
    private int preemptions;
    private boolean held;
    private @Nullable Waiting waiting;
    private @Nullable Checkpoint checkpoint;
    private JobTimings timings;
    private OptionalLong endedAtMillis;
    private String endReason;

    private Builder(Job base) {
      this.base = base;
      this.priority = base.priority;
      this.state = base.state;
      this.attempts = base.attempts;
      this.failures = base.failures;
      this.preemptions = base.preemptions;
      this.held = base.held;
      this.waiting = base.waiting;
      this.checkpoint = base.checkpoint;
      this.timings = base.timings;
      this.endedAtMillis = base.endedAtMillis;
      this.endReason = base.endReason;
    }

    public Builder priority(int value) {
      priority = value;
      return this;
    }

    public Builder state(JobState value) {
      state = value;
      return this;
    }

    public Builder attempts(int value) {
      attempts = value;
      return this;
    }

    public Builder failures(int value) {
      failures = value;
      return this;
    }

    public Builder preemptions(int value) {
      preemptions = value;
      return this;
    }

    public Builder held(boolean value) {
      held = value;
      return this;
    }

    public Builder waiting(@Nullable Waiting value) {
      waiting = value;
      return this;
    }

    public Builder checkpoint(@Nullable Checkpoint value) {
      checkpoint = value;
      return this;
    }

    public Builder timings(JobTimings value) {
      timings = value;
      return this;
    }

    public Builder ended(JobState terminal, long nowMillis, String reason) {
      checkArgument(terminal.isTerminal(), "state: %s (expected: terminal)", terminal);
      state = terminal;
      waiting = null;
      endedAtMillis = OptionalLong.of(nowMillis);
      endReason = reason;
      return this;
    }

    public Job build() {
      return new Job(
          base.key,
          base.spec,
          priority,
          state,
          base.sequence,
          base.submittedAtMillis,
          attempts,
          failures,
          preemptions,
          held,
          waiting,
          checkpoint,
          timings,
          endedAtMillis,
          endReason,
          base.revision + 1);
    }
  }
}
