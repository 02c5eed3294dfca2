package io.quotashare.server.shares;

import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.proto.v1.UpdateQuotaShareRequest;
import io.quotashare.proto.v1.UpdateQuotaShareResponse;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.Step;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.store.AuditEvent;
import io.quotashare.server.view.Snapshot;

/** A change of some fields of a share. */
final class UpdateShareCall implements EngineCall<UpdateQuotaShareResponse> {
  private final String principal;
  private final UpdateQuotaShareRequest request;
  private final ShareKey key;
  private final ShareMask mask;
  private final LastDay.OfQueue lastDay;

  private UpdateShareCall(
      String principal,
      UpdateQuotaShareRequest request,
      ShareKey key,
      ShareMask mask,
      LastDay.OfQueue lastDay) {
    this.principal = principal;
    this.request = request;
    this.key = key;
    this.mask = mask;
    this.lastDay = lastDay;
  }

  /**
   * Checks what the share would be by now; it is checked again when its turn has come. With a
   * request id only then: a repeat is given its first answer whatever the share is by now.
   *
   * @throws io.grpc.StatusRuntimeException INVALID_ARGUMENT with every field that is wrong
   */
  static UpdateShareCall of(
      String principal, UpdateQuotaShareRequest request, Snapshot snapshot, LastDay lastDay) {
    FieldChecks checks = new FieldChecks();
    if (!request.hasShare()) {
      checks.reject("share", "unset (expected: the share with its name and what to change)");
    }
    ShareMask mask = ShareMask.of(request.getUpdateMask(), checks);
    checks.throwIfAny();
    ShareKey key = Names.share("share.name", request.getShare().getName());
    snapshot
        .share(key)
        .filter(view -> request.getRequestId().isEmpty())
        .map(view -> mask.merge(ShareConverter.share(view.share()), request.getShare()))
        .ifPresent(wanted -> ShareRules.check(wanted, checks.in("share")));
    checks.throwIfAny();
    return new UpdateShareCall(principal, request, key, mask, lastDay.of(key.queue()));
  }

  @Override
  public Answer<UpdateQuotaShareResponse> apply(Step step) {
    QuotaShare before = ShareStates.require(step.scheduler(), key);
    ShareStates.checkEtag(before, request.getShare().getEtag());
    step.scheduler().checkShare(key);
    io.quotashare.proto.v1.QuotaShare wanted =
        mask.merge(ShareConverter.share(before), request.getShare());
    FieldChecks checks = new FieldChecks();
    ShareRules.check(wanted, checks.in("share"));
    checks.refuseIfAny();
    QuotaShare after = ShareConverter.share(wanted, key);
    if (request.getValidateOnly()) {
      UpdateQuotaShareResponse preview =
          UpdateQuotaShareResponse.newBuilder()
              .setShare(lastDay.status(ShareStates.preview(step, after)))
              .build();
      return decided -> preview;
    }
    step.scheduler().putShare(after, request.getDrainNow(), step.nowMillis());
    step.audit(
        new AuditEvent(
            principal,
            "UPDATE_SHARE",
            key.toString(),
            request.getRequestId(),
            AuditTexts.of(before),
            AuditTexts.of(after),
            AuditTexts.ofDrain(request.getDrainNow())));
    return decided ->
        UpdateQuotaShareResponse.newBuilder()
            .setShare(lastDay.status(ShareStates.view(decided, after)))
            .build();
  }
}
