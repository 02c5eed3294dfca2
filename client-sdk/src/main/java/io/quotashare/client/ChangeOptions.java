package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a resource is changed.
 *
 * @param etag of the resource as it was read: the call throws {@link ConflictException} if it has
 *     changed since; empty: not checked
 * @param requestId makes a repeat return the first answer; null: the client makes one for this
 *     call, so that its own retries never have their effect twice
 */
public record ChangeOptions(String etag, @Nullable UUID requestId) {
  /** Checks that nothing required is null. */
  public ChangeOptions {
    requireNonNull(etag, "etag");
  }

  /** Whatever has changed since, and with a request id from the client. */
  public static ChangeOptions defaults() {
    return new ChangeOptions("", null);
  }

  /** The same, only if the resource still has this etag. */
  public ChangeOptions ifUnchanged(String asRead) {
    return new ChangeOptions(asRead, requestId);
  }

  /** The same with a request id that a later repeat can send again. */
  public ChangeOptions withRequestId(UUID id) {
    return new ChangeOptions(etag, requireNonNull(id, "id"));
  }
}
