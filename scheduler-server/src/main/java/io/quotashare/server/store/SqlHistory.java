package io.quotashare.server.store;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.UsageSample;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The queries of committed rows, each on a connection that only reads. */
final class SqlHistory {
  private static final EntityTable<Job, ?> JOBS = EntityTables.of(Entities.JOBS);
  private static final EntityTable<Attempt, ?> ATTEMPTS = EntityTables.of(Entities.ATTEMPTS);
  private static final EntityTable<Preemption, ?> PREEMPTIONS =
      EntityTables.of(Entities.PREEMPTIONS);
  private static final EntityTable<ObservedPreemption, ?> OBSERVED_PREEMPTIONS =
      EntityTables.of(Entities.OBSERVED_PREEMPTIONS);

  private static final EntityTable<UsageSample, ?> USAGE_SAMPLES =
      EntityTables.of(Entities.USAGE_SAMPLES);

  private final SqlDatabase database;

  SqlHistory(SqlDatabase database) {
    this.database = database;
  }

  /** What is done with the rows of a query. */
  private interface Reader<R> {
    R read(ResultSet result) throws SQLException;
  }

  /** A statement under construction: its conditions and their parameters. */
  private static final class Where {
    private final StringBuilder sql;
    private final List<Object> parameters = new ArrayList<>();
    private String glue = " WHERE ";

    Where(String select) {
      sql = new StringBuilder(select);
    }

    Where and(String condition, Object... values) {
      sql.append(glue).append(condition);
      glue = " AND ";
      parameters.addAll(List.of(values));
      return this;
    }

    Where andIf(boolean wanted, String condition, Object... values) {
      return wanted ? and(condition, values) : this;
    }

    Where then(String rest, Object... values) {
      sql.append(rest);
      parameters.addAll(List.of(values));
      return this;
    }
  }

  Optional<Job> job(JobKey key) {
    return query(
        "read a job",
        new Where(JOBS.select()).and("(queue, job) = (?, ?)", key.queue(), key.id()),
        result ->
            result.next()
                ? Optional.of(JOBS.read(result, database.location()).row())
                : Optional.empty());
  }

  List<Attempt> attempts(JobKey job) {
    return query(
        "list attempts",
        new Where(ATTEMPTS.select())
            .and("(queue, job) = (?, ?)", job.queue(), job.id())
            .then(" ORDER BY attempt"),
        result -> rows(ATTEMPTS, result));
  }

  Page<RecordedPreemption> preemptions(PreemptionQuery query) {
    RecordedPreemption.Position after = RecordedPreemption.Position.parse(query.pageToken());
    List<RecordedPreemption> found = new ArrayList<>();
    query("list preemptions", enforced(query, after), result -> rows(PREEMPTIONS, result))
        .forEach(row -> found.add(new RecordedPreemption.Enforced(row)));
    query(
            "list observed preemptions",
            observed(query, after),
            result -> rows(OBSERVED_PREEMPTIONS, result))
        .forEach(row -> found.add(new RecordedPreemption.Observed(row)));
    return RecordedPreemption.page(found, query.pageSize());
  }

  private static Where enforced(
      PreemptionQuery query, RecordedPreemption.@Nullable Position after) {
    Where where =
        new Where(PREEMPTIONS.select())
            .andIf(!query.queue().isEmpty(), "queue = ?", query.queue())
            .andIf(!query.share().isEmpty(), "share = ?", query.share());
    ofJob(where, query);
    if (after != null && after.observed()) {
      // At one instant those that were carried out come first.
      where.and("requested_at_millis < ?", after.atMillis());
    } else if (after != null) {
      where
          .and("requested_at_millis <= ?", after.atMillis())
          .and(
              "(requested_at_millis < ? OR (queue, job, attempt) > (?, ?, ?))",
              after.atMillis(),
              after.queue(),
              after.job(),
              after.attempt());
    }
    return where.then(
        " ORDER BY requested_at_millis DESC, queue, job, attempt LIMIT ?", query.pageSize() + 1L);
  }

  /** Victims and beneficiaries, which are of the same queue. */
  private static void ofJob(Where where, PreemptionQuery query) {
    if (!query.job().isEmpty()) {
      where.and("(job = ? OR beneficiary_job = ?)", query.job(), query.job());
    }
  }

  private static Where observed(
      PreemptionQuery query, RecordedPreemption.@Nullable Position after) {
    Where where =
        new Where(OBSERVED_PREEMPTIONS.select())
            .andIf(!query.queue().isEmpty(), "queue = ?", query.queue())
            .andIf(!query.share().isEmpty(), "share = ?", query.share());
    ofJob(where, query);
    if (after != null) {
      where.and("decided_at_millis <= ?", after.atMillis());
    }
    if (after != null && after.observed()) {
      where.and(
          "(decided_at_millis < ? OR (queue, job, attempt, decision) > (?, ?, ?, ?))",
          after.atMillis(),
          after.queue(),
          after.job(),
          after.attempt(),
          after.decision());
    }
    return where.then(
        " ORDER BY decided_at_millis DESC, queue, job, attempt, decision LIMIT ?",
        query.pageSize() + 1L);
  }

