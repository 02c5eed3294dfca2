package io.quotashare.agent.attempt;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The folders of attempts and what the agent writes into and reads from them. Failures are {@link
 * java.io.UncheckedIOException}.
 */
public interface RunFolders {

  /** Folder in which each attempt has one. */
  Path root();

  /** The run folder of an attempt, whether it exists or not. */
  Path of(AttemptName attempt);

  /** Whether the attempt has a run folder. */
  boolean exists(AttemptName attempt);

  /** Makes the run folder with {@code spec.json}, and the checkpoint folder of the job; durable. */
  void create(AttemptSpec spec);

  /** What {@code spec.json} of a run folder says; empty if it has none or a damaged one. */
  Optional<AttemptSpec> readSpec(AttemptName attempt);

  /** The checkpoint folder of the job of an attempt. */
  Path checkpointDir(AttemptName attempt);

  /** The working directory of an attempt that asked for none. */
  Path workDir(AttemptName attempt);

  /** Puts a request into {@code ctl}. */
  void writeControl(AttemptName attempt, ControlRequest request);

  /**
   * The content of {@code progress}, if there is one.
   *
   * @throws ProgressRefusedException if it is too large, no regular file, or not readable
   */
  Optional<byte[]> readProgress(AttemptName attempt) throws ProgressRefusedException;

  /** When a checkpoint was changed last; empty if it is not there or outside its folder. */
  Optional<Instant> checkpointModifiedAt(AttemptName attempt, Path checkpoint);

  /** Names of all attempts that have a run folder, those that were changed last at the end. */
  List<AttemptName> list();

  /** Bytes of output that are kept for an attempt. */
  long outputBytes(AttemptName attempt);

  /** Removes the run folder with everything in it. Checkpoints stay. */
  void remove(AttemptName attempt);
}
