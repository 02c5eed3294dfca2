package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Identity of a request. Request ids of different principals do not meet, so nobody is told the
 * answer to somebody else's request.
 *
 * @param principal who asks
 * @param requestId id that the caller chose, 1 to {@link #MAX_ID_LENGTH} characters
 */
public record RequestKey(String principal, String requestId) {
  /** Longest request id. */
  public static final int MAX_ID_LENGTH = 128;

  public RequestKey {
    requireNonNull(principal, "principal is null");
    requireNonNull(requestId, "requestId is null");
    checkArgument(!principal.isEmpty(), "principal is empty");
    checkArgument(
        !requestId.isEmpty() && requestId.length() <= MAX_ID_LENGTH,
        "requestId: %s characters (expected: 1 to %s)",
        requestId.length(),
        MAX_ID_LENGTH);
    Texts.checkColumn(principal, "principal");
    Texts.checkColumn(requestId, "requestId");
  }
}