  private <T> List<T> rows(EntityTable<T, ?> table, ResultSet result) throws SQLException {
    List<T> rows = new ArrayList<>();
    while (result.next()) {
      rows.add(table.read(result, database.location()).row());
    }
    return rows;
  }

  SortedMap<String, PreemptionTotals> preemptionTotals(String queue, long sinceMillis) {
    return query(
        "sum up preemptions",
        new Where("SELECT share, COUNT(*), SUM(lost_device_millis) FROM preemptions")
            .and("queue = ?", queue)
            .and("requested_at_millis >= ?", sinceMillis)
            .then(" GROUP BY share"),
        result -> {
          SortedMap<String, PreemptionTotals> totals = new TreeMap<>();
          while (result.next()) {
            totals.put(
                result.getString(1), new PreemptionTotals(result.getLong(2), result.getLong(3)));
          }
          return totals;
        });
  }

  List<UsageInstant> usageInstants(String queue) {
    return query(
        "list the instants of the usage ledger",
        new Where("SELECT unit, at_millis, started_at_millis FROM usage_samples")
            .and("queue = ?", queue)
            .then(" ORDER BY at_millis, unit"),
        result -> {
          List<UsageInstant> instants = new ArrayList<>();
          while (result.next()) {
            instants.add(
                new UsageInstant(result.getString(1), result.getLong(2), result.getLong(3)));
          }
          return instants;
        });
  }

  List<UsageSample> usageSamples(String queue, Collection<Long> atMillis) {
    if (atMillis.isEmpty()) {
      return List.of();
    }
    return query(
        "read the usage ledger",
        new Where(USAGE_SAMPLES.select())
            .and("queue = ?", queue)
            .and("at_millis IN (" + EntityTable.marks(atMillis.size()) + ")", atMillis.toArray())
            .then(" ORDER BY at_millis, unit"),
        result -> {
          List<UsageSample> samples = new ArrayList<>();
          while (result.next()) {
            samples.add(USAGE_SAMPLES.read(result, database.location()).row());
          }
          return samples;
        });
  }

  Page<AuditRecord> audit(AuditQuery query) {
    Where where =
        new Where(AuditTable.SELECT)
            .andIf(!query.principal().isEmpty(), "principal = ?", query.principal())
            .andIf(query.fromMillis() > 0, "at_millis >= ?", query.fromMillis())
            .andIf(query.toMillis() < Long.MAX_VALUE, "at_millis < ?", query.toMillis());
    if (!query.resource().isEmpty()) {
      // '0' is the character after '/': what is below the resource lies between the two.
      where.and(
          "(resource = ? OR (resource > ? AND resource < ?))",
          query.resource(),
          query.resource() + "/",
          query.resource() + "0");
    }
    if (!query.pageToken().isEmpty()) {
      where.and("sequence < ?", PageToken.parse(query.pageToken(), "n").toArray());
    }
    return page(
        "list audit events",
        where.then(" ORDER BY sequence DESC LIMIT ?", query.pageSize() + 1L),
        query.pageSize(),
        query.pageSize(),
        result -> AuditTable.read(result, database.location()),
        entry -> true,
        entry -> PageToken.of(entry.sequence()));
  }

  /**
   * Takes the rows that match until the page is full or {@code scan} rows were looked at; one row
   * beyond that tells whether more follow.
   */
  private <T> Page<T> page(
      String doing,
      Where where,
      int scan,
      int pageSize,
      Reader<T> reader,
      Predicate<T> filter,
      Function<T, String> token) {
    return query(
        doing,
        where,
        result -> {
          List<T> items = new ArrayList<>();
          String last = "";
          int looked = 0;
          while (result.next()) {
            if (looked == scan || items.size() == pageSize) {
              return new Page<>(items, last);
            }
            T row = reader.read(result);
            looked++;
            last = token.apply(row);
            if (filter.test(row)) {
              items.add(row);
            }
          }
          return new Page<>(items, "");
        });
  }

  private <R> R query(String doing, Where where, Reader<R> reader) {
    try (Connection connection = database.connectReader();
        PreparedStatement statement = connection.prepareStatement(where.sql.toString())) {
      for (int i = 0; i < where.parameters.size(); i++) {
        statement.setObject(i + 1, where.parameters.get(i));
      }
      try (ResultSet result = statement.executeQuery()) {
        return reader.read(result);
      }
    } catch (SQLException e) {
      throw database.translate(doing, e, false);
    }
  }
}
