package io.quotashare.server.agents;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.Step;
import io.quotashare.server.store.AuditEvent;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an agent says about an attempt, on its way into the scheduler. */
final class ReportCall implements EngineCall<KnownAttempts> {
  private static final Logger log = LoggerFactory.getLogger(ReportCall.class);

  private final String node;
  private final AttemptKey key;
  private final AttemptStatus status;
  private final BooleanSupplier firstSight;

  /**
   * @param firstSight asked if the scheduler does not know the attempt: whether to tell people
   */
  ReportCall(String node, AttemptKey key, AttemptStatus status, BooleanSupplier firstSight) {
    this.node = requireNonNull(node, "node is null");
    this.key = requireNonNull(key, "key is null");
    this.status = requireNonNull(status, "status is null");
    this.firstSight = requireNonNull(firstSight, "firstSight is null");
  }

  @Override
  public Answer<KnownAttempts> apply(Step step) {
    KnownAttempts known = KnownAttempts.of(step.scheduler(), key, node, status);
    if (known == KnownAttempts.LIVE) {
      long earliest =
          step.scheduler().attempt(key).map(Attempt::scheduledAtMillis).orElse(step.nowMillis());
      step.scheduler()
          .report(ReportReader.read(status, key, earliest, step.nowMillis()), step.nowMillis());
    }
    if (known == KnownAttempts.UNKNOWN && firstSight.getAsBoolean()) {
      log.warn(
          "node {} reports attempt {}, which this scheduler never gave it; it is left alone",
          node,
          key);
      step.audit(
          new AuditEvent(
              "agent " + node,
              "UNKNOWN_ATTEMPT",
              key.toString(),
              "",
              "",
              status.getPhase().name(),
              "this scheduler never gave it to node " + node + "; it is left alone"));
    }
    return decided -> known;
  }
}
