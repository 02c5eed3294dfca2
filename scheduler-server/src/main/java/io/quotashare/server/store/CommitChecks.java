package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;

import io.quotashare.core.Change;
import java.util.HashSet;
import java.util.Set;

/** What every store demands of a batch. */
final class CommitChecks {
  private CommitChecks() {}

  static void checkRevision(CommitBatch batch, long lastRevision) {
    checkArgument(
        batch.revision() == lastRevision + 1,
        "revision: %s (expected: %s, one more than the last)",
        batch.revision(),
        lastRevision + 1);
  }

  /** A key may change only once, or the outcome would depend on an order inside the batch. */
  static void checkKeys(CommitBatch batch) {
    record Place(String table, RowKey key) {}

    Set<Place> rows = new HashSet<>();
    for (Change change : batch.changes()) {
      RowWrite<?> write = Entities.writeOf(change);
      checkArgument(
          rows.add(new Place(write.entity().table(), write.key())),
          "changes: row %s of %s twice (expected: once)",
          write.key(),
          write.entity().table());
    }
    Set<RequestKey> answers = new HashSet<>();
    for (RequestAnswer answer : batch.answers()) {
      checkArgument(answers.add(answer.key()), "answers: %s twice (expected: once)", answer.key());
    }
  }
}
