package io.quotashare.client.internal;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Request ids: every change carries one, so that a retry never has its effect twice. */
public final class RequestIds {
  private RequestIds() {}

  /** The caller's, or else a new one. */
  static String orNew(@Nullable UUID given) {
    return (given == null ? UUID.randomUUID() : given).toString();
  }

  /**
   * The id of the {@code index}-th call, from 0, of those that one request of a program is split
   * into. The same request makes the same ids again.
   */
  public static UUID ofPart(UUID request, int index) {
    return index == 0
        ? request
        : UUID.nameUUIDFromBytes((request + "/" + index).getBytes(StandardCharsets.UTF_8));
  }
}
