package io.quotashare.server.badinput;

import static io.quotashare.server.badinput.CommonRules.etag;
import static io.quotashare.server.badinput.CommonRules.filterId;
import static io.quotashare.server.badinput.CommonRules.fromZero;
import static io.quotashare.server.badinput.CommonRules.jobName;
import static io.quotashare.server.badinput.CommonRules.labels;
import static io.quotashare.server.badinput.CommonRules.line;
import static io.quotashare.server.badinput.CommonRules.longFromZero;
import static io.quotashare.server.badinput.CommonRules.newId;
import static io.quotashare.server.badinput.CommonRules.pageSize;
import static io.quotashare.server.badinput.CommonRules.pageToken;
import static io.quotashare.server.badinput.CommonRules.queueName;
import static io.quotashare.server.badinput.CommonRules.queueOrAll;
import static io.quotashare.server.badinput.CommonRules.range;
import static io.quotashare.server.badinput.CommonRules.requestId;
import static io.quotashare.server.badinput.CommonRules.span;

import com.google.protobuf.Duration;
import io.grpc.Status;
import io.quotashare.proto.v1.JobSpec;
import io.quotashare.proto.v1.PlanJobRequest;
import io.quotashare.proto.v1.SubmitJobRequest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The fields of {@code JobService}. */
final class JobRules {
  private static final long TEN_YEARS_MILLIS = 3650L * 24 * 3_600_000;

  private JobRules() {}

  static Map<String, Rule> all() {
    Map<String, Rule> rules = new TreeMap<>();
    submissions(rules);
    spec(rules);
    reads(rules);
    mutations(rules);
    return rules;
  }

  private static void submissions(Map<String, Rule> rules) {
    rules.put(
        "SubmitJobRequest.parent",
        queueName(
            Bad.with(
                    "a queue that does not exist",
                    (m, f) -> {
                      ((SubmitJobRequest.Builder) m).setParent("queues/nowhere");
                      ((SubmitJobRequest.Builder) m)
                          .getSpecBuilder()
                          .setShare("queues/nowhere/shares/lender");
                    })
                .showing("nowhere")
                .answered(Status.Code.NOT_FOUND, "QUEUE_NOT_FOUND"),
            Bad.value("queues/other").at(path -> "spec.share").showing("queues/other/shares/")));
    rules.put("SubmitJobRequest.job_id", newId());
    rules.put("SubmitJobRequest.spec", Rule.of(Bad.missing()));
    rules.put("SubmitJobRequest.request_id", requestId());
    rules.put("SubmitJobRequest.validate_only", Rule.bool());

    rules.put("SubmitJobsRequest.parent", queueName());
    rules.put("SubmitJobsRequest.requests", Rule.of(Bad.missing(), Bad.elements(1001)));
    rules.put(
        "SubmitJobsRequest.requests.parent",
        Rule.of(Bad.value("queues/other"), Bad.value("research")));

    rules.put(
        "PlanJobRequest.parent",
        queueName(
            Bad.with(
                    "a queue that does not exist",
                    (m, f) -> {
                      ((PlanJobRequest.Builder) m).setParent("queues/nowhere");
                      ((PlanJobRequest.Builder) m)
                          .getSpecBuilder()
                          .setShare("queues/nowhere/shares/lender");
                    })
                .showing("nowhere")
                .answered(Status.Code.NOT_FOUND, "QUEUE_NOT_FOUND"),
            Bad.value("queues/other").at(path -> "spec.share").showing("queues/other/shares/")));
    rules.put("PlanJobRequest.spec", Rule.of(Bad.missing()));
  }

