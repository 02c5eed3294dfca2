package io.quotashare.server.store;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.UsageSample;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * The durable state of the scheduler. What {@link #commit} returned from is there after any crash.
 *
 * <p>Order of use: {@link #takeEpoch}, {@link #lastCommit}, {@link #load}, then one {@link #commit}
 * after the other. These and {@link #answer} belong to the engine thread; the queries of committed
 * history below may be called from any thread and never wait for a commit.
 *
 * <p>Every method throws a {@link StoreException}; its subtype says what the caller must do.
 */
public interface StateStore extends AutoCloseable {
  /** Most items that a query returns at once. */
  int MAX_PAGE_SIZE = 1000;

  /**
   * Makes the caller the one writer: durably increments the epoch, so that every commit under an
   * earlier one is refused from now on (reliability L1).
   *
   * @return the new epoch, 1 or more
   */
  long takeEpoch();

  /**
   * What was committed last, read from the database. After an {@link OutcomeUnknownException} it
   * tells whether the batch is there (reliability D7).
   */
  CommitPoint lastCommit();

  /**
   * The row that was written last for every key: what {@link io.quotashare.core.Scheduler#restore}
   * takes. Rows that others refer to come first: queues, shares, nodes, jobs, attempts, plans,
   * holds, preemptions, observations, meters, the pause, counters.
   *
   * <p>Reading verifies: every row against its checksum and its columns, the tables against each
   * other. Nothing is skipped: the first bad row ends the iteration with a {@link
   * DamagedStateException}.
   */
  Iterable<Change> load();

  /**
   * Writes a batch, all or nothing, and returns when it is durable.
   *
   * @throws FencedException if the epoch of the batch is not the newest; nothing was written
   * @throws StoreUnavailableException if nothing was written and the same batch may be tried again
   * @throws OutcomeUnknownException if it may or may not be written
   * @throws StoreFailedException if the store must not be used any more
   * @throws IllegalArgumentException if {@link CommitBatch#revision} does not follow the last
   */
  void commit(CommitBatch batch);

  /**
   * The first answer to a request; empty if it is unknown or older than {@link StoreLimits} keep
   * it.
   */
  Optional<RequestAnswer> answer(RequestKey key);

  /**
   * From when on a commit removes answers or audit entries that {@link StoreLimits} keep no longer;
   * empty if none will. A commit removes a bounded number, so it may be due again at once.
   */
  OptionalLong nextRemovalMillis();

  /** How much it holds. Any thread. */
  StoreStatistics statistics();

  /** A job as committed, ended or not. */
  Optional<Job> job(JobKey key);

  /**
   * Jobs as committed, ended ones included. Looks at no more rows than {@link JobQuery#scan}, and
   * at none before {@link JobQuery#after}.
   */
  JobSlice jobs(JobQuery query);

  /** Attempts of different jobs as committed, by job; those that are unknown are left out. */
  Map<JobKey, Attempt> attempts(Collection<AttemptKey> keys);

  /** All attempts of a job as committed, by number; empty if the job is unknown. */
  List<Attempt> attempts(JobKey job);

  /**
   * Preemptions as committed, those that were only observed included, newest decision first.
   *
   * @throws InvalidPageTokenException if the token is not one of an earlier page
   */
  Page<RecordedPreemption> preemptions(PreemptionQuery query);

  /**
   * Preemptions that were carried out, requested at {@code sinceMillis} or later, summed up by the
   * victims' share id; shares without any are left out.
   */
  SortedMap<String, PreemptionTotals> preemptionTotals(String queue, long sinceMillis);

  /** Instants for which accounts of the pools of a queue are kept, oldest first. */
  List<UsageInstant> usageInstants(String queue);

  /**
   * Accounts of the pools of a queue at some instants, oldest first; what is not kept is left out.
   *
   * @param atMillis the instants
   */
  List<UsageSample> usageSamples(String queue, Collection<Long> atMillis);

  /**
   * The audit log, newest first.
   *
   * @throws InvalidPageTokenException if the token is not one of an earlier page
   */
  Page<AuditRecord> audit(AuditQuery query);

  /**
   * Reads everything as of the newest commit and verifies it as a start does, without ending at the
   * first problem. From any thread; commits go on meanwhile.
   *
   * @return empty if {@code verifier} does not accept the newest commit
   */
  Optional<Verification> verify(Verifier verifier);

  /** Releases files and locks. A commit in progress ends first. Closing twice does nothing. */
  @Override
  void close();
}
