package io.quotashare.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.JobKey;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SqlStateStoreTest extends StateStoreQueryContract {
  @TempDir Path folder;

  @Override
  StateStore open() {
    return SqlStateStore.openSqlite(folder.resolve("data"), LIMITS);
  }

  @Override
  StateStore openOther(StoreLimits limits) {
    return SqlStateStore.openSqlite(folder.resolve("with other bounds"), limits);
  }

  @Override
  StateStore reopen(StateStore store) {
    store.close();
    return open();
  }

  static Stream<EntityTable<?, ?>> tables() {
    return EntityTables.ALL.stream();
  }

  /** The schema is written by hand, the statements are made from the entities. */
  @ParameterizedTest
  @MethodSource("tables")
  void theSchemaHasTheColumnsOfTheEntities(EntityTable<?, ?> table) throws SQLException {
    List<String> expected =
        new ArrayList<>(table.entity().columns().stream().map(Column::name).toList());
    expected.addAll(List.of("data", "written_revision", "checksum"));
    List<String> columns = new ArrayList<>();
    try (SqlDatabase database = SqliteDatabase.open(folder.resolve("schema"));
        Connection connection = database.connectReader();
        ResultSet result = connection.getMetaData().getColumns(null, null, table.name(), null)) {
      while (result.next()) {
        columns.add(result.getString("COLUMN_NAME"));
      }
    }

    // A column that a later version of the schema added stands at the end.
    assertThat(columns).containsExactlyInAnyOrderElementsOf(expected);
  }

  static Stream<JobQuery> jobQueries() {
    JobPlace place = new JobPlace(new JobKey("q", "j"), 7);
    List<JobQuery> queries = new ArrayList<>();
    for (JobOrder order : JobOrder.values()) {
      for (String queue : List.of("", "q")) {
        for (String share : List.of("", "s")) {
          for (JobPlace bound : Arrays.asList(null, place)) {
            queries.add(
                new JobQuery(
                    order, queue, share, Set.of(), new TreeMap<>(), bound, bound, 100, 10_000));
          }
        }
      }
    }
    return queries.stream();
  }

  /** The rows that are counted are the rows that the database looks at. */
  @ParameterizedTest
  @MethodSource("jobQueries")
  void listsOfJobsFollowAnIndex(JobQuery query) throws SQLException {
    SqlJobList.Statement statement = SqlJobList.statement(query);
    List<String> plan = new ArrayList<>();
    try (SqlDatabase database = SqliteDatabase.open(folder.resolve("plans"));
        Connection connection = database.connectReader();
        PreparedStatement explain =
            connection.prepareStatement("EXPLAIN QUERY PLAN " + statement.sql())) {
      for (int i = 0; i < statement.parameters().size(); i++) {
        explain.setObject(i + 1, statement.parameters().get(i));
      }
      try (ResultSet result = explain.executeQuery()) {
        while (result.next()) {
          plan.add(result.getString("detail"));
        }
      }
    }

    assertThat(plan).singleElement().asString().contains("USING INDEX");
    if (!query.queue().isEmpty()) {
      assertThat(plan.get(0)).contains("SEARCH", "queue=?");
    }
  }

  @Test
  void theFacadeIsClosedOnlyOnce() {
    StateStore other = SqlStateStore.openSqlite(folder.resolve("other"), LIMITS);
    other.close();
    other.close();
    assertThat(folder.resolve("other/quotashare.db")).exists();
  }
}
