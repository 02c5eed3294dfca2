package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;

import io.quotashare.core.Change;
import java.util.List;

/**
 * What becomes durable together.
 *
 * @param epoch the writer's epoch, from {@link StateStore#takeEpoch}
 * @param revision number of the batch: one more than that of the last, over all epochs
 * @param atMillis when it was decided, milliseconds since the epoch of the calendar
 * @param changes rows to write, a key at most once
 * @param audit events to append to the audit log, in their order
 * @param answers first answers to remember
 */
public record CommitBatch(
    long epoch,
    long revision,
    long atMillis,
    List<Change> changes,
    List<AuditEvent> audit,
    List<RequestAnswer> answers) {
  public CommitBatch {
    checkArgument(epoch >= 1, "epoch: %s (expected: >= 1)", epoch);
    checkArgument(revision >= 1, "revision: %s (expected: >= 1)", revision);
    checkArgument(atMillis >= 0, "atMillis: %s (expected: >= 0)", atMillis);
    changes = List.copyOf(changes);
    audit = List.copyOf(audit);
    answers = List.copyOf(answers);
  }
}
