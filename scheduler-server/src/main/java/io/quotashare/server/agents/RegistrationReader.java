package io.quotashare.server.agents;

import io.grpc.Status;
import io.quotashare.core.NodeReport;
import io.quotashare.core.model.Node;
import io.quotashare.proto.agent.v1.Inventory;
import io.quotashare.proto.agent.v1.RegisterRequest;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import java.util.Map;
import java.util.TreeMap;

/** Reads registrations and says everything that is wrong with one. */
final class RegistrationReader {
  /** Version of the protocol that this scheduler speaks. */
  static final int PROTOCOL_VERSION = 1;

  static final int MAX_ATTEMPTS = 20_000;
  private static final int MAX_LABELS = 64;
  private static final int MAX_TEXT_LENGTH = 1024;

  private RegistrationReader() {}

  static NodeReport read(RegisterRequest request) {
    if (request.getProtocolVersion() != PROTOCOL_VERSION) {
      throw Errors.of(
          Status.Code.FAILED_PRECONDITION,
          "PROTOCOL_VERSION_UNSUPPORTED",
          "protocol_version: "
              + request.getProtocolVersion()
              + " (expected: "
              + PROTOCOL_VERSION
              + "): agent "
              + FieldChecks.shown(request.getAgentVersion())
              + " and this scheduler are too far apart",
          Map.of("supported", Integer.toString(PROTOCOL_VERSION)));
    }
    FieldChecks checks = new FieldChecks();
    checks.check(Names.isNode(request.getNode()), "node", request.getNode(), Names.NODE_RULE);
    text(request.getAgentVersion(), 0, "agent_version", checks);
    text(request.getBootId(), 1, "boot_id", checks);
    text(request.getAdvertiseAddress(), 1, "advertise_address", checks);
    labels(request.getLabelsMap(), checks);
    checks.check(
        request.getAttemptsCount() <= MAX_ATTEMPTS,
        "attempts",
        request.getAttemptsCount() + " entries",
        "at most " + MAX_ATTEMPTS);
    for (int i = 0; i < Math.min(request.getAttemptsCount(), MAX_ATTEMPTS); i++) {
      ReportReader.check(request.getAttempts(i), checks.in("attempts[" + i + "]"));
    }
    NodeReport report =
        new NodeReport(
            request.getNode(),
            new TreeMap<>(request.getLabelsMap()),
            InventoryReader.devices(request.getInventory(), checks.in("inventory")),
            about(
                request.getAgentVersion(),
                request.getBootId(),
                request.getAdvertiseAddress(),
                request.getInventory()));
    checks.throwIfAny();
    return report;
  }

  /** The same node with another inventory. */
  static NodeReport withInventory(NodeReport before, Inventory inventory) {
    FieldChecks checks = new FieldChecks();
    NodeReport report =
        new NodeReport(
            before.name(),
            before.labels(),
            InventoryReader.devices(inventory, checks.in("inventory")),
            about(
                before.agent().version(),
                before.agent().bootId(),
                before.agent().address(),
                inventory));
    checks.throwIfAny();
    return report;
  }

  private static Node.AgentInfo about(
      String version, String bootId, String address, Inventory inventory) {
    return new Node.AgentInfo(
        version,
        bootId,
        address,
        inventory.getDriverVersion(),
        inventory.getNvmlState(),
        inventory.getNvmlDetail(),
        inventory.getHash());
  }

  private static void labels(Map<String, String> labels, FieldChecks checks) {
    checks.check(
        labels.size() <= MAX_LABELS, "labels", labels.size() + " entries", "at most " + MAX_LABELS);
    labels.forEach(
        (key, value) -> {
          FieldChecks here = checks.in("labels[" + FieldChecks.shown(key) + "]");
          text(key, 1, "key", here);
          text(value, 0, "value", here);
        });
  }

  private static void text(String value, int min, String field, FieldChecks checks) {
    checks.check(
        value.length() >= min
            && value.length() <= MAX_TEXT_LENGTH
            && value.codePoints().noneMatch(Character::isISOControl),
        field,
        value,
        "one line of " + min + " to " + MAX_TEXT_LENGTH + " characters");
  }
}
