package io.quotashare.server.store;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lists of jobs in the order of an index. The database is given only conditions that the index
 * answers; the others are looked at row by row here, where the rows are counted, so that no slice
 * costs more than its bound, wherever it begins.
 */
final class SqlJobList {
  private static final EntityTable<Job, ?> JOBS = EntityTables.of(Entities.JOBS);
  private static final EntityTable<Attempt, ?> ATTEMPTS = EntityTables.of(Entities.ATTEMPTS);

  private final SqlDatabase database;

  SqlJobList(SqlDatabase database) {
    this.database = database;
  }

  /**
   * A statement with its parameters.
   *
   * @param sql the statement
   * @param parameters in their order
   */
  record Statement(String sql, List<Object> parameters) {}

  /** The statement of a query; one row more than may be looked at tells whether more follow. */
  static Statement statement(JobQuery query) {
    List<String> conditions = new ArrayList<>();
    List<Object> parameters = new ArrayList<>();
    if (!query.queue().isEmpty()) {
      conditions.add("queue = ?");
      parameters.add(query.queue());
    }
    boolean byId = query.order() == JobOrder.ID;
    if (!byId && !query.queue().isEmpty() && !query.share().isEmpty()) {
      conditions.add("share = ?");
      parameters.add(query.share());
    }
    boolean falling = query.order() == JobOrder.NEWEST_FIRST;
    bound(query, query.after(), falling ? "<" : ">", conditions, parameters);
    bound(query, query.until(), falling ? ">=" : "<=", conditions, parameters);
    String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
    String order = byId ? "queue, job" : falling ? "sequence DESC" : "sequence";
    parameters.add(query.scan() + 1L);
    return new Statement(JOBS.select() + where + " ORDER BY " + order + " LIMIT ?", parameters);
  }

  private static void bound(
      JobQuery query,
      @Nullable JobPlace place,
      String comparison,
      List<String> conditions,
      List<Object> parameters) {
    if (place == null) {
      return;
    }
    if (query.order() == JobOrder.ID) {
      conditions.add("(queue, job) " + comparison + " (?, ?)");
      parameters.add(place.key().queue());
      parameters.add(place.key().id());
    } else {
      conditions.add("sequence " + comparison + " ?");
      parameters.add(place.sequence());
    }
  }

  JobSlice jobs(JobQuery query) {
    Statement statement = statement(query);
    try (Connection connection = database.connectReader();
        PreparedStatement prepared = connection.prepareStatement(statement.sql())) {
      for (int i = 0; i < statement.parameters().size(); i++) {
        prepared.setObject(i + 1, statement.parameters().get(i));
      }
      try (ResultSet result = prepared.executeQuery()) {
        return slice(query, result);
      }
    } catch (SQLException e) {
      throw database.translate("list jobs", e, false);
    }
  }

  private JobSlice slice(JobQuery query, ResultSet result) throws SQLException {
    List<Job> jobs = new ArrayList<>();
    JobPlace last = null;
    int looked = 0;
    while (result.next()) {
      if (looked == query.scan() || jobs.size() == query.limit()) {
        return new JobSlice(jobs, last, looked);
      }
      looked++;
      last =
          new JobPlace(
              new JobKey(result.getString("queue"), result.getString("job")),
              result.getLong("sequence"));
      JobState state = JobState.valueOf(result.getString("state"));
      if (query.admits(result.getString("share"), state)) {
        Job job = JOBS.read(result, database.location()).row();
        if (query.admitsLabelsOf(job)) {
          jobs.add(job);
        }
      }
    }
    return new JobSlice(jobs, null, looked);
  }

  /** The attempts that are there, by job; each is found by its key. */
  Map<JobKey, Attempt> attempts(Collection<AttemptKey> keys) {
    Map<JobKey, Attempt> found = new HashMap<>();
    try (Connection connection = database.connectReader();
        PreparedStatement prepared =
            connection.prepareStatement(
                ATTEMPTS.select() + " WHERE (queue, job, attempt) = (?, ?, ?)")) {
      for (AttemptKey key : keys) {
        EntityTable.bindKey(prepared, Entities.keyOf(key));
        try (ResultSet result = prepared.executeQuery()) {
          if (result.next()) {
            found.put(key.job(), ATTEMPTS.read(result, database.location()).row());
          }
        }
      }
      return found;
    } catch (SQLException e) {
      throw database.translate("read attempts", e, false);
    }
  }
}
