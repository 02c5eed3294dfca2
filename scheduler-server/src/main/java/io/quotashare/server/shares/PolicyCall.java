package io.quotashare.server.shares;

import io.quotashare.core.Policy;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.Step;
import io.quotashare.server.store.AuditEvent;

/** A policy to be applied. */
record PolicyCall(String principal, Policy policy, ApplyPolicyRequest request)
    implements EngineCall<ApplyPolicyResponse> {
  @Override
  public Answer<ApplyPolicyResponse> apply(Step step) {
    if (request.getValidateOnly()) {
      ApplyPolicyResponse preview = response(step.scheduler().previewPolicy(policy));
      return decided -> preview;
    }
    Policy.Diff diff =
        step.scheduler().applyPolicy(policy, request.getDrainNow(), step.nowMillis());
    step.audit(
        new AuditEvent(
            principal,
            "APPLY_POLICY",
            "queues",
            request.getRequestId(),
            "",
            AuditTexts.of(diff),
            AuditTexts.ofDrain(request.getDrainNow())));
    return decided -> response(diff);
  }

  /** What a policy does, in the words of the contract. */
  static ApplyPolicyResponse response(Policy.Diff diff) {
    return ApplyPolicyResponse.newBuilder()
        .addAllCreated(diff.created())
        .addAllUpdated(diff.updated())
        .addAllUnchanged(diff.unchanged())
        .addAllUnmanaged(diff.unmanaged())
        .addAllWarnings(diff.warnings())
        .addAllRemoved(diff.removed())
        .build();
  }
}
