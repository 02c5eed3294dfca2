package io.quotashare.server.store;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Change;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.JobKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What all handles of a {@link MemoryStateStore} share. Its monitor guards it. */
final class MemoryContent {
  private final StoreLimits limits;
  private final AnswerIndex answerIndex;
  private final Map<String, SortedMap<RowKey, Object>> tables = new TreeMap<>();
  private final MemoryJobs jobs = new MemoryJobs();
  private final Map<RequestKey, RequestAnswer> answers = new HashMap<>();
  private final Deque<AuditRecord> audit = new ArrayDeque<>();
  private final Map<String, Long> removed = new TreeMap<>();
  private CommitPoint last = CommitPoint.NONE;

  MemoryContent(StoreLimits limits) {
    this.limits = requireNonNull(limits, "limits is null");
    this.answerIndex = new AnswerIndex(limits);
  }

  SortedMap<RowKey, Object> table(Entity<?, ?> entity) {
    return tables.computeIfAbsent(entity.table(), name -> new TreeMap<>());
  }

  MemoryJobs jobs() {
    return jobs;
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

  OptionalLong nextRemovalMillis() {
    OptionalLong ofAnswers = answerIndex.nextRemovalMillis();
    if (audit.size() <= 1) {
      return ofAnswers;
    }
    long ofAudit =
        audit.size() > limits.maxAuditEntries()
            ? 0
            : audit.getFirst().atMillis() + limits.auditRetentionMillis();
    return OptionalLong.of(Math.min(ofAudit, ofAnswers.orElse(Long.MAX_VALUE)));
  }

  StoreStatistics statistics() {
    Map<String, Long> rows = new TreeMap<>();
    tables.forEach((table, content) -> rows.put(table, (long) content.size()));
    rows.put(AuditTable.NAME, (long) audit.size());
    rows.put(RequestTable.NAME, (long) answers.size());
    return new StoreStatistics(0, rows, removed);
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
    checkRemovals(batch);
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

  /** The same for rows that go while others refer to them. */
  private void checkRemovals(CommitBatch batch) {
    Set<Change> removals = new HashSet<>(batch.changes());
    for (Change change : batch.changes()) {
      if (change instanceof Change.JobRemoved removed) {
        RowKey job = Entities.keyOf(removed.job());
        for (RowKey key : table(Entities.ATTEMPTS).tailMap(job).keySet()) {
          AttemptKey attempt = attemptOf(key);
          if (!attempt.job().equals(removed.job())) {
            break;
          }
          requireRemoved(batch, removals, change, new Change.AttemptRemoved(attempt));
        }
      } else if (change instanceof Change.AttemptRemoved removed
          && table(Entities.PREEMPTIONS).containsKey(Entities.keyOf(removed.attempt()))) {
        requireRemoved(batch, removals, change, new Change.PreemptionRemoved(removed.attempt()));
      }
    }
  }

  private static AttemptKey attemptOf(RowKey key) {
    JobKey job = new JobKey((String) key.values().get(0), (String) key.values().get(1));
    return new AttemptKey(job, ((Long) key.values().get(2)).intValue());
  }

  private static void requireRemoved(
      CommitBatch batch, Set<Change> removals, Change change, Change needed) {
    if (!removals.contains(needed)) {
      throw new StoreFailedException(
          "revision %s: %s without %s".formatted(batch.revision(), change, needed), null);
    }
  }

  /** Applies a batch that was checked. */
  void apply(CommitBatch batch) {
    for (Change change : batch.changes()) {
      RowWrite<?> write = Entities.writeOf(change);
      Object row = write.row();
      if (row == null) {
        boolean known = table(write.entity()).remove(write.key()) != null;
        removed.merge(write.entity().table(), known ? 1L : 0L, Long::sum);
      } else {
        table(write.entity()).put(write.key(), row);
      }
      if (change instanceof Change.JobPut put) {
        jobs.put(put.job());
      } else if (change instanceof Change.JobRemoved gone) {
        jobs.remove(gone.job());
      }
    }
    for (AuditEvent event : batch.audit()) {
      long sequence = audit.isEmpty() ? 1 : audit.getLast().sequence() + 1;
      audit.add(new AuditRecord(sequence, batch.revision(), batch.atMillis(), event));
    }
    trimAudit(batch);
    List<RequestKey> forgotten = answerIndex.toForget(batch.atMillis(), batch.answers().size());
    answerIndex.forget(forgotten);
    forgotten.forEach(answers::remove);
    removed.merge(RequestTable.NAME, (long) forgotten.size(), Long::sum);
    for (RequestAnswer answer : batch.answers()) {
      answerIndex.add(answer.key(), new AnswerIndex.Entry(batch.atMillis(), 0));
      answers.put(answer.key(), answer);
    }
    last = new CommitPoint(last.epoch(), batch.revision(), batch.atMillis());
  }

  private void trimAudit(CommitBatch batch) {
    int most = batch.audit().size() + AuditLog.MAX_REMOVED;
    long before = batch.atMillis() - limits.auditRetentionMillis();
    for (int i = 0; i < most && audit.size() > 1; i++) {
      boolean old = audit.getFirst().atMillis() <= before;
      if (!old && audit.size() <= limits.maxAuditEntries()) {
        return;
      }
      audit.removeFirst();
      removed.merge(AuditTable.NAME, 1L, Long::sum);
    }
  }
}
