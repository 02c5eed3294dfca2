package io.quotashare.server.badinput;

import static io.quotashare.server.badinput.CommonRules.filterId;
import static io.quotashare.server.badinput.CommonRules.instant;
import static io.quotashare.server.badinput.CommonRules.line;
import static io.quotashare.server.badinput.CommonRules.nodeName;
import static io.quotashare.server.badinput.CommonRules.pageSize;
import static io.quotashare.server.badinput.CommonRules.pageToken;
import static io.quotashare.server.badinput.CommonRules.queueName;
import static io.quotashare.server.badinput.CommonRules.requestId;

import com.google.protobuf.Timestamp;
import io.quotashare.proto.v1.GetUsageReportRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The fields of {@code QueueService} and {@code AdminService}. */
final class QueueAndAdminRules {
  private QueueAndAdminRules() {}

  static Map<String, Rule> all() {
    Map<String, Rule> rules = new TreeMap<>();
    queues(rules);
    usage(rules);
    admin(rules);
    return rules;
  }

  private static void queues(Map<String, Rule> rules) {
    rules.put("GetQueueRequest.name", queueName());
    rules.put("GetQueueSnapshotRequest.name", queueName());
    rules.put("GetNodeRequest.name", nodeName());

    rules.put("ListQueuesRequest.page_size", pageSize());
    rules.put("ListQueuesRequest.page_token", pageToken());
    rules.put("ListNodesRequest.queue", filterId());
    rules.put("ListNodesRequest.page_size", pageSize());
    rules.put("ListNodesRequest.page_token", pageToken());

    rules.put("ListPreemptionsRequest.parent", queueName());
    rules.put("ListPreemptionsRequest.share", filterId());
    rules.put("ListPreemptionsRequest.job", filterId());
    rules.put("ListPreemptionsRequest.page_size", pageSize());
    rules.put("ListPreemptionsRequest.page_token", pageToken());
  }

  private static void usage(Map<String, Rule> rules) {
    rules.put("GetUsageReportRequest.name", queueName());
    rules.put("GetUsageReportRequest.share", filterId());
    rules.put("GetUsageReportRequest.start", instant());
    rules.put(
        "GetUsageReportRequest.end",
        instant()
            .and(
                Bad.with(
                    "before the start",
                    (m, f) ->
                        ((GetUsageReportRequest.Builder) m)
                            .setStart(Timestamp.newBuilder().setSeconds(2_000))
                            .setEnd(Timestamp.newBuilder().setSeconds(1_000)))));
    rules.put(
        "GetUsageReportRequest.step",
        Rule.of(
            Bad.span(-1, 0),
            Bad.span(0, 0),
            Bad.span(59, 0),
            Bad.span(Long.MAX_VALUE, 0),
            Bad.span(60, 1),
            Bad.with(
                    "more than 1000 intervals",
                    (m, f) -> {
                      Timestamp end = ((GetUsageReportRequest.Builder) m).getEnd();
                      ((GetUsageReportRequest.Builder) m)
                          .setStart(end.toBuilder().setSeconds(end.getSeconds() - 1_000_000))
                          .setStep(com.google.protobuf.Duration.newBuilder().setSeconds(60));
                    })
                .showing("1000")));
  }

  private static void admin(Map<String, Rule> rules) {
    for (String request :
        List.of(
            "CordonNodeRequest", "UncordonNodeRequest", "DrainNodeRequest", "FenceNodeRequest")) {
      rules.put(request + ".name", nodeName());
      rules.put(request + ".request_id", requestId());
    }
    rules.put("PauseSchedulingRequest.reason", line(512));
    rules.put("PauseSchedulingRequest.request_id", requestId());
    rules.put("ResumeSchedulingRequest.request_id", requestId());
    rules.put("ListAuditEventsRequest.page_size", pageSize());
    rules.put("ListAuditEventsRequest.page_token", pageToken());
    rules.put("ListAuditEventsRequest.resource", line(512));
    rules.put("ListAuditEventsRequest.since", instant());
  }
}
