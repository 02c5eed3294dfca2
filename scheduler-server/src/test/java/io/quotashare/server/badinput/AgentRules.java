package io.quotashare.server.badinput;

import static io.quotashare.server.badinput.CommonRules.fromZero;
import static io.quotashare.server.badinput.CommonRules.line;
import static io.quotashare.server.badinput.CommonRules.longFromZero;
import static io.quotashare.server.badinput.CommonRules.requiredLine;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The fields of {@code AgentService}. */
final class AgentRules {
  private static final String CLAMPED = "moved to the nearest instant that is possible";
  private static final String DISPLAYED = "only shown, and cut to its bound";
  private static final String NOT_READ = "not read by this version";

  private AgentRules() {}

  static Map<String, Rule> all() {
    Map<String, Rule> rules = new TreeMap<>();
    registration(rules);
    inventory(rules);
    status(rules);
    session(rules);
    return rules;
  }

  private static void registration(Map<String, Rule> rules) {
    rules.put(
        "RegisterRequest.protocol_version",
        Rule.of(unsupported(0), unsupported(2), unsupported(-1)));
    rules.put(
        "RegisterRequest.node",
        Rule.of(
            Bad.missing(),
            Bad.value("N1"),
            Bad.value("n 1"),
            Bad.value("../n1"),
            Bad.value("x".repeat(64))));
    rules.put("RegisterRequest.agent_version", line(1024));
    rules.put("RegisterRequest.boot_id", requiredLine(1024));
    rules.put("RegisterRequest.advertise_address", requiredLine(1024));
    rules.put(
        "RegisterRequest.labels",
        Rule.of(
            Bad.entries(65, "v"),
            Bad.entry("", "v"),
            Bad.entry("x".repeat(1025), "v"),
            Bad.entry("k", "two\nlines"),
            Bad.entry("k", "x".repeat(1025))));
    rules.put("RegisterRequest.attempts", Rule.of(Bad.elements(20_001)));
    rules.put("RegisterRequest.inventory", Rule.inside());
    rules.put("ReportInventoryRequest.inventory", Rule.inside());
  }

  private static Bad unsupported(int version) {
    return Bad.value(version)
        .answered(Status.Code.FAILED_PRECONDITION, "PROTOCOL_VERSION_UNSUPPORTED");
  }

  private static void inventory(Map<String, Rule> rules) {
    rules.put("Inventory.hash", line(512));
    rules.put("Inventory.nvml_state", line(512));
    rules.put("Inventory.nvml_detail", Rule.none(DISPLAYED));
    rules.put("Inventory.driver_version", line(512));
    rules.put(
        "Inventory.devices",
        Rule.of(
            Bad.elements(10_001),
            Bad.elements(2).at(path -> path + "[1].uuid").showing("every device once")));
    rules.put("DeviceInfo.uuid", requiredLine(512));
    rules.put("DeviceInfo.index", Rule.none("for display only"));
    rules.put(
        "DeviceInfo.unit",
        Rule.of(Bad.missing(), Bad.value("not a unit"), Bad.value("x".repeat(64))));
    rules.put("DeviceInfo.model", line(512));
    rules.put("DeviceInfo.memory_bytes", Rule.none("for display only; below 0 counts as unknown"));
    rules.put("DeviceInfo.healthy", Rule.bool());
    rules.put("DeviceInfo.health_detail", Rule.none(DISPLAYED));
    rules.put("DeviceInfo.outside", Rule.bool());
    rules.put("DeviceInfo.pci_bus_id", Rule.none(NOT_READ));
    rules.put("DeviceInfo.minor_number", Rule.none(NOT_READ));
  }

  private static void status(Map<String, Rule> rules) {
    rules.put(
        "AttemptStatus.attempt",
        Rule.of(
            Bad.missing(),
            Bad.value("queues/research/jobs/running"),
            Bad.value("queues/research/jobs/running/attempts/0"),
            Bad.value("queues/research/jobs/running/attempts/12345678901")));
    rules.put("AttemptStatus.rank", fromZero());
    rules.put("AttemptStatus.job_sequence", Rule.of(Bad.value(-1L)));
    rules.put("AttemptStatus.version", Rule.of(Bad.value(0L), Bad.value(-1L)));
    rules.put("AttemptStatus.phase", Rule.of(Bad.missing(), Bad.unknownEnum()));
    for (String time :
        List.of("started_at", "exited_at", "stop_requested_at", "term_sent_at", "kill_sent_at")) {
      rules.put("AttemptStatus." + time, Rule.none(CLAMPED));
    }
    rules.put("AttemptStatus.exit_code", Rule.none("whatever the process ended with"));
    rules.put("AttemptStatus.exit_signal", Rule.none("whatever ended the process"));
    rules.put("AttemptStatus.detail", Rule.none(DISPLAYED));
    rules.put("AttemptStatus.progress", Rule.inside());
    rules.put("AttemptStatus.quarantined_uuids", Rule.of(Bad.elements(10_001)));
    rules.put("AttemptStatus.node_fault", Rule.bool());
    rules.put("Progress.step", Rule.none("whatever the job counts"));
    rules.put("Progress.checkpoint_step", Rule.none("whatever the job counts"));
    for (String time :
        List.of("productive_since", "checkpoint_state_time", "checkpoint_durable_time")) {
      rules.put("Progress." + time, Rule.none(CLAMPED));
    }
    rules.put("Progress.ack_seq", Rule.none("below 0 counts as 0; a number never asked as none"));
    rules.put("Progress.done", Rule.bool());
    rules.put("Progress.on_demand", Rule.bool());
  }

  private static void session(Map<String, Rule> rules) {
    for (String request : List.of("SessionRequest", "ReportInventoryRequest")) {
      rules.put(
          request + ".epoch",
          Rule.of(
              Bad.value(0L).answered(Status.Code.FAILED_PRECONDITION, "STALE_EPOCH"),
              Bad.value(99L).answered(Status.Code.FAILED_PRECONDITION, "STALE_EPOCH"),
              Bad.value(-1L).answered(Status.Code.FAILED_PRECONDITION, "STALE_EPOCH")));
      rules.put(
          request + ".session",
          Rule.of(
              Bad.missing().answered(Status.Code.FAILED_PRECONDITION, "STALE_SESSION"),
              Bad.value("nobody's")
                  .answered(Status.Code.FAILED_PRECONDITION, "STALE_SESSION")
                  .showing("")));
    }
    rules.put(
        "SessionRequest.seq", Rule.none("an old number is a repetition and is not looked at"));
    rules.put(
        "SessionRequest.heartbeat", Rule.of(Bad.missing().atSibling("payload").showing("unset")));
    rules.put(
        "SessionRequest.attempt_status",
        Rule.of(Bad.missing().atSibling("payload").showing("unset")));
    rules.put("Heartbeat.sent_monotonic_ms", Rule.none("only echoed"));
    rules.put("Heartbeat.inventory_hash", Rule.none("another hash asks for the inventory"));
    rules.put("Heartbeat.attempts", Rule.of(Bad.elements(20_001)));

    rules.put(
        "PushLogsRequest.request_id",
        Rule.of(
            Bad.missing().answered(Status.Code.NOT_FOUND, "READER_GONE"),
            Bad.value("nobody's").answered(Status.Code.NOT_FOUND, "READER_GONE").showing("")));
    rules.put("PushLogsRequest.offset", longFromZero());
    rules.put(
        "PushLogsRequest.data",
        Rule.of(Bad.value(ByteString.copyFrom(new byte[64 * 1024 + 1])).showing("65537")));
    rules.put("PushLogsRequest.error", Rule.none(DISPLAYED));
  }
}
