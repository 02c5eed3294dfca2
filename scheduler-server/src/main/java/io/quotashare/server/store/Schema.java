package io.quotashare.server.store;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;

/** Brings the tables to the version of this program. */
final class Schema {
  private static final String HISTORY = "flyway_schema_history";

  private Schema() {}

  /**
   * Makes the tables, or brings older ones up to date, each step in a transaction.
   *
   * @throws DamagedStateException if the recorded steps are not those of this program
   * @throws StoreFailedException if a newer program wrote the tables, or a step fails
   */
  static void migrate(String location, DataSource source) {
    Flyway flyway =
        Flyway.configure(Schema.class.getClassLoader())
            .dataSource(source)
            .locations("classpath:db/migration")
            .failOnMissingLocations(true)
            .validateMigrationNaming(true)
            .cleanDisabled(true)
            .ignoreMigrationPatterns(new String[0])
            .load();
    try {
      refuseNewer(location, flyway);
      flyway.migrate();
    } catch (FlywayException e) {
      throw new DamagedStateException(location, HISTORY, "", String.valueOf(e.getMessage()), e);
    }
  }

  private static void refuseNewer(String location, Flyway flyway) {
    for (MigrationInfo step : flyway.info().all()) {
      if (step.getState() == MigrationState.FUTURE_SUCCESS) {
        throw new StoreFailedException(
            location
                + ": schema version "
                + step.getVersion()
                + " was made by a newer program and is not known to this one",
            null);
      }
    }
  }
}
