package io.quotashare.server.shares;

import com.google.protobuf.TextFormat;
import io.quotashare.core.Policy;
import io.quotashare.core.model.QuotaShare;

/** Policies and shares in the words of the audit log. */
final class AuditTexts {
  private AuditTexts() {}

  /** What was made, changed and removed. */
  static String of(Policy.Diff diff) {
    return "created: "
        + String.join(", ", diff.created())
        + "; updated: "
        + String.join(", ", diff.updated())
        + (diff.removed().isEmpty() ? "" : "; removed: " + String.join(", ", diff.removed()));
  }

  /** A share on one line, in the fields of the contract. */
  static String of(QuotaShare share) {
    return TextFormat.printer()
        .emittingSingleLine(true)
        .printToString(ShareConverter.share(share).toBuilder().clearName().clearEtag().build());
  }

  static String ofDrain(boolean drainNow) {
    return drainNow ? "what is above a lowered limit is stopped at once" : "";
  }
}
