package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the jobs that a filter selects are cancelled.
 *
 * @param reason recorded with the jobs, up to 512 characters; may be empty
 * @param everyJob must be set where the filter selects every job of its queue
 * @param requestId makes a repeat return the first answer; null: the client makes one for this call
 */
public record CancelOptions(String reason, boolean everyJob, @Nullable UUID requestId) {
  /** Checks that the reason is neither null nor too long. */
  public CancelOptions {
    Texts.checkReason(reason);
  }

  /** With a reason, up to 512 characters, which may be empty. */
  public static CancelOptions because(String reason) {
    return new CancelOptions(reason, false, null);
  }

  /** The same for a filter that selects every job of its queue. */
  public CancelOptions forEveryJob() {
    return new CancelOptions(reason, true, requestId);
  }

  /** The same with a request id that a later repeat can send again. */
  public CancelOptions withRequestId(UUID id) {
    return new CancelOptions(reason, everyJob, requireNonNull(id, "id"));
  }
}
