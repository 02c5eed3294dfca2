package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * That an attempt was asked to save and go on.
 *
 * @param seq number of the request among those of the attempt, from 1
 * @param requestedAtMillis when
 */
public record SaveRequest(long seq, long requestedAtMillis) {
  public SaveRequest {
    checkArgument(seq >= 1, "seq: %s (expected: >= 1)", seq);
  }
}
