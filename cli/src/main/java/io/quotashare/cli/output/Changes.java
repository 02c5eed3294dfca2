package io.quotashare.cli.output;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;

/**
 * What a watch has printed already, so that it prints only what is new or has changed since. Keeps
 * a digest a resource that the newest look had: about 100 bytes.
 */
public final class Changes {
  private Map<String, ByteBuffer> before = new HashMap<>();
  private Map<String, ByteBuffer> now = new HashMap<>();

  /** Begins a look at all resources. */
  void begin() {
    now = new HashMap<>();
  }

  /** True if the resource was not there at the last look, or was different. */
  boolean isNew(String name, String text) {
    ByteBuffer digest = digest(text);
    now.put(name, digest);
    return !digest.equals(before.get(name));
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
