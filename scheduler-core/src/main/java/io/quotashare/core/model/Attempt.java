package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One placement of a job at one instant.
 *
 * @param key identity
 * @param share share that is charged
 * @param unit capacity unit
 * @param parts one a node, in order of their rank
 * @param state where it stands
 * @param scheduledAtMillis when the placement was decided
 * @param runningAtMillis when every node ran
 * @param progress what it said of itself
 * @param stop that it was told to stop; null if it was not
 * @param requests number of requests to save or stop so far
 * @param saveRequest newest request to save and go on; null if there was none
 * @param endedAtMillis when its devices were free
 * @param outcome how it ended; null before
 * @param endReason why, in words; empty before
 * @param lostDeviceMillis device-milliseconds of work after the last durable state, known once it
 *     has ended
 * @param resumes whether an attempt ran before it
 */
public record Attempt(
    AttemptKey key,
    ShareKey share,
    String unit,
    List<Part> parts,
    AttemptState state,
    long scheduledAtMillis,
    OptionalLong runningAtMillis,
    Progress progress,
    @Nullable Stop stop,
    long requests,
    @Nullable SaveRequest saveRequest,
    OptionalLong endedAtMillis,
    @Nullable Outcome outcome,
    String endReason,
    long lostDeviceMillis,
    boolean resumes) {
  public Attempt {
    requireNonNull(key, "key is null");
    requireNonNull(share, "share is null");
    requireNonNull(unit, "unit is null");
    parts = List.copyOf(parts);
    checkArgument(!parts.isEmpty(), "parts are empty");
    requireNonNull(state, "state is null");
    requireNonNull(progress, "progress is null");
    requireNonNull(endReason, "endReason is null");
    checkArgument(
        (state == AttemptState.ENDED) == (outcome != null),
        "outcome: %s in state %s",
        outcome,
        state);
  }

  /** An attempt whose placement was just decided. */
  public static Attempt scheduled(
      AttemptKey key,
      ShareKey share,
      String unit,
      List<Part> parts,
      long nowMillis,
      boolean resumes) {
    return new Attempt(
        key,
        share,
        unit,
        parts,
        AttemptState.SCHEDULED,
        nowMillis,
        OptionalLong.empty(),
        Progress.NONE,
        null,
        0,
        null,
        OptionalLong.empty(),
        null,
        "",
        0,
        resumes);
  }

  /** Pool that it draws from. */
  public PoolKey pool() {
    return new PoolKey(share.queue(), unit);
  }

  /** Devices of all parts, held or not. */
  public int gpus() {
    int sum = 0;
    for (Part part : parts) {
      sum += part.devices().size();
    }
    return sum;
  }

  /** Devices that it still holds. */
  public int heldGpus() {
    int sum = 0;
    for (Part part : parts) {
      sum += part.phase().isFree() ? 0 : part.devices().size();
    }
    return sum;
  }

  /** Exit code of rank 0; empty while it runs or if unknown. */
  public OptionalInt exitCode() {
    return parts.get(0).exitCode();
  }

  /** Whether it counts as planned (quota-semantics 1, {@code U}). */
  public boolean isPlanned() {
    return state != AttemptState.ENDED && !state.isLeaving();
  }

  /** Number of the newest request to save, be it to go on or to stop; 0 if there was none. */
  public long newestSaveRequest() {
    if (stop != null && stop.saveFirst()) {
      return stop.requestSeq();
    }
    return saveRequest == null ? 0 : saveRequest.seq();
  }

  /** Whether it was asked to save and go on, and has neither confirmed that nor to stop. */
  public boolean isSaveOutstanding() {
    return stop == null && saveRequest != null && saveRequest.seq() > progress.ackSeq();
  }

  /** When its start-up was over: first progress, else RUNNING; empty before. */
  public OptionalLong productiveAtMillis() {
    return progress.productiveSinceMillis().isPresent()
        ? progress.productiveSinceMillis()
        : runningAtMillis;
  }

  /** A changed copy. */
  public Builder change() {
    return new Builder(this);
  }

  /** Collects changes of an attempt. */
  public static final class Builder {
    private final Attempt base;
    private List<Part> parts;
    private AttemptState state;
    private OptionalLong runningAtMillis;
    private Progress progress;
    private @Nullable Stop stop;
    private long requests;
    private @Nullable SaveRequest saveRequest;
    private OptionalLong endedAtMillis;
    private @Nullable Outcome outcome;
    private String endReason;
    private long lostDeviceMillis;

    private Builder(Attempt base) {
      this.base = base;
      this.parts = base.parts;
      this.state = base.state;
      this.runningAtMillis = base.runningAtMillis;
      this.progress = base.progress;
      this.stop = base.stop;
      this.requests = base.requests;
      this.saveRequest = base.saveRequest;
      this.endedAtMillis = base.endedAtMillis;
      this.outcome = base.outcome;
      this.endReason = base.endReason;
      this.lostDeviceMillis = base.lostDeviceMillis;
    }

    /** Replaces the part of the same rank. */
    public Builder part(Part value) {
      List<Part> changed = new ArrayList<>(parts);
      changed.set(value.rank(), value);
      parts = changed;
      return this;
    }

    public Builder state(AttemptState value) {
      state = value;
      return this;
    }

    public Builder running(long nowMillis) {
      runningAtMillis = OptionalLong.of(nowMillis);
      return this;
    }

    public Builder progress(Progress value) {
      progress = value;
      return this;
    }

    public Builder stop(Stop value) {
      stop = value;
      return this;
    }

    public Builder requests(long value) {
      requests = value;
      return this;
    }

    /** Makes this its newest request of any kind. */
    public Builder saveRequest(SaveRequest value) {
      saveRequest = value;
      requests = value.seq();
      return this;
    }

    public Builder ended(Outcome value, long nowMillis, String reason, long lost) {
      state = AttemptState.ENDED;
      outcome = value;
      endedAtMillis = OptionalLong.of(nowMillis);
      endReason = reason;
      lostDeviceMillis = lost;
      return this;
    }

    public Attempt build() {
      return new Attempt(
          base.key,
          base.share,
          base.unit,
          parts,
          state,
          base.scheduledAtMillis,
          runningAtMillis,
          progress,
          stop,
          requests,
          saveRequest,
          endedAtMillis,
          outcome,
          endReason,
          lostDeviceMillis,
          base.resumes);
    }
  }
}
