package io.quotashare.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queries of docs/store.md run, and find something in a state that has something to find. */
class DocumentedQueriesTest {
  private static final Path DOCUMENT = Path.of("../docs/store.md");
  private static final Pattern QUERY = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

  @TempDir Path folder;

  @Test
  void everyQueryFindsSomething() throws IOException, SQLException {
    List<String> queries =
        QUERY
            .matcher(Files.readString(DOCUMENT))
            .results()
            .map((MatchResult match) -> match.group(1))
            .toList();
    assertThat(queries).hasSizeGreaterThanOrEqualTo(5);
    try (StateStore store = SqlStateStore.openSqlite(folder, StoreLimits.DEFAULT)) {
      store.commit(
          new CommitBatch(
              store.takeEpoch(),
              1,
              1000,
              SampleState.everything(),
              List.of(SampleState.event("ann", "queues/research/jobs/j-victim", "")),
              List.of()));
      try (Connection reader =
              DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("quotashare.db"));
          Statement statement = reader.createStatement()) {
        for (String query : queries) {
          try (ResultSet result = statement.executeQuery(query)) {
            assertThat(result.next()).as(query).isTrue();
          }
        }
      }
    }
  }

  @Test
  void everyTableIsDocumented() throws IOException {
    String document = Files.readString(DOCUMENT);
    assertThat(Entities.ALL)
        .allSatisfy(entity -> assertThat(document).contains("| `" + entity.table() + "` |"));
  }
}
