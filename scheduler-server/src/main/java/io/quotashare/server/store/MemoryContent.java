package io.quotashare.server.store;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What all handles of a {@link MemoryStateStore} share. Its monitor guards it. */
final class MemoryContent {
  private final AnswerIndex answerIndex;
  private final Map<String, SortedMap<RowKey, Object>> tables = new TreeMap<>();
  private final Map<RequestKey, RequestAnswer> answers = new HashMap<>();
  private final List<AuditRecord> audit = new ArrayList<>();
  private CommitPoint last = CommitPoint.NONE;

  MemoryContent(StoreLimits limits) {
    this.answerIndex = new AnswerIndex(requireNonNull(limits, "limits is null"));
  }

  SortedMap<RowKey, Object> table(Entity<?, ?> entity) {
    return tables.computeIfAbsent(entity.table(), name -> new TreeMap<>());
  }

  CommitPoint last() {
    return last;
  }

  Optional<RequestAnswer> answer(RequestKey key) {
    return Optional.ofNullable(answers.get(key));
  }

  List<AuditRecord> audit() {
    return List.copyOf(audit);
  }

  long takeEpoch() {
    last = new CommitPoint(last.epoch() + 1, last.revision(), last.atMillis());
    return last.epoch();
  }

  /** Throws if the batch must not be applied. */
  void check(CommitBatch batch) {
    if (batch.epoch() != last.epoch()) {
      throw new FencedException(batch.epoch(), last.epoch());
    }
    CommitChecks.checkRevision(batch, last.revision());
    CommitChecks.checkKeys(batch);
    answerIndex.check(batch);
    checkReferences(batch);
  }

  /** What the database does by its foreign keys. */
  private void checkReferences(CommitBatch batch) {
    Map<String, SortedMap<RowKey, Object>> added = new HashMap<>();
    for (Change change : batch.changes()) {
      RowWrite<?> write = Entities.writeOf(change);
      Object row = write.row();
      if (row != null) {
        added
            .computeIfAbsent(write.entity().table(), name -> new TreeMap<>())
            .put(write.key(), row);
      }
    }
    for (Change change : batch.changes()) {
      References.of(change)
          .ifPresent(
              target -> {
                boolean there =
                    table(target.entity()).containsKey(target.key())
                        || added
                            .getOrDefault(target.entity().table(), new TreeMap<>())
                            .containsKey(target.key());
                if (!there) {
                  throw new StoreFailedException(
                      "revision %s: %s refers to row %s of %s, which is not there"
                          .formatted(batch.revision(), change, target.key(), target.entity()),
                      null);
                }
              });
    }
  }

  /** Applies a batch that was checked. */
  void apply(CommitBatch batch) {
    for (Change change : batch.changes()) {
      RowWrite<?> write = Entities.writeOf(change);
      Object row = write.row();
      if (row == null) {
        table(write.entity()).remove(write.key());
      } else {
        table(write.entity()).put(write.key(), row);
      }
    }
    for (AuditEvent event : batch.audit()) {
      audit.add(new AuditRecord(audit.size() + 1L, batch.revision(), batch.atMillis(), event));
    }
    List<RequestKey> forgotten = answerIndex.toForget(batch.atMillis(), batch.answers().size());
    answerIndex.forget(forgotten);
    forgotten.forEach(answers::remove);
    for (RequestAnswer answer : batch.answers()) {
      answerIndex.add(answer.key(), new AnswerIndex.Entry(batch.atMillis(), 0));
      answers.put(answer.key(), answer);
    }
    last = new CommitPoint(last.epoch(), batch.revision(), batch.atMillis());
  }
}
