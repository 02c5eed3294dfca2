package io.quotashare.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
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

  @Test
  void theFacadeIsClosedOnlyOnce() {
    StateStore other = SqlStateStore.openSqlite(folder.resolve("other"), LIMITS);
    other.close();
    other.close();
    assertThat(folder.resolve("other/quotashare.db")).exists();
  }
}
