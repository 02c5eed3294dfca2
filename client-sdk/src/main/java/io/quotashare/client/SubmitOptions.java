package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a job is submitted.
 *
 * @param jobId id chosen by the caller; null: the scheduler makes one
 * @param requestId makes a repeat return the first answer; null: the client makes one for this
 *     call, so that its own retries never submit twice
 */
public record SubmitOptions(@Nullable String jobId, @Nullable UUID requestId) {
  private static final Pattern JOB_ID = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  /** Checks the form of the id. */
  public SubmitOptions {
    if (jobId != null && !JOB_ID.matcher(jobId).matches()) {
      throw new IllegalArgumentException(
          "jobId: \""
              + jobId
              + "\" is not valid here, expected 1 to 63 of a-z, 0-9 and -, with a letter or digit"
              + " at both ends");
    }
  }

  /** An id from the scheduler and a request id from the client. */
  public static SubmitOptions defaults() {
    return new SubmitOptions(null, null);
  }

  /** The same with an id of the caller's choice. */
  public SubmitOptions withJobId(String id) {
    return new SubmitOptions(requireNonNull(id, "id"), requestId);
  }

  /** The same with a request id that a later repeat can send again. */
  public SubmitOptions withRequestId(UUID id) {
    return new SubmitOptions(jobId, requireNonNull(id, "id"));
  }
}
