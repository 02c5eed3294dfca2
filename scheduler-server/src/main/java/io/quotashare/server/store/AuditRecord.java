package io.quotashare.server.store;

import static java.util.Objects.requireNonNull;

/**
 * An entry of the audit log.
 *
 * @param sequence place in the log, from 1, dense
 * @param revision revision of the batch that it was committed with
 * @param atMillis when that batch was decided
 * @param event what happened
 */
public record AuditRecord(long sequence, long revision, long atMillis, AuditEvent event) {
  public AuditRecord {
    requireNonNull(event, "event is null");
  }
}
