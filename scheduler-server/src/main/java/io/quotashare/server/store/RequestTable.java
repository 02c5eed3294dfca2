package io.quotashare.server.store;

import com.google.protobuf.ByteString;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;
import java.util.HexFormat;

/** The table of the answers to requests. */
final class RequestTable {
  static final String NAME = "requests";

  static final String INSERT =
      "INSERT INTO requests (principal, request_id, at_millis, request_hash, answer,"
          + " written_revision, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)";

  static final String DELETE = "DELETE FROM requests WHERE (principal, request_id) = (?, ?)";

  private static final String SELECT =
      "SELECT principal, request_id, at_millis, request_hash, answer, written_revision, checksum"
          + " FROM requests";

  static final String SELECT_ONE = SELECT + " WHERE (principal, request_id) = (?, ?)";

  /** The oldest first. */
  static final String SELECT_ALL =
      SELECT + " ORDER BY written_revision, at_millis, principal, request_id";

  /**
   * A row as it was found.
   *
   * @param answer the answer
   * @param atMillis when it was given
   * @param checksum checksum of the row
   */
  record Stored(RequestAnswer answer, long atMillis, long checksum) {}

  private RequestTable() {}

  static long checksum(RequestAnswer answer, long atMillis, long revision) {
    return Checksum.of(
        NAME,
        answer.key().principal(),
        answer.key().requestId(),
        atMillis,
        hex(answer.requestHash()),
        base64(answer.answer()),
        revision);
  }

  static void bind(
      PreparedStatement statement,
      RequestAnswer answer,
      long atMillis,
      long revision,
      long checksum)
      throws SQLException {
    statement.setString(1, answer.key().principal());
    statement.setString(2, answer.key().requestId());
    statement.setLong(3, atMillis);
    statement.setString(4, hex(answer.requestHash()));
    statement.setString(5, base64(answer.answer()));
    statement.setLong(6, revision);
    statement.setLong(7, checksum);
  }

  /** Reads and verifies the row under the cursor. */
  static Stored read(ResultSet result, String location) throws SQLException {
    String keyText = result.getString(1) + "/" + result.getString(2);
    RequestAnswer answer;
    try {
      answer =
          new RequestAnswer(
              new RequestKey(result.getString(1), result.getString(2)),
              ByteString.copyFrom(HexFormat.of().parseHex(result.getString(4))),
              ByteString.copyFrom(Base64.getDecoder().decode(result.getString(5))));
    } catch (IllegalArgumentException | NullPointerException e) {
      throw new DamagedStateException(location, NAME, keyText, String.valueOf(e.getMessage()), e);
    }
    long atMillis = result.getLong(3);
    long checksum = result.getLong(7);
    if (checksum(answer, atMillis, result.getLong(6)) != checksum) {
      throw new DamagedStateException(location, NAME, keyText, "its checksum does not match", null);
    }
    return new Stored(answer, atMillis, checksum);
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  private static String base64(ByteString bytes) {
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
