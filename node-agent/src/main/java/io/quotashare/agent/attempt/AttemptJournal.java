package io.quotashare.agent.attempt;

import io.quotashare.agent.supervise.StartedRecord;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.StopReason;
import java.time.Instant;
import java.util.List;

/**
 * What the agent must not forget. An entry is durable when {@link #append} returns.
 *
 * <p>Failures are {@link java.io.UncheckedIOException}: then nothing that depends on the entry may
 * be done.
 */
public interface AttemptJournal {

  /** All entries, oldest first. */
  List<Entry> load();

  /** Adds an entry. */
  void append(Entry entry);

  /** Replaces all entries by these, which say the same. */
  void compact(List<Entry> entries);

  /** What happened. */
  sealed interface Entry {}

  /**
   * An agent process has begun.
   *
   * @param number grows with every process on this state folder
   */
  record Generation(long number) implements Entry {}

  /**
   * An attempt is about to be started; written before anything of it is.
   *
   * @param epoch epoch of the scheduler that commanded it
   */
  record StartIntent(AttemptSpec spec, long epoch) implements Entry {}

  /**
   * The program of the attempt runs. Kept here as well because its run folder is within reach of
   * the job.
   */
  record Started(AttemptName attempt, StartedRecord record) implements Entry {}

  /**
   * The job was asked for something.
   *
   * @param stop the attempt is to be stopped; else it saves and goes on
   * @param saveFirst the job is asked to save before SIGTERM
   * @param killBootMillis when it is killed; 0 if it is not to be stopped
   */
  record Requested(
      AttemptName attempt,
      long seq,
      StopReason reason,
      Instant at,
      boolean stop,
      boolean saveFirst,
      long killBootMillis)
      implements Entry {}

  /** The attempt is over on this node; this is the last report. */
  record Over(AttemptName attempt, AttemptStatus status) implements Entry {}

  /** The scheduler has the last report. */
  record Acknowledged(AttemptName attempt) implements Entry {}
}
