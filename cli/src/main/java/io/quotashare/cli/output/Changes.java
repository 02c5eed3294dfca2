package io.quotashare.cli.output;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Set;

/**
 * What a watch has printed already, so that it prints only what is new or has changed since. Keeps
 * a digest of every resource that the newest look had: about 100 bytes each.
 */
public final class Changes {
  private Set<ByteBuffer> before = new HashSet<>();
  private Set<ByteBuffer> now = new HashSet<>();

  /** Begins a look at all resources. */
  void begin() {
    now = new HashSet<>();
  }

  /** True if the last look had nothing that is printed like this. */
  boolean isNew(String text) {
    ByteBuffer digest = digest(text);
    now.add(digest);
    return !before.contains(digest);
  }

  /** Ends a look: what it did not have is forgotten. */
  void end() {
    before = now;
  }

  private static ByteBuffer digest(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return ByteBuffer.wrap(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