  private static void spec(Map<String, Rule> rules) {
    rules.put(
        "JobSpec.share",
        Rule.of(
            Bad.missing(),
            Bad.value("lender"),
            Bad.value("queues/other/shares/lender"),
            Bad.value("queues/research/shares/Upper"),
            Bad.value("queues/research/shares/nobody")
                .answered(Status.Code.NOT_FOUND, "SHARE_NOT_FOUND")
                .showing("nobody")));
    rules.put("JobSpec.display_name", line(128));
    rules.put("JobSpec.nodes", range(1, 4096));
    rules.put(
        "JobSpec.gpus_per_node",
        range(1, 10_000).and(Bad.missing().showing("unset (expected: gpus")));
    rules.put(
        "JobSpec.gpus",
        Rule.of(
            Bad.value(1).showing("together with nodes or gpus_per_node"),
            onlyGpus(0),
            onlyGpus(-1),
            onlyGpus(4096 * 10_000 + 1),
            Bad.with("no devices at all", (m, f) -> spec(m).clearNodes().clearGpusPerNode())));
    rules.put("JobSpec.unit", Rule.of(Bad.value("not a unit"), Bad.value("x".repeat(64))));
    rules.put("JobSpec.priority", range(0, 9999));
    rules.put(
        "JobSpec.command",
        Rule.of(
            Bad.missing(),
            Bad.elements(4097),
            Bad.element(""),
            Bad.element("a\0b").showing("NUL"),
            Bad.with(
                    "an argument of 128 KiB",
                    (m, f) -> m.setField(f, List.of("x", "y".repeat(128 * 1024))))
                .at(path -> path + "[1]")
                .showing("131072"),
            Bad.with(
                "512 KiB in all",
                (m, f) -> m.setField(f, Collections.nCopies(600, "y".repeat(1024))))));
    rules.put(
        "JobSpec.env",
        Rule.of(
            Bad.entries(257, "v"),
            Bad.entry("", "v"),
            Bad.entry("1A", "v"),
            Bad.entry("A-B", "v"),
            Bad.entry("A=B", "v"),
            Bad.entry("QS_ATTEMPT", "v"),
            Bad.entry("LD_PRELOAD", "v"),
            Bad.entry("CUDA_VISIBLE_DEVICES", "v"),
            Bad.entry("x".repeat(256), "v"),
            Bad.entry("A", "a\0b"),
            Bad.entry("A", "y".repeat(128 * 1024))));
    rules.put(
        "JobSpec.working_directory",
        Rule.of(Bad.value("relative/path"), Bad.value("/" + "x".repeat(4096)), Bad.value("/a\0b")));
    rules.put("JobSpec.labels", labels());
    rules.put("JobSpec.time_limit", span(1, TEN_YEARS_MILLIS));
    rules.put("JobSpec.grace", span(0, 24 * 3_600_000L));
    rules.put("JobSpec.lost_after", span(1000, TEN_YEARS_MILLIS).and(Bad.span(0, 999_000_000)));
    rules.put(
        "JobSpec.lost_never",
        Rule.of(
            Bad.with(
                    "true together with lost_after",
                    (m, f) ->
                        spec(m)
                            .setLostNever(true)
                            .setLostAfter(Duration.newBuilder().setSeconds(60)))
                .atSibling("lost_after")
                .showing("lost_never")));
    rules.put("JobSpec.checkpoint_every", span(1, TEN_YEARS_MILLIS));
    rules.put("JobSpec.on_demand_checkpoint", Rule.bool());
    rules.put("JobSpec.retries", range(0, 10));
    Bad tooMany =
        Bad.with(
                "65 exit codes",
                (m, f) -> m.setField(f, IntStream.rangeClosed(1, 65).boxed().toList()))
            .showing("65");
    rules.put(
        "JobSpec.retry_exit_codes",
        Rule.of(
            Bad.element(0),
            Bad.element(256),
            tooMany,
            Bad.with(
                    "together with fail_exit_codes",
                    (m, f) -> spec(m).addRetryExitCodes(1).addFailExitCodes(2))
                .atSibling("fail_exit_codes")
                .showing("retry_exit_codes")));
    rules.put("JobSpec.fail_exit_codes", Rule.of(Bad.element(0), Bad.element(256), tooMany));
    rules.put("JobSpec.preemption_retries_before_termination", fromZero());
    rules.put("JobSpec.borrow", Rule.of(Bad.unknownEnum()));
    rules.put("JobSpec.allow_infeasible", Rule.bool());
  }

  private static Bad onlyGpus(int gpus) {
    return Bad.with(
            "gpus = " + gpus, (m, f) -> spec(m).clearNodes().clearGpusPerNode().setGpus(gpus))
        .showing(Integer.toString(gpus));
  }

