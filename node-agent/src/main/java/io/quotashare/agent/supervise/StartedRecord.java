package io.quotashare.agent.supervise;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * That the job was started.
 *
 * @param supervisor the supervisor's process
 * @param main the job's main process
 * @param bootId boot id of the host at that time
 * @param startedAt when the program was in place
 */
public record StartedRecord(
    ProcessIdentity supervisor, ProcessIdentity main, String bootId, Instant startedAt) {
  /** Checks that all is there. */
  public StartedRecord {
    requireNonNull(supervisor, "supervisor is null");
    requireNonNull(main, "main is null");
    requireNonNull(bootId, "bootId is null");
    requireNonNull(startedAt, "startedAt is null");
  }
}
