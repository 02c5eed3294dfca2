package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A request to the job, as it stands in its {@code ctl} file (docs/checkpoint-contract.md).
 *
 * @param seq grows with every request of the attempt, from 1
 * @param reason why, as in the contract
 * @param deadline when the job is killed; empty: save and go on
 */
public record ControlRequest(long seq, String reason, Optional<Instant> deadline) {
  /** Checks the range. */
  public ControlRequest {
    requireNonNull(reason, "reason is null");
    requireNonNull(deadline, "deadline is null");
    if (seq < 1) {
      throw new IllegalArgumentException("seq: " + seq + " (expected: >= 1)");
    }
  }

  /** The file. */
  String json() {
    String head =
        String.format(
            Locale.ROOT,
            "{\"seq\":%d,\"op\":\"%s\",\"reason\":\"%s\"",
            seq,
            deadline.isPresent() ? "checkpoint_and_stop" : "checkpoint",
            reason);
    return head
        + deadline
            .map(
                at ->
                    String.format(
                        Locale.ROOT,
                        ",\"deadline_unix\":%d.%03d",
                        at.getEpochSecond(),
                        at.getNano() / 1_000_000))
            .orElse("")
        + "}\n";
  }
}
