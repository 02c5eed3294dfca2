package io.quotashare.server.shares;

import io.quotashare.core.Removal;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.proto.v1.DeleteQuotaShareRequest;
import io.quotashare.proto.v1.DeleteQuotaShareResponse;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.Step;
import io.quotashare.server.store.AuditEvent;

/** A share to be removed. */
record DeleteShareCall(String principal, ShareKey key, DeleteQuotaShareRequest request)
    implements EngineCall<DeleteQuotaShareResponse> {
  @Override
  public Answer<DeleteQuotaShareResponse> apply(Step step) {
    QuotaShare before = ShareStates.require(step.scheduler(), key);
    ShareStates.checkEtag(before, request.getEtag());
    if (request.getValidateOnly()) {
      DeleteQuotaShareResponse preview = response(step.scheduler().previewRemoval(key));
      return decided -> preview;
    }
    Removal removal = step.scheduler().removeShare(key, step.nowMillis());
    step.audit(
        new AuditEvent(
            principal,
            "DELETE_SHARE",
            key.toString(),
            request.getRequestId(),
            AuditTexts.of(before),
            "",
            removal.cancelledJobs()
                + " waiting jobs cancelled, "
                + removal.stoppingJobs()
                + " jobs being stopped"));
    return decided -> response(removal);
  }

  private static DeleteQuotaShareResponse response(Removal removal) {
    return DeleteQuotaShareResponse.newBuilder()
        .setCancelledJobs(removal.cancelledJobs())
        .setStoppingJobs(removal.stoppingJobs())
        .build();
  }
}
