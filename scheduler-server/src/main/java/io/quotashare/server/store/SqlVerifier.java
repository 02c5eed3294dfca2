package io.quotashare.server.store;

import io.quotashare.core.Change;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * Verifies a whole database as of one commit, in one transaction that only reads: the writer goes
 * on meanwhile. Unlike a start it does not end at the first problem.
 */
final class SqlVerifier {
  private final SqlDatabase database;
  private final Verifier verifier;
  private final Findings findings = new Findings();
  private final StateVerifier contradictions;

  SqlVerifier(SqlDatabase database, Verifier verifier) {
    this.database = database;
    this.verifier = verifier;
    this.contradictions = new StateVerifier(database.location());
  }

  /** Empty if the verifier does not accept the newest commit. */
  Optional<Verification> run() {
    CommitPoint at = CommitPoint.NONE;
    try (Connection connection = database.connectReader()) {
      connection.setAutoCommit(false);
      try {
        Statements statements = new Statements(connection);
        at = EpochRow.read(statements, database.location()).orElse(CommitPoint.NONE);
        if (!verifier.accepts(at)) {
          return Optional.empty();
        }
        read(statements, at);
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      StoreException translated = database.translate("verify the state", e, false);
      if (!(translated instanceof DamagedStateException damage)) {
        throw translated;
      }
      findings.add(damage);
    } catch (DamagedStateException e) {
      findings.add(e);
    }
    return Optional.of(findings.at(at));
  }

  private void read(Statements statements, CommitPoint at) throws SQLException {
    Digests expected = Digests.read(statements);
    for (EntityTable<?, ?> table : EntityTables.ALL) {
      compare(expected, table.name(), read(statements.connection(), table, at));
    }
    compare(expected, AuditTable.NAME, readAudit(statements.connection()));
    compare(expected, RequestTable.NAME, readRequests(statements.connection()));
    try {
      contradictions.finish();
    } catch (DamagedStateException e) {
      findings.add(e);
    }
    verifier.missing().forEach(findings::add);
  }

  private void compare(Digests expected, String table, Digests.Digest found) {
    try {
      expected.verify(database.location(), table, found);
    } catch (DamagedStateException e) {
      findings.add(e);
    }
  }

  private <T, P extends Change> Digests.Digest read(
      Connection connection, EntityTable<T, P> table, CommitPoint at) throws SQLException {
    Digests.Digest found = Digests.Digest.EMPTY;
    try (Statement select = connection.createStatement();
        ResultSet result = select.executeQuery(table.selectAll())) {
      while (result.next()) {
        findings.row();
        try {
          EntityTable.Stored<T> stored = table.read(result, database.location());
          found = found.plus(stored.checksum());
          check(table, stored, at);
        } catch (DamagedStateException e) {
          findings.add(e);
        }
      }
    }
    return found;
  }

  private <T, P extends Change> void check(
      EntityTable<T, P> table, EntityTable.Stored<T> stored, CommitPoint at) {
    String row = stored.key().toString();
    if (stored.writtenRevision() > at.revision()) {
      findings.add(
          table.name(),
          row,
          "was written by revision %s, but the last is %s"
              .formatted(stored.writtenRevision(), at.revision()));
    }
    String problem = verifier.check(table.entity().put().apply(stored.row()));
    if (!problem.isEmpty()) {
      findings.add(table.name(), row, problem);
    }
    contradictions.accept(table.entity(), stored.key(), stored.row());
  }

  private Digests.Digest readAudit(Connection connection) throws SQLException {
    Digests.Digest found = Digests.Digest.EMPTY;
    try (Statement select = connection.createStatement();
        ResultSet result = select.executeQuery(AuditTable.SELECT + " ORDER BY sequence")) {
      while (result.next()) {
        findings.row();
        try {
          AuditRecord entry = AuditTable.read(result, database.location());
          found = found.plus(AuditTable.checksum(entry));
        } catch (DamagedStateException e) {
          findings.add(e);
        }
      }
    }
    return found;
  }

  private Digests.Digest readRequests(Connection connection) throws SQLException {
    Digests.Digest found = Digests.Digest.EMPTY;
    try (Statement select = connection.createStatement();
        ResultSet result = select.executeQuery(RequestTable.SELECT_ALL)) {
      while (result.next()) {
        findings.row();
        try {
          found = found.plus(RequestTable.read(result, database.location()).checksum());
        } catch (DamagedStateException e) {
          findings.add(e);
        }
      }
    }
    return found;
  }
}
