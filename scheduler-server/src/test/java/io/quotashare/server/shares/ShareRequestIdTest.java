package io.quotashare.server.shares;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import io.quotashare.proto.v1.AdminState;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.CreateQuotaShareRequest;
import io.quotashare.proto.v1.DeleteQuotaShareRequest;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.QuotaShareServiceGrpc.QuotaShareServiceFutureStub;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.proto.v1.UpdateQuotaShareRequest;
import io.quotashare.proto.v1.UpdateQuotaShareResponse;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeClock;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.store.AuditQuery;
import io.quotashare.server.store.AuditRecord;
import io.quotashare.server.store.StateStore;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every change of shares: a repeat is given the first answer, also by the next scheduler. */
class ShareRequestIdTest {
  private static final String ID = "0b7e8d3e-8b7c-4f0e-9a52-5a8b8a3c1d00";
  private static final String RETIRED = "queues/research/shares/retired";

  /**
   * A change.
   *
   * @param action what the audit log calls it
   * @param request with a request id
   * @param other another request of the same method with the same id
   */
  record Change<Q extends Message, A extends Message>(
      String action,
      Q request,
      Q other,
      BiFunction<QuotaShareServiceFutureStub, Q, ListenableFuture<A>> method) {
    A call(TestServer server) {
      return server.answer(method.apply(server.shares(), request));
    }

    @Override
    public String toString() {
      return action;
    }
  }

  static Stream<Change<?, ?>> changes() {
    CreateQuotaShareRequest create =
        CreateQuotaShareRequest.newBuilder()
            .setParent("queues/research")
            .setShareId("fresh")
            .setShare(
                QuotaShare.newBuilder()
                    .putCapacity("H100", 1)
                    .setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE)
                    .setInSharePreemption(false))
            .setRequestId(ID)
            .build();
    UpdateQuotaShareRequest update =
        UpdateQuotaShareRequest.newBuilder()
            .setShare(QuotaShare.newBuilder().setName("queues/research/shares/lender").setWeight(5))
            .setUpdateMask(FieldMask.newBuilder().addPaths("weight"))
            .setRequestId(ID)
            .build();
    DeleteQuotaShareRequest delete =
        DeleteQuotaShareRequest.newBuilder().setName(RETIRED).setRequestId(ID).build();
    ApplyPolicyRequest apply =
        Policies.lenderAndBorrower().toBuilder().setPrune(true).setRequestId(ID).build();
    return Stream.of(
        new Change<>(
            "CREATE_SHARE",
            create,
            create.toBuilder().setShareId("other").build(),
            QuotaShareServiceFutureStub::createQuotaShare),
        new Change<>(
            "UPDATE_SHARE",
            update,
            update.toBuilder().setDrainNow(true).build(),
            QuotaShareServiceFutureStub::updateQuotaShare),
        new Change<>(
            "DELETE_SHARE",
            delete,
            delete.toBuilder().setName("queues/research/shares/lender").build(),
            QuotaShareServiceFutureStub::deleteQuotaShare),
        new Change<>(
            "APPLY_POLICY",
            apply,
            apply.toBuilder().setDrainNow(true).build(),
            QuotaShareServiceFutureStub::applyPolicy));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  <Q extends Message, A extends Message> void repeatIsGivenTheFirstAnswer(
      Change<Q, A> change, @TempDir Path folder) {
    FakeClock clock = new FakeClock();
    A answer;
    try (TestServer first = TestServer.onSqlite(folder, clock, Failpoints.NONE)) {
      first.answer(first.shares().applyPolicy(withRetired()));
      answer = change.call(first);
      // What happens meanwhile must not show in a repeated answer.
      first.answer(
          first.shares().updateQuotaShare(disableLender().toBuilder().setDrainNow(true).build()));
      assertThat(change.call(first)).isEqualTo(answer);
    }
    try (TestServer second = TestServer.onSqlite(folder, clock, Failpoints.NONE)) {
      assertThat(change.call(second)).isEqualTo(answer);
      assertThat(
              ErrorInfos.reason(
                  second.error(change.method().apply(second.shares(), change.other()))))
          .isEqualTo("REQUEST_ID_REUSED");
      List<AuditRecord> entries =
          second.instance(StateStore.class).audit(AuditQuery.newest(100)).items();
      assertThat(entries)
          .filteredOn(entry -> entry.event().action().equals(change.action()))
          .filteredOn(entry -> entry.event().requestId().equals(ID))
          .hasSize(1);
      assertThat(second.readModel().current().share(Policies.key("lender")).orElseThrow())
          .satisfies(
              view ->
                  assertThat(view.share().state())
                      .isEqualTo(io.quotashare.core.model.AdminState.DISABLED));
    }
  }

  /** By now the share lends nothing, so the same change would be refused. */
  @Test
  void repeatThatWouldBeRefusedNowIsGivenTheFirstAnswer() {
    try (TestServer server = TestServer.create()) {
      server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
      UpdateQuotaShareRequest lendHalf =
          update(Policies.share("lender", 2).setLendLimitPercent(50), "lend_limit_percent");
      UpdateQuotaShareResponse first = server.answer(server.shares().updateQuotaShare(lendHalf));
      server.answer(
          server
              .shares()
              .updateQuotaShare(
                  update(
                          Policies.share("lender", 2)
                              .setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE),
                          "strategy",
                          "lend_limit_percent")
                      .toBuilder()
                      .clearRequestId()
                      .build()));

      assertThat(server.answer(server.shares().updateQuotaShare(lendHalf))).isEqualTo(first);
      UpdateQuotaShareRequest anew =
          lendHalf.toBuilder().setRequestId(ID.replace('0', '1')).build();
      assertThat(ErrorInfos.fields(server.error(server.shares().updateQuotaShare(anew))))
          .containsExactly("share.lend_limit_percent");
    }
  }

  private static UpdateQuotaShareRequest update(QuotaShare.Builder share, String... paths) {
    return UpdateQuotaShareRequest.newBuilder()
        .setShare(share)
        .setUpdateMask(FieldMask.newBuilder().addAllPaths(List.of(paths)))
        .setRequestId(ID)
        .build();
  }

  private static ApplyPolicyRequest withRetired() {
    ApplyPolicyRequest.Builder policy = Policies.lenderAndBorrower().toBuilder();
    policy
        .getQueuesBuilder(0)
        .addShares(
            Policies.share("retired", 0)
                .setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE)
                .setState(AdminState.ADMIN_STATE_DISABLED));
    return policy.build();
  }

  private static UpdateQuotaShareRequest disableLender() {
    return UpdateQuotaShareRequest.newBuilder()
        .setShare(
            QuotaShare.newBuilder()
                .setName("queues/research/shares/lender")
                .setState(AdminState.ADMIN_STATE_DISABLED))
        .setUpdateMask(FieldMask.newBuilder().addPaths("state"))
        .build();
  }
}
