package io.quotashare.server.shares;

import io.quotashare.core.RejectedException;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.ShareKey;
import io.quotashare.proto.v1.CreateQuotaShareRequest;
import io.quotashare.proto.v1.CreateQuotaShareResponse;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.Step;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.store.AuditEvent;

/** A share to be made. */
final class CreateShareCall implements EngineCall<CreateQuotaShareResponse> {
  private final String principal;
  private final CreateQuotaShareRequest request;
  private final io.quotashare.core.model.QuotaShare share;
  private final LastDay.OfQueue lastDay;

  private CreateShareCall(
      String principal,
      CreateQuotaShareRequest request,
      io.quotashare.core.model.QuotaShare share,
      LastDay.OfQueue lastDay) {
    this.principal = principal;
    this.request = request;
    this.share = share;
    this.lastDay = lastDay;
  }

  /**
   * Checks what can be checked without the state.
   *
   * @throws io.grpc.StatusRuntimeException INVALID_ARGUMENT with every field that is wrong
   */
  static CreateShareCall of(String principal, CreateQuotaShareRequest request, LastDay lastDay) {
    String queue = Names.queue("parent", request.getParent());
    FieldChecks checks = new FieldChecks();
    checks.check(Names.isId(request.getShareId()), "share_id", request.getShareId(), Names.ID_RULE);
    if (request.hasShare()) {
      ShareRules.check(request.getShare(), checks.in("share"));
    } else {
      checks.reject("share", "unset (expected: the share to be made)");
    }
    checks.throwIfAny();
    ShareKey key = new ShareKey(queue, request.getShareId());
    QuotaShare wanted = request.getShare();
    return new CreateShareCall(
        principal, request, ShareConverter.share(wanted, key), lastDay.of(queue));
  }

  @Override
  public Answer<CreateQuotaShareResponse> apply(Step step) {
    Scheduler scheduler = step.scheduler();
    ShareKey key = share.key();
    scheduler.checkShare(key);
    if (scheduler.share(key).isPresent()) {
      throw new RejectedException(
          RejectedException.Kind.ALREADY_EXISTS,
          "SHARE_EXISTS",
          "share_id",
          "share_id: " + key + " exists already");
    }
    if (scheduler.shares(key.queue()).size() >= PolicyReader.MAX_SHARES) {
      throw new RejectedException(
          RejectedException.Kind.RESOURCE_EXHAUSTED,
          "TOO_MANY_SHARES",
          "parent",
          "queue " + key.queue() + " has " + PolicyReader.MAX_SHARES + " shares already");
    }
    if (request.getValidateOnly()) {
      CreateQuotaShareResponse preview =
          CreateQuotaShareResponse.newBuilder()
              .setShare(lastDay.status(ShareStates.preview(step, share)))
              .build();
      return decided -> preview;
    }
    scheduler.putShare(share, false, step.nowMillis());
    step.audit(
        new AuditEvent(
            principal,
            "CREATE_SHARE",
            key.toString(),
            request.getRequestId(),
            "",
            AuditTexts.of(share),
            ""));
    return decided ->
        CreateQuotaShareResponse.newBuilder()
            .setShare(lastDay.status(ShareStates.view(decided, share)))
            .build();
  }
}
