package io.quotashare.server.store;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A database with the schema in place: all that differs between products. Everything else speaks
 * the SQL that they share.
 */
interface SqlDatabase extends AutoCloseable {
  /** File or address, for messages. */
  String location();

  /**
   * A connection for the one writer, transactions on. A transaction excludes other writers from its
   * first change on, and its commit returns when it is durable.
   */
  Connection connectWriter() throws SQLException;

  /** A connection that only reads, transactions off; the caller closes it soon. */
  Connection connectReader() throws SQLException;

  /**
   * Has the database check its own structure and references.
   *
   * @throws DamagedStateException if it finds damage
   */
  void check();

  /** Bytes on the disk; 0 where that is not known. */
  long bytes();

  /**
   * Gives back some of the space that removed rows leave, where more is free than will soon be
   * filled again. Inside a transaction of the writer, and short.
   *
   * @return whether more is to be given back
   */
  boolean reclaim(Connection writer) throws SQLException;

  /**
   * What an error means for the caller.
   *
   * @param doing what was tried, for the message
   * @param committing whether the error came from a commit, so that the outcome may be unknown
   */
  StoreException translate(String doing, SQLException error, boolean committing);

  @Override
  void close();
}
