package io.quotashare.server.badinput;

import static io.quotashare.server.badinput.CommonRules.devicesByUnit;
import static io.quotashare.server.badinput.CommonRules.etag;
import static io.quotashare.server.badinput.CommonRules.longFromZero;
import static io.quotashare.server.badinput.CommonRules.newId;
import static io.quotashare.server.badinput.CommonRules.pageSize;
import static io.quotashare.server.badinput.CommonRules.pageToken;
import static io.quotashare.server.badinput.CommonRules.queueName;
import static io.quotashare.server.badinput.CommonRules.queueOrAll;
import static io.quotashare.server.badinput.CommonRules.range;
import static io.quotashare.server.badinput.CommonRules.requestId;
import static io.quotashare.server.badinput.CommonRules.shareName;
import static io.quotashare.server.badinput.CommonRules.span;

import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import io.grpc.Status;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.proto.v1.StateTimeLimit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The fields of {@code QuotaShareService}. */
final class ShareFieldRules {
  private static final long TEN_YEARS_MILLIS = 3650L * 24 * 3_600_000;
  private static final String NOT_USED = "not used here";

  private ShareFieldRules() {}

  static Map<String, Rule> all() {
    Map<String, Rule> rules = new TreeMap<>();
    share(rules);
    queue(rules);
    requests(rules);
    policies(rules);
    return rules;
  }

  private static void share(Map<String, Rule> rules) {
    rules.put(
        "QuotaShare.name",
        Rule.of(
            Bad.missing(),
            Bad.value("lender"),
            Bad.value("queues/other/shares/lender"),
            Bad.value("queues/research/shares/Upper"),
            Bad.value("queues/research/shares/" + "x".repeat(64))));
    rules.put("QuotaShare.capacity", devicesByUnit());
    rules.put("QuotaShare.strategy", Rule.of(Bad.missing(), Bad.unknownEnum()));
    rules.put(
        "QuotaShare.borrow_limit_percent",
        range(-1, 1_000_000)
            .and(
                Bad.with("on LEND", (m, f) -> lends(m).setBorrowLimitPercent(10)).showing("LEND"),
                Bad.with("on RESERVE", (m, f) -> reserves(m).setBorrowLimitPercent(10))));
    rules.put(
        "QuotaShare.borrow_limit",
        devicesByUnit()
            .and(
                Bad.with(
                        "together with the percentage",
                        (m, f) -> of(m).setBorrowLimitPercent(1).putBorrowLimit("H100", 1))
                    .showing("borrow_limit_percent"),
                Bad.with("on LEND", (m, f) -> lends(m).putBorrowLimit("H100", 1))));
    rules.put(
        "QuotaShare.lend_limit_percent",
        range(0, 100).and(Bad.with("on RESERVE", (m, f) -> reserves(m).setLendLimitPercent(10))));
    rules.put(
        "QuotaShare.lend_limit",
        devicesByUnit()
            .and(
                Bad.with(
                        "together with the percentage",
                        (m, f) -> of(m).setLendLimitPercent(1).putLendLimit("H100", 1))
                    .showing("lend_limit_percent"),
                Bad.with("on RESERVE", (m, f) -> reserves(m).putLendLimit("H100", 1))));
    rules.put("QuotaShare.in_share_preemption", Rule.of(Bad.missing()));
    rules.put("QuotaShare.ordering", Rule.of(Bad.unknownEnum()));
    rules.put("QuotaShare.weight", range(1, 1_000_000));
    rules.put("QuotaShare.min_runtime", span(0, TEN_YEARS_MILLIS));
    rules.put("QuotaShare.state", Rule.of(Bad.unknownEnum()));
    rules.put("QuotaShare.etag", Rule.none(NOT_USED));
  }

  private static QuotaShare.Builder of(Message.Builder message) {
    return (QuotaShare.Builder) message;
  }

  private static QuotaShare.Builder lends(Message.Builder message) {
    return bare(message).setStrategy(SharingStrategy.SHARING_STRATEGY_LEND);
  }