  private static JobSpec.Builder spec(com.google.protobuf.Message.Builder message) {
    return (JobSpec.Builder) message;
  }

  private static void reads(Map<String, Rule> rules) {
    rules.put("GetJobRequest.name", jobName());
    rules.put("ExplainJobRequest.name", jobName());

    rules.put("ListJobsRequest.parent", queueOrAll());
    rules.put("ListJobsRequest.page_size", pageSize());
    rules.put("ListJobsRequest.page_token", pageToken());
    rules.put(
        "ListJobsRequest.states",
        Rule.of(Bad.unknownEnum().at(path -> path + "[0]"), Bad.elements(1000)));
    rules.put("ListJobsRequest.share", filterId());
    rules.put("ListJobsRequest.labels", labels());
    rules.put("ListJobsRequest.order", Rule.of(Bad.unknownEnum()));

    rules.put("WatchJobsRequest.parent", queueOrAll().and(Bad.value("queues/nowhere").notFound()));
    rules.put("WatchJobsRequest.job_id", filterId());
    rules.put(
        "WatchJobsRequest.revision",
        longFromZero()
            .and(Bad.value(Long.MAX_VALUE).answered(Status.Code.OUT_OF_RANGE, "REVISION_EXPIRED")));
    rules.put("WatchJobsRequest.skip_snapshot", Rule.bool());

    rules.put("ListAttemptsRequest.parent", jobName());
    rules.put("ListAttemptsRequest.page_size", pageSize());
    rules.put("ListAttemptsRequest.page_token", pageToken());

    rules.put("StreamJobLogsRequest.name", jobName());
    rules.put("StreamJobLogsRequest.attempt", Rule.of(Bad.value(-1), Bad.value(999).notFound()));
    rules.put("StreamJobLogsRequest.rank", Rule.of(Bad.value(-1), Bad.value(1)));
    rules.put("StreamJobLogsRequest.follow", Rule.bool());
    rules.put("StreamJobLogsRequest.offset", longFromZero());
  }

  private static void mutations(Map<String, Rule> rules) {
    rules.put("UpdateJobPriorityRequest.name", jobName());
    rules.put("UpdateJobPriorityRequest.priority", range(0, 9999).and(Bad.missing()));
    rules.put("UpdateJobPriorityRequest.etag", etag());
    rules.put("UpdateJobPriorityRequest.request_id", requestId());

    for (String request : List.of("HoldJobRequest", "ReleaseJobRequest", "RequeueJobRequest")) {
      rules.put(request + ".name", jobName());
      rules.put(request + ".etag", etag());
      rules.put(request + ".request_id", requestId());
    }
    rules.put("RequeueJobRequest.hold", Rule.bool());
    rules.put("RequeueJobRequest.reason", line(512));

    rules.put("CheckpointJobRequest.name", jobName());
    rules.put("CheckpointJobRequest.request_id", requestId());

    rules.put("CancelJobRequest.name", jobName());
    rules.put("CancelJobRequest.reason", line(512));
    rules.put("CancelJobRequest.request_id", requestId());

    rules.put("CancelJobsRequest.parent", queueName());
    rules.put("CancelJobsRequest.share", filterId());
    rules.put(
        "CancelJobsRequest.states",
        Rule.of(
            Bad.unknownEnum().at(path -> path + "[0]"),
            Bad.with(
                    "a state that is over",
                    (m, f) ->
                        m.setField(
                            f, List.of(f.getEnumType().findValueByName("JOB_STATE_SUCCEEDED"))))
                .at(path -> path + "[0]")));
    rules.put("CancelJobsRequest.labels", labels());
    rules.put(
        "CancelJobsRequest.all",
        Rule.of(
            Bad.with(
                "neither a filter nor all",
                (m, f) -> {
                  for (String filter : List.of("share", "states", "labels", "all")) {
                    m.clearField(m.getDescriptorForType().findFieldByName(filter));
                  }
                })));
    rules.put("CancelJobsRequest.reason", line(512));
    rules.put("CancelJobsRequest.validate_only", Rule.bool());
    rules.put("CancelJobsRequest.request_id", requestId());
  }
}
