package io.quotashare.server.agents;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.RejectedException;
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

  /** What makes a report the same as one before. */
  private record Identity(String node, AttemptKey attempt, int rank, long version) {}

  @Override
  public Answer<KnownAttempts> apply(Step step) {
    if (!step.begin(new Identity(node, key, status.getRank(), status.getVersion()))) {
      return setAside(step);
    }
    try {
      Answer<KnownAttempts> answer = take(step);
      step.end();
      return answer;
    } catch (RejectedException e) {
      // Refused, which is no fault of the scheduler.
      step.end();
      throw e;
    }
  }

  /** Answers as if it had been taken: its agent would say the same again otherwise, for ever. */
  private Answer<KnownAttempts> setAside(Step step) {
    log.error(
        "version {} of node {}'s report of attempt {} is set aside: the scheduler faults on it",
        status.getVersion(),
        node,
        key);
    step.audit(
        new AuditEvent(
            "agent " + node,
            "REPORT_SET_ASIDE",
            key.toString(),
            "",
            "",
            status.getPhase().name(),
            "the scheduler faulted on version "
                + status.getVersion()
                + " of this report again and again; it was answered and not taken"));
    return decided -> KnownAttempts.LIVE;
  }

  private Answer<KnownAttempts> take(Step step) {
    KnownAttempts known = KnownAttempts.of(step.scheduler(), key, node, status);
    if (known == KnownAttempts.LIVE) {
      take(step, step.scheduler().attempt(key).orElseThrow());
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

  private void take(Step step, Attempt attempt) {
    int rank = KnownAttempts.part(attempt, node, status).orElseThrow().rank();
    AttemptStatus ofPart = status.toBuilder().setRank(rank).build();
    step.scheduler()
        .report(
            ReportReader.read(ofPart, key, attempt.scheduledAtMillis(), step.nowMillis()),
            step.nowMillis());
  }
}