  private static QuotaShare.Builder reserves(Message.Builder message) {
    return bare(message).setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE);
  }

  private static QuotaShare.Builder bare(Message.Builder message) {
    return of(message)
        .clearBorrowLimit()
        .clearBorrowLimitPercent()
        .clearLendLimit()
        .clearLendLimitPercent();
  }

  private static void queue(Map<String, Rule> rules) {
    rules.put(
        "Queue.name",
        Rule.of(
            Bad.missing(),
            Bad.value("research"),
            Bad.value("queues/Upper"),
            Bad.value("queues/-"),
            Bad.value("queues/" + "x".repeat(64))));
    rules.put("Queue.state", Rule.of(Bad.unknownEnum()));
    rules.put(
        "Queue.node_selector",
        Rule.of(
            Bad.entries(65, "v"),
            Bad.entry("", "v"),
            Bad.entry("k", "x".repeat(1025)),
            Bad.entry("k", "two\nlines")));
    rules.put("Queue.idle_assignment", Rule.of(Bad.unknownEnum()));
    rules.put("Queue.unassigned", Rule.of(Bad.unknownEnum()));
    rules.put("Queue.max_grace", span(0, 24 * 3_600_000L));
    rules.put("Queue.lost_work_cap", span(0, TEN_YEARS_MILLIS));
    rules.put("Queue.restart_cost", span(0, TEN_YEARS_MILLIS));
    rules.put(
        "Queue.state_time_limits",
        Rule.of(
            Bad.with(
                    "the same reason twice",
                    (m, f) -> {
                      StateTimeLimit first = (StateTimeLimit) m.getRepeatedField(f, 0);
                      m.setField(f, List.of(first, first));
                    })
                .at(path -> path + "[1].reason")));
    rules.put("Queue.etag", Rule.none(NOT_USED));
    rules.put("Queue.preemption_mode", Rule.of(Bad.unknownEnum()));
    rules.put(
        "StateTimeLimit.reason",
        Rule.of(Bad.missing(), Bad.value("NO_SUCH_REASON"), Bad.value("held")));
    rules.put("StateTimeLimit.max", span(1, TEN_YEARS_MILLIS).and(Bad.missing()));
  }

  private static void requests(Map<String, Rule> rules) {
    rules.put("GetQuotaShareRequest.name", shareName());

    rules.put("ListQuotaSharesRequest.parent", queueOrAll());
    rules.put("ListQuotaSharesRequest.page_size", pageSize());
    rules.put("ListQuotaSharesRequest.page_token", pageToken());

    rules.put("CreateQuotaShareRequest.parent", queueName());
    rules.put(
        "CreateQuotaShareRequest.share_id",
        newId()
            .and(
                Bad.missing(),
                Bad.value("lender").answered(Status.Code.ALREADY_EXISTS, "SHARE_EXISTS")));
    rules.put("CreateQuotaShareRequest.share", Rule.of(Bad.missing()));
    rules.put("CreateQuotaShareRequest.share.name", Rule.none(NOT_USED));
    rules.put("CreateQuotaShareRequest.validate_only", Rule.bool());
    rules.put("CreateQuotaShareRequest.request_id", requestId());

    rules.put("UpdateQuotaShareRequest.share", Rule.of(Bad.missing()));
    rules.put("UpdateQuotaShareRequest.share.name", shareName());
    rules.put("UpdateQuotaShareRequest.share.etag", etag());
    rules.put(
        "UpdateQuotaShareRequest.update_mask",
        Rule.of(
            Bad.missing(),
            mask("no_such_field"),
            mask("name"),
            mask("etag"),
            mask("capacity.x"),
            mask("")));
    rules.put("UpdateQuotaShareRequest.validate_only", Rule.bool());
    rules.put("UpdateQuotaShareRequest.drain_now", Rule.bool());
    rules.put("UpdateQuotaShareRequest.request_id", requestId());

    rules.put("DeleteQuotaShareRequest.name", shareName());
    rules.put("DeleteQuotaShareRequest.etag", etag());
    rules.put("DeleteQuotaShareRequest.validate_only", Rule.bool());
    rules.put("DeleteQuotaShareRequest.request_id", requestId());

    rules.put(
        "WatchQuotaSharesRequest.parent", queueOrAll().and(Bad.value("queues/nowhere").notFound()));
    rules.put(
        "WatchQuotaSharesRequest.revision",
        longFromZero()
            .and(Bad.value(Long.MAX_VALUE).answered(Status.Code.OUT_OF_RANGE, "REVISION_EXPIRED")));

    rules.put("ListLoansRequest.parent", queueName());
  }

  private static Bad mask(String path) {
    return Bad.with(
            "'" + path + "'",
            (m, f) -> m.setField(f, FieldMask.newBuilder().addPaths(path).build()))
        .showing(path);
  }

  private static void policies(Map<String, Rule> rules) {
    for (String request : List.of("ApplyPolicyRequest", "PlanPolicyRequest")) {
      rules.put(
          request + ".queues",
          Rule.of(
              Bad.missing(),
              Bad.elements(1001),
              Bad.with(
                      "the same queue twice",
                      (m, f) ->
                          m.setField(
                              f, List.of(m.getRepeatedField(f, 0), m.getRepeatedField(f, 0))))
                  .at(path -> path + "[1].queue.name")));
      rules.put(request + ".drain_now", Rule.bool());
      rules.put(request + ".prune", Rule.bool());
    }
    rules.put("ApplyPolicyRequest.validate_only", Rule.bool());
    rules.put("ApplyPolicyRequest.request_id", requestId());
    rules.put("PolicyQueue.queue", Rule.of(Bad.missing().at(path -> path + ".name")));
    rules.put(
        "PolicyQueue.shares",
        Rule.of(
            Bad.elements(10_001),
            Bad.with(
                    "the same share twice",
                    (m, f) ->
                        m.setField(f, List.of(m.getRepeatedField(f, 0), m.getRepeatedField(f, 0))))
                .at(path -> path + "[1].name")));
  }
}
