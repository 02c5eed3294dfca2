package io.quotashare.server.agents;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.NodeReport;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.server.engine.EngineCall;
import io.quotashare.server.engine.Step;
import io.quotashare.server.grpc.Names;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One registration on its way into the scheduler. */
final class RegisterCall implements EngineCall<RegisterCall.Registered> {
  private final NodeReport report;
  private final Map<AttemptKey, AttemptStatus> attempts = new LinkedHashMap<>();
  private final Fleet fleet;

  /**
   * What came of it.
   *
   * @param number grows with every registration
   * @param lease the node's new lease
   * @param ended attempts that the agent named and that are over
   */
  record Registered(long number, Lease lease, List<String> ended) {}

  RegisterCall(NodeReport report, List<AttemptStatus> statuses, Fleet fleet) {
    this.report = requireNonNull(report, "report is null");
    this.fleet = requireNonNull(fleet, "fleet is null");
    for (AttemptStatus status : statuses) {
      Optional<AttemptKey> key = Names.attempt(status.getAttempt());
      key.ifPresent(k -> attempts.put(k, status));
    }
  }

  @Override
  public Answer<Registered> apply(Step step) {
    String node = report.name();
    fleet.devices().check(node, report.devices());
    step.scheduler().registerNode(report, attempts.keySet(), step.nowMillis());
    fleet.devices().own(node, report.devices());
    attempts.forEach((key, status) -> new ReportCall(node, key, status, () -> true).apply(step));
    Lease lease = fleet.leases().registered(node, step.nowNanos());
    fleet.gate().registered(node, step);
    long number = fleet.nextRegistration();
    return decided -> new Registered(number, lease, ended(decided));
  }

  private List<String> ended(Step decided) {
    List<String> ended = new ArrayList<>();
    attempts.forEach(
        (key, status) -> {
          KnownAttempts known = KnownAttempts.of(decided.scheduler(), key, report.name(), status);
          if (known == KnownAttempts.OVER) {
            ended.add(key.toString());
          }
        });
    return ended;
  }
}
