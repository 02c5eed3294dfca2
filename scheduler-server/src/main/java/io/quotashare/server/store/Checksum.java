package io.quotashare.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** Checksum of a row: the first 8 bytes of a SHA-256 over its table and values. */
final class Checksum {
  private Checksum() {}

  /**
   * The checksum.
   *
   * @param table table of the row, so that a row in the wrong table is found too
   * @param values Strings, Longs and nulls
   */
  static long of(String table, @Nullable Object... values) {
    MessageDigest digest = sha256();
    update(digest, table);
    for (Object value : values) {
      if (value == null) {
        digest.update((byte) 0);
      } else if (value instanceof Long number) {
        digest.update((byte) 1);
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
      } else {
        digest.update((byte) 2);
        update(digest, (String) value);
      }
    }
    return ByteBuffer.wrap(digest.digest()).getLong();
  }

  /** Length first, so that no two lists of values give the same bytes. */
  private static void update(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
    digest.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
