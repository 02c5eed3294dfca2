package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a job is stopped and queued again.
 *
 * @param hold hold it back as well, so that it does not start again before it is released
 * @param reason recorded with the attempt, up to 512 characters; may be empty
 * @param etag of the job as it was read: the call throws {@link ConflictException} if it has
 *     changed since; empty: not checked
 * @param requestId makes a repeat return the first answer; null: the client makes one for this call
 */
public record RequeueOptions(boolean hold, String reason, String etag, @Nullable UUID requestId) {
  /** Checks that nothing required is null and that the reason is not too long. */
  public RequeueOptions {
    Texts.checkReason(reason);
    requireNonNull(etag, "etag");
  }

  /** Waits again at once, without a reason. */
  public static RequeueOptions defaults() {
    return new RequeueOptions(false, "", "", null);
  }

  /** The same, held back until it is released. */
  public RequeueOptions holding() {
    return new RequeueOptions(true, reason, etag, requestId);
  }

  /** The same with a reason, up to 512 characters. */
  public RequeueOptions because(String why) {
    return new RequeueOptions(hold, why, etag, requestId);
  }

  /** The same, only if the job still has this etag. */
  public RequeueOptions ifUnchanged(String asRead) {
    return new RequeueOptions(hold, reason, asRead, requestId);
  }

  /** The same with a request id that a later repeat can send again. */
  public RequeueOptions withRequestId(UUID id) {
    return new RequeueOptions(hold, reason, etag, requireNonNull(id, "id"));
  }
}
