package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkState;
import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.UsageSample;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store without a disk, for tests, simulations and the test kit. It keeps the promises of {@link
 * StateStore}, fencing included, and fails on demand.
 *
 * <p>Durable is what the shared content holds: {@link #reopen} gives another handle on it, as a
 * second scheduler or a restarted one would have.
 */
public final class MemoryStateStore implements StateStore {
  /** How a commit fails. */
  public enum Fault {
    /** {@link StoreUnavailableException.Reason#FULL}; nothing is written. */
    FULL,
    /** {@link StoreUnavailableException.Reason#BUSY}; nothing is written. */
    BUSY,
    /** {@link StoreUnavailableException.Reason#DISCONNECTED}; nothing is written. */
    DISCONNECTED,
    /** {@link OutcomeUnknownException}; the batch is durable. */
    UNKNOWN_WRITTEN,
    /** {@link OutcomeUnknownException}; nothing is written. */
    UNKNOWN_LOST,
    /** {@link StoreFailedException}, from now on for every call of this handle. */
    FAILED
  }

  private final MemoryContent content;
  private final Deque<Fault> faults = new ArrayDeque<>();
  private boolean failed;
  private boolean closed;

  /** An empty store. */
  public MemoryStateStore(StoreLimits limits) {
    this(new MemoryContent(limits));
  }

  private MemoryStateStore(MemoryContent content) {
    this.content = content;
  }

  /** Another handle on the same content. This one keeps working. */
  public MemoryStateStore reopen() {
    return new MemoryStateStore(content);
  }

  /** Makes the next commit without a fault of its own fail. Several calls queue up. */
  public void failNextCommit(Fault fault) {
    synchronized (content) {
      faults.add(requireNonNull(fault, "fault is null"));
    }
  }

  /**
   * Changes rows behind everybody's back, as damage does: no commit, and the revision stays.
   *
   * @param damage what becomes of each row; null to have it gone
   */
  public void tamper(Function<Change, @Nullable Change> damage) {
    synchronized (content) {
      for (Entity<?, ?> entity : Entities.ALL) {
        tamper(entity, damage);
      }
    }
  }

  private <T, P extends Change> void tamper(
      Entity<T, P> entity, Function<Change, @Nullable Change> damage) {
    content
        .table(entity)
        .entrySet()
        .removeIf(
            row -> {
              Change after =
                  damage.apply(entity.put().apply(entity.rowType().cast(row.getValue())));
              if (after != null) {
                row.setValue(
                    requireNonNull(Entities.writeOf(after).row(), "only rows, no removals"));
              }
              return after == null;
            });
  }

  @Override
  public long takeEpoch() {
    synchronized (content) {
      checkUsable();
      return content.takeEpoch();
    }
  }

  @Override
  public CommitPoint lastCommit() {
    synchronized (content) {
      checkUsable();
      return content.last();
    }
  }

  @Override
  public Iterable<Change> load() {
    synchronized (content) {
      checkUsable();
      List<Change> changes = new ArrayList<>();
      StateVerifier verifier = new StateVerifier("memory");
      for (Entity<?, ?> entity : Entities.ALL) {
        addChanges(entity, verifier, changes);
      }
      verifier.finish();
      return changes;
    }
  }

  private <T, P extends Change> void addChanges(
      Entity<T, P> entity, StateVerifier verifier, List<Change> changes) {
    content
        .table(entity)
        .forEach(
            (key, value) -> {
              T row = entity.rowType().cast(value);
              verifier.accept(entity, key, row);
              changes.add(entity.put().apply(row));
            });
  }

  @Override
  public Optional<Verification> verify(Verifier verifier) {
    synchronized (content) {
      checkUsable();
      if (!verifier.accepts(content.last())) {
        return Optional.empty();
      }
      return Optional.of(new MemoryVerifier(content, verifier).run());
    }
  }

  @Override
  public void commit(CommitBatch batch) {
    synchronized (content) {
      checkUsable();
      try {
        content.check(batch);
      } catch (StoreFailedException e) {
        failed = true;
        throw e;
      }
      Fault fault = faults.poll();
      if (fault == null || fault == Fault.UNKNOWN_WRITTEN) {
        content.apply(batch);
      }
      if (fault != null) {
        throw failure(fault);
      }
    }
  }

  private StoreException failure(Fault fault) {
    return switch (fault) {
      case FULL ->
          new StoreUnavailableException(StoreUnavailableException.Reason.FULL, "full", null);
      case BUSY ->
          new StoreUnavailableException(StoreUnavailableException.Reason.BUSY, "busy", null);
      case DISCONNECTED ->
          new StoreUnavailableException(
              StoreUnavailableException.Reason.DISCONNECTED, "disconnected", null);
      case UNKNOWN_WRITTEN, UNKNOWN_LOST ->
          new OutcomeUnknownException("connection lost during the commit", null);
      case FAILED -> {
        failed = true;
        yield new StoreFailedException("flush failed", null);
      }
    };
  }

  @Override
  public Optional<RequestAnswer> answer(RequestKey key) {
    synchronized (content) {
      checkUsable();
      return content.answer(key);
    }
  }

  @Override
  public OptionalLong nextRemovalMillis() {
    synchronized (content) {
      return content.nextRemovalMillis();
    }
  }

  @Override
  public StoreStatistics statistics() {
    synchronized (content) {
      return content.statistics();
    }
  }

  @Override
  public List<UsageInstant> usageInstants(String queue) {
    return samples(queue)
        .map(s -> new UsageInstant(s.pool().unit(), s.atMillis(), s.startedAtMillis()))
        .toList();
  }

  @Override
  public List<UsageSample> usageSamples(String queue, Collection<Long> atMillis) {
    return samples(queue).filter(sample -> atMillis.contains(sample.atMillis())).toList();
  }

  private Stream<UsageSample> samples(String queue) {
    return rows(Entities.USAGE_SAMPLES).stream()
        .filter(sample -> sample.pool().queue().equals(queue))
        .sorted(comparing(UsageSample::atMillis).thenComparing(s -> s.pool().unit()));
  }

  @Override
  public Optional<Job> job(JobKey key) {
    synchronized (content) {
      checkUsable();
      return Optional.ofNullable(
          Entities.JOBS.rowType().cast(content.table(Entities.JOBS).get(Entities.keyOf(key))));
    }
  }

  @Override
  public JobSlice jobs(JobQuery query) {
    synchronized (content) {
      checkUsable();
      return content.jobs().list(query);
    }
  }

  @Override
  public Map<JobKey, Attempt> attempts(Collection<AttemptKey> keys) {
    Map<JobKey, Attempt> found = new HashMap<>();
    synchronized (content) {
      checkUsable();
      for (AttemptKey key : keys) {
        Object row = content.table(Entities.ATTEMPTS).get(Entities.keyOf(key));
        if (row != null) {
          found.put(key.job(), Entities.ATTEMPTS.rowType().cast(row));
        }
      }
    }
    return found;
  }

  @Override
  public List<Attempt> attempts(JobKey job) {
    return rows(Entities.ATTEMPTS).stream().filter(a -> a.key().job().equals(job)).toList();
  }

  @Override
  public Page<RecordedPreemption> preemptions(PreemptionQuery query) {
    RecordedPreemption.Position after = RecordedPreemption.Position.parse(query.pageToken());
    List<RecordedPreemption> found = new ArrayList<>();
    for (Preemption p : rows(Entities.PREEMPTIONS)) {
      if (isOf(query, p.share()) && isOf(query, p.victim(), p.beneficiary())) {
        found.add(new RecordedPreemption.Enforced(p));
      }
    }
    for (ObservedPreemption p : rows(Entities.OBSERVED_PREEMPTIONS)) {
      if (isOf(query, p.share()) && isOf(query, p.victim(), p.beneficiary())) {
        found.add(new RecordedPreemption.Observed(p));
      }
    }
    found.removeIf(p -> after != null && RecordedPreemption.Position.of(p).compareTo(after) <= 0);
    return RecordedPreemption.page(found, query.pageSize());
  }

  private static boolean isOf(
      PreemptionQuery query, AttemptKey victim, @Nullable JobKey beneficiary) {
    return query.job().isEmpty()
        || victim.job().id().equals(query.job())
        || (beneficiary != null && beneficiary.id().equals(query.job()));
  }

  private static boolean isOf(PreemptionQuery query, ShareKey victim) {
    return (query.queue().isEmpty() || victim.queue().equals(query.queue()))
        && (query.share().isEmpty() || victim.share().equals(query.share()));
  }

  @Override
  public SortedMap<String, PreemptionTotals> preemptionTotals(String queue, long sinceMillis) {
    SortedMap<String, PreemptionTotals> totals = new TreeMap<>();
    for (Preemption p : rows(Entities.PREEMPTIONS)) {
      if (p.share().queue().equals(queue) && p.requestedAtMillis() >= sinceMillis) {
        totals.merge(
            p.share().share(),
            new PreemptionTotals(1, p.lostDeviceMillis()),
            (a, b) ->
                new PreemptionTotals(
                    a.count() + b.count(), a.lostDeviceMillis() + b.lostDeviceMillis()));
      }
    }
    return totals;
  }

  @Override
  public Page<AuditRecord> audit(AuditQuery query) {
    long before =
        query.pageToken().isEmpty()
            ? Long.MAX_VALUE
            : (Long) PageToken.parse(query.pageToken(), "n").get(0);
    List<AuditRecord> records;
    synchronized (content) {
      checkUsable();
      records = content.audit();
    }
    return page(
        records,
        comparing(AuditRecord::sequence).reversed(),
        r -> r.sequence() < before && matches(r, query),
        query.pageSize(),
        r -> PageToken.of(r.sequence()));
  }

  private static boolean matches(AuditRecord entry, AuditQuery query) {
    return (query.principal().isEmpty() || entry.event().principal().equals(query.principal()))
        && (query.resource().isEmpty()
            || entry.event().resource().equals(query.resource())
            || entry.event().resource().startsWith(query.resource() + "/"))
        && entry.atMillis() >= query.fromMillis()
        && entry.atMillis() < query.toMillis();
  }

  @Override
  public void close() {
    synchronized (content) {
      closed = true;
    }
  }

  private <T> List<T> rows(Entity<T, ?> entity) {
    synchronized (content) {
      checkUsable();
      return content.table(entity).values().stream().map(entity.rowType()::cast).toList();
    }
  }

  private static <T> Page<T> page(
      List<T> rows,
      Comparator<T> order,
      Predicate<T> filter,
      int pageSize,
      Function<T, String> token) {
    List<T> found = rows.stream().filter(filter).sorted(order).limit(pageSize + 1L).toList();
    return found.size() <= pageSize
        ? new Page<>(found, "")
        : new Page<>(found.subList(0, pageSize), token.apply(found.get(pageSize - 1)));
  }

  private void checkUsable() {
    checkState(!closed, "the store is closed");
    if (failed) {
      throw new StoreFailedException("the store failed before and must be reopened", null);
    }
  }
}
