package io.quotashare.server.shares;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.IdleAssignment;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.proto.v1.StateTimeLimit;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.AuditQuery;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ApplyPolicyTest {
  private static final String S0 = "queues[0].shares[0].";
  private static final String Q0 = "queues[0].queue.";

  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.create();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void policyIsMadeThenUnchangedThenChanged() {
    ApplyPolicyRequest policy = Policies.lenderAndBorrower();

    assertThat(apply(policy).getCreatedList())
        .containsExactlyInAnyOrder(
            "queues/research", "queues/research/shares/lender", "queues/research/shares/borrower");
    assertThat(apply(policy).getUnchangedCount()).isEqualTo(3);

    ApplyPolicyRequest.Builder changed = policy.toBuilder();
    changed.getQueuesBuilder(0).getSharesBuilder(0).putCapacity("H100", 1);
    changed.getQueuesBuilder(0).removeShares(1);
    ApplyPolicyResponse third = apply(changed.build());

    assertThat(third.getUpdatedList()).containsExactly("queues/research/shares/lender");
    assertThat(third.getUnmanagedList()).containsExactly("queues/research/shares/borrower");
    assertThat(server.store().audit(AuditQuery.newest(1)).items().get(0).event())
        .satisfies(
            event -> {
              assertThat(event.action()).isEqualTo("APPLY_POLICY");
              assertThat(event.after()).contains("updated: queues/research/shares/lender");
            });
  }

  @Test
  void dryRunSaysWhatItWouldDoAndDoesNothing() {
    ApplyPolicyResponse preview =
        apply(Policies.lenderAndBorrower().toBuilder().setValidateOnly(true).build());

    assertThat(preview.getCreatedCount()).isEqualTo(3);
    assertThat(server.readModel().current().queues()).isEmpty();
  }

  @Test
  void moreGuaranteedThanExistsIsAWarning() {
    apply(Policies.lenderAndBorrower());
    new FakeAgent(server, "n1", 1).join();

    ApplyPolicyResponse again = apply(Policies.lenderAndBorrower());

    assertThat(again.getWarningsList()).isNotEmpty();
  }

  @Test
  void allStrategiesOrderingsAndLimitsAreAccepted() {
    ApplyPolicyRequest.Builder policy = Policies.lenderAndBorrower().toBuilder();
    policy
        .getQueuesBuilder(0)
        .getQueueBuilder()
        .setIdleAssignment(IdleAssignment.IDLE_ASSIGNMENT_FAIR)
        .setMaxGrace(seconds(30))
        .addStateTimeLimits(
            StateTimeLimit.newBuilder().setReason("NO_NODE_FITS").setMax(seconds(600)));
    policy
        .getQueuesBuilder(0)
        .getSharesBuilder(1)
        .setBorrowLimitPercent(50)
        .putLendLimit("H100", 1)
        .setMinRuntime(seconds(5))
        .setWeight(3);

    apply(policy.build());

    QuotaShare read =
        ShareConverter.share(
            server.readModel().current().queues().get("research").shares().stream()
                .map(view -> view.share())
                .filter(share -> share.key().share().equals("borrower"))
                .findFirst()
                .orElseThrow());
    assertThat(read.getBorrowLimitPercent()).isEqualTo(50);
    assertThat(read.getLendLimitMap()).containsEntry("H100", 1);
    assertThat(read.hasLendLimitPercent()).isFalse();
    assertThat(read.getWeight()).isEqualTo(3);
    assertThat(read.getMinRuntime()).isEqualTo(seconds(5));
  }

  @ParameterizedTest(name = "{0} #{index}")
  @MethodSource("badPolicies")
  void badPolicyNamesTheFieldAndChangesNothing(
      String field, Consumer<ApplyPolicyRequest.Builder> change) {
    ApplyPolicyRequest.Builder policy = Policies.lenderAndBorrower().toBuilder();
    change.accept(policy);

    StatusRuntimeException error = server.error(server.shares().applyPolicy(policy.build()));

    assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(ErrorInfos.fields(error)).contains(field);
    assertThat(error.getStatus().getDescription()).contains("expected");
    assertThat(server.readModel().current().queues()).isEmpty();
  }

  static Stream<Arguments> badPolicies() {
    return Stream.concat(badQueues(), badShares());
  }

  private static Stream<Arguments> badQueues() {
    return Stream.of(
        bad("queues", p -> p.clearQueues()),
        bad("queues[1].queue.name", p -> p.addQueues(p.getQueues(0))),
        queue("name", q -> q.clearName()),
        queue("name", q -> q.setName("research")),
        queue("name", q -> q.setName("queues/Research")),
        queue("state", q -> q.setStateValue(9)),
        queue("idle_assignment", q -> q.setIdleAssignmentValue(9)),
        queue("unassigned", q -> q.setUnassignedValue(9)),
        queue("max_grace", q -> q.setMaxGrace(seconds(-1))),
        queue("max_grace", q -> q.setMaxGrace(seconds(86_401))),
        queue("lost_work_cap", q -> q.setLostWorkCap(seconds(-1))),
        queue("restart_cost", q -> q.setRestartCost(Duration.newBuilder().setNanos(5))),
        queue("node_selector[empty]", q -> q.putNodeSelector("", "x")),
        queue(
            "state_time_limits[0].reason",
            q ->
                q.addStateTimeLimits(
                    StateTimeLimit.newBuilder().setReason("LAZY").setMax(seconds(1)))),
        queue(
            "state_time_limits[0].max",
            q -> q.addStateTimeLimits(StateTimeLimit.newBuilder().setReason("HELD"))),
        queue(
            "state_time_limits[1].reason",
            q ->
                q.addStateTimeLimits(
                        StateTimeLimit.newBuilder().setReason("HELD").setMax(seconds(1)))
                    .addStateTimeLimits(
                        StateTimeLimit.newBuilder().setReason("HELD").setMax(seconds(1)))));
  }

  private static Stream<Arguments> badShares() {
    return Stream.of(
        share("name", s -> s.setName("queues/other/shares/lender")),
        share("name", s -> s.setName("queues/research/shares/A B")),
        bad(
            "queues[0].shares[1].name",
            p ->
                p.getQueuesBuilder(0).getSharesBuilder(1).setName("queues/research/shares/lender")),
        share("strategy", s -> s.clearStrategy()),
        share("strategy", s -> s.setStrategyValue(17)),
        share("in_share_preemption", s -> s.clearInSharePreemption()),
        share("capacity[H100]", s -> s.putCapacity("H100", -1)),
        share("capacity[H100]", s -> s.putCapacity("H100", 10_000_001)),
        share("capacity[H 100]", s -> s.putCapacity("H 100", 1)),
        share("borrow_limit_percent", s -> s.setBorrowLimitPercent(10)),
        share("borrow_limit", s -> s.putBorrowLimit("H100", 1)),
        share("borrow_limit_percent", s -> lendAndBorrow(s).setBorrowLimitPercent(-2)),
        share(
            "borrow_limit",
            s -> lendAndBorrow(s).setBorrowLimitPercent(10).putBorrowLimit("H100", 1)),
        share("borrow_limit[H100]", s -> lendAndBorrow(s).putBorrowLimit("H100", -1)),
        share(
            "lend_limit_percent",
            s -> s.setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE).setLendLimitPercent(10)),
        share("lend_limit_percent", s -> s.setLendLimitPercent(101)),
        share("lend_limit_percent", s -> s.setLendLimitPercent(-1)),
        share("lend_limit", s -> s.setLendLimitPercent(5).putLendLimit("H100", 1)),
        share("ordering", s -> s.setOrderingValue(9)),
        share("weight", s -> s.setWeight(0)),
        share("min_runtime", s -> s.setMinRuntime(seconds(-1))),
        share("state", s -> s.setStateValue(9)));
  }

  private static QuotaShare.Builder lendAndBorrow(QuotaShare.Builder share) {
    return share.setStrategy(SharingStrategy.SHARING_STRATEGY_LEND_AND_BORROW);
  }

  private static Arguments bad(String field, Consumer<ApplyPolicyRequest.Builder> change) {
    return Arguments.of(field, change);
  }

  private static Arguments queue(String field, Consumer<Queue.Builder> change) {
    return bad(Q0 + field, p -> change.accept(p.getQueuesBuilder(0).getQueueBuilder()));
  }

  private static Arguments share(String field, Consumer<QuotaShare.Builder> change) {
    return bad(S0 + field, p -> change.accept(p.getQueuesBuilder(0).getSharesBuilder(0)));
  }

  private static Duration seconds(long seconds) {
    return Duration.newBuilder().setSeconds(seconds).build();
  }

  private ApplyPolicyResponse apply(ApplyPolicyRequest policy) {
    return server.answer(server.shares().applyPolicy(policy));
  }
}
