package io.quotashare.server.shares;

import io.quotashare.core.QueueView;
import io.quotashare.core.RejectedException;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.server.engine.EngineException;
import io.quotashare.server.engine.Step;
import java.util.List;

/** Reads shares from the scheduler, on the engine's thread. */
final class ShareStates {
  private ShareStates() {}

  /** A share that must exist. */
  static QuotaShare require(Scheduler scheduler, ShareKey key) {
    return scheduler
        .share(key)
        .orElseThrow(
            () ->
                new RejectedException(
                    RejectedException.Kind.NOT_FOUND,
                    "NOT_FOUND",
                    "name",
                    "share " + key + " does not exist"));
  }

  /** Refuses the call if the caller has read another state of the share. */
  static void checkEtag(QuotaShare share, String etag) {
    String present = ShareConverter.share(share).getEtag();
    if (!etag.isEmpty() && !etag.equals(present)) {
      throw new EngineException(
          EngineException.Kind.ETAG_MISMATCH,
          "etag: "
              + etag
              + " (expected: "
              + present
              + "): "
              + share.key()
              + " has changed since it was read",
          0,
          null);
    }
  }

  /** A share as it would be, with what it uses now. */
  static QueueView.ShareView preview(Step step, QuotaShare share) {
    List<QueueView.UnitView> units =
        step.scheduler().view(share.key()).map(QueueView.ShareView::units).orElse(List.of());
    return new QueueView.ShareView(share, units);
  }

  /** A share as it is after the decision; as it was put if it was removed in the same batch. */
  static QueueView.ShareView view(Step decided, QuotaShare put) {
    return decided
        .scheduler()
        .view(put.key())
        .orElseGet(() -> new QueueView.ShareView(put, List.of()));
  }
}
