package io.quotashare.server.agents;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.Step;

/** What an agent says about an attempt, on its way into the scheduler. */
final class ReportCall implements EngineCall<KnownAttempts> {
  private final String node;
  private final AttemptKey key;
  private final AttemptStatus status;

  ReportCall(String node, AttemptKey key, AttemptStatus status) {
    this.node = requireNonNull(node, "node is null");
    this.key = requireNonNull(key, "key is null");
    this.status = requireNonNull(status, "status is null");
  }

  @Override
  public Answer<KnownAttempts> apply(Step step) {
    KnownAttempts known = KnownAttempts.of(step.scheduler(), key, node, status.getRank());
    if (known == KnownAttempts.LIVE) {
      long earliest =
          step.scheduler().attempt(key).map(Attempt::scheduledAtMillis).orElse(step.nowMillis());
      step.scheduler()
          .report(ReportReader.read(status, key, earliest, step.nowMillis()), step.nowMillis());
    }
    return decided -> known;
  }
}
