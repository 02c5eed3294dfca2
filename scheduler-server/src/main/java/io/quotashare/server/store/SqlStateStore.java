package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkState;
import static java.util.Objects.requireNonNull;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.UsageSample;
import io.quotashare.server.failpoint.Failpoints;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/** The state in a SQL database; docs/store.md has the tables. */
public final class SqlStateStore implements StateStore {
  private final SqlDatabase database;
  private final SqlWriter writer;
  private final SqlHistory history;
  private final SqlJobList jobLists;
  private volatile boolean closed;

  SqlStateStore(SqlDatabase database, StoreLimits limits, Failpoints failpoints) {
    this.database = requireNonNull(database, "database is null");
    this.writer =
        new SqlWriter(
            database,
            requireNonNull(limits, "limits is null"),
            requireNonNull(failpoints, "failpoints is null"));
    this.history = new SqlHistory(database);
    this.jobLists = new SqlJobList(database);
  }

  /**
   * Opens the embedded database of a folder, {@code quotashare.db}; a missing or empty folder gets
   * a new one. Folder and files are readable by their owner only.
   *
   * @throws StoreUnavailableException if another scheduler has it open
   * @throws DamagedStateException if the database finds its own structure damaged
   * @throws StoreFailedException if the folder cannot be used, or a newer program wrote the tables
   */
  public static SqlStateStore openSqlite(Path directory, StoreLimits limits) {
    return openSqlite(directory, limits, Failpoints.NONE);
  }

  /** The same, with somebody who is told of the steps of a commit. */
  public static SqlStateStore openSqlite(
      Path directory, StoreLimits limits, Failpoints failpoints) {
    return new SqlStateStore(SqliteDatabase.open(directory), limits, failpoints);
  }

  @Override
  public long takeEpoch() {
    return writer.takeEpoch();
  }

  @Override
  public CommitPoint lastCommit() {
    return writer.lastCommit();
  }

  @Override
  public Iterable<Change> load() {
    return () -> new SqlLoader(database, writer.lastCommit(), writer.digests());
  }

  @Override
  public void commit(CommitBatch batch) {
    writer.commit(batch);
  }

  @Override
  public Optional<RequestAnswer> answer(RequestKey key) {
    return writer.answer(key);
  }

  @Override
  public OptionalLong nextRemovalMillis() {
    return writer.nextRemovalMillis();
  }

  @Override
  public StoreStatistics statistics() {
    return writer.statistics();
  }

  @Override
  public List<UsageInstant> usageInstants(String queue) {
    return history().usageInstants(queue);
  }

  @Override
  public List<UsageSample> usageSamples(String queue, Collection<Long> atMillis) {
    return history().usageSamples(queue, atMillis);
  }

  @Override
  public Optional<Job> job(JobKey key) {
    return history().job(key);
  }

  @Override
  public JobSlice jobs(JobQuery query) {
    return jobLists().jobs(query);
  }

  @Override
  public Map<JobKey, Attempt> attempts(Collection<AttemptKey> keys) {
    return jobLists().attempts(keys);
  }

  @Override
  public List<Attempt> attempts(JobKey job) {
    return history().attempts(job);
  }

  @Override
  public Page<RecordedPreemption> preemptions(PreemptionQuery query) {
    return history().preemptions(query);
  }

  @Override
  public SortedMap<String, PreemptionTotals> preemptionTotals(String queue, long sinceMillis) {
    return history().preemptionTotals(queue, sinceMillis);
  }

  @Override
  public Page<AuditRecord> audit(AuditQuery query) {
    return history().audit(query);
  }

  @Override
  public Optional<Verification> verify(Verifier verifier) {
    checkState(!closed, "the store is closed");
    return new SqlVerifier(database, verifier).run();
  }

  private SqlJobList jobLists() {
    checkState(!closed, "the store is closed");
    return jobLists;
  }

  private SqlHistory history() {
    checkState(!closed, "the store is closed");
    return history;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      writer.close();
      database.close();
    }
  }
}
