package io.quotashare.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.FieldMask;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.quotashare.core.model.ShareKey;
import io.quotashare.proto.v1.AdminState;
import io.quotashare.proto.v1.CreateQuotaShareRequest;
import io.quotashare.proto.v1.DeleteQuotaShareRequest;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.proto.v1.UpdateQuotaShareRequest;
import io.quotashare.proto.v1.WatchQuotaSharesRequest;
import io.quotashare.proto.v1.WatchQuotaSharesResponse;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchSharesTest {
  private TestServer server;
  private FakeAgent agent;

  @BeforeEach
  void start() {
    server =
        TestServer.create(
            ServerConfig.builder()
                .set(ConfigKeys.KEPT_EVENTS, 40)
                .set(ConfigKeys.MAX_LAG_EVENTS, 20)
                .set(ConfigKeys.MAX_WATCHES, 5));
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new FakeAgent(server, "n1", 3).join();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void watchBeginsWithThePresentStateAndTellsWhoUsesWhat() {
    Reader reader = watch(0);
    assertThat(reader.told()).containsExactly("borrower", "lender", "bookmark");

    server.answer(server.jobs().submitJob(Policies.submit("a", "borrower", 3).build()));

    assertThat(reader.told().subList(3, 5)).containsExactlyInAnyOrder("borrower", "lender");
    assertThat(reader.newest("borrower").getShare().getUsage(0).getBorrowed()).isEqualTo(2);
    assertThat(reader.newest("lender").getShare().getUsage(0).getLent()).isEqualTo(2);
    assertThat(reader.newest("lender").hasTime()).isTrue();
    assertThat(reader.revisions()).isSorted();
  }

  @Test
  void jobsThatChangeNothingOfAShareAreNotTold() {
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 1).build()));
    Reader reader = watch(0);
    int before = reader.told().size();

    agent.run("queues/research/jobs/a/attempts/1");

    assertThat(reader.told()).hasSize(before);
  }

  @Test
  void newChangedAndRemovedSharesAreTold() {
    Reader reader = watch(0);

    create("fresh");
    setWeight("fresh", 3);
    setState("fresh", AdminState.ADMIN_STATE_DISABLED);
    delete("fresh");

    assertThat(reader.told().subList(3, 7)).containsExactly("fresh", "fresh", "fresh", "-fresh");
    assertThat(reader.received().get(4).getShare().getShare().getWeight()).isEqualTo(3);
  }

  @Test
  void shareThatIsBeingEmptiedIsShownSo() {
    server.answer(server.jobs().submitJob(Policies.submit("a", "borrower", 3).build()));
    agent.run("queues/research/jobs/a/attempts/1");
    setState("borrower", AdminState.ADMIN_STATE_DISABLED);
    Reader reader = watch(0);

    delete("borrower");
    assertThat(reader.newest("borrower").getShare().getRemoving()).isTrue();
    agent.stopped("queues/research/jobs/a/attempts/1");

    assertThat(reader.told()).contains("-borrower");
  }

  @Test
  void slowReaderIsToldTheNewestStateOnly() {
    Reader slow = new Reader(request(0), 3);
    for (int weight = 2; weight <= 16; weight++) {
      setWeight("lender", weight);
    }
    setWeight("borrower", 99);
    assertThat(slow.told()).containsExactly("borrower", "lender", "bookmark");

    slow.request(100);

    assertThat(slow.told().subList(3, 5)).containsExactly("lender", "borrower");
    assertThat(slow.newest("lender").getShare().getShare().getWeight()).isEqualTo(16);
    assertThat(slow.revisions()).isSorted();
  }

  @Test
  void readerThatIsTooSlowIsCutAndResumesWithTheNewestState() {
    Reader slow = new Reader(request(0), 4);
    for (int weight = 2; weight <= 30; weight++) {
      setWeight("lender", weight);
    }
    slow.request(100);

    assertThat(slow.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(ErrorInfos.reason(slow.error())).isEqualTo("WATCH_TOO_SLOW");
    long resume = Long.parseLong(ErrorInfos.info(slow.error()).getMetadataOrThrow("revision"));
    Reader again = watch(resume);
    assertThat(again.told()).containsExactly("bookmark", "lender");
    assertThat(again.newest("lender").getShare().getShare().getWeight()).isEqualTo(30);
  }

  @Test
  void brokenWatchResumesWithWhatChangedSince() {
    Reader first = watch(0);
    setWeight("lender", 2);
    long revision = first.revisions().get(first.revisions().size() - 1);
    first.cancel();
    setWeight("borrower", 3);
    create("fresh");
    setState("fresh", AdminState.ADMIN_STATE_DISABLED);
    delete("fresh");

    Reader second = watch(revision);

    assertThat(second.told()).containsExactly("bookmark", "borrower", "-fresh");
  }

  @Test
  void revisionOfAnEarlierLeaderIsOutOfRangeUnlessNothingHappenedSince() {
    Reader reader = watch(0);
    setWeight("lender", 2);
    long old = reader.revisions().get(2);
    long end = reader.revisions().get(reader.revisions().size() - 1);
    reader.cancel();

    server = server.restart();

    assertThat(watch(old).code()).isEqualTo(Status.Code.OUT_OF_RANGE);
    Reader upToDate = watch(end);
    setWeight("lender", 3);
    assertThat(upToDate.told()).containsExactly("bookmark", "lender");
  }

  @Test
  void quietWatchIsToldTheRevision() {
    Reader reader = watch(0);
    server.watches().tick(server.clock().monotonicNanos());
    server.clock().advance(30_000);

    server.watches().tick(server.clock().monotonicNanos());

    assertThat(reader.told()).endsWith("bookmark", "bookmark");
  }

  @Test
  void watchesOfJobsAndSharesShareTheirBound() {
    for (int i = 0; i < 5; i++) {
      watch(0);
    }

    assertThat(ErrorInfos.reason(watch(0).error())).isEqualTo("TOO_MANY_WATCHES");
  }

  @Test
  void logIsAsLargeAsThereAreSharesAndForgetsOldRemovals() {
    ShareLog log = new ShareLog(2, 0);
    for (int batch = 1; batch <= 100; batch++) {
      log.append(batch, List.of(changed("s" + batch % 3, false)));
    }
    assertThat(log.size()).isEqualTo(3);
    assertThat(log.keepsAfter(WatchRevisions.endOf(0))).isTrue();

    for (int batch = 101; batch <= 103; batch++) {
      log.append(batch, List.of(changed("s" + batch % 3, true)));
    }

    assertThat(log.size()).isEqualTo(2);
    assertThat(log.keepsAfter(WatchRevisions.endOf(100))).isFalse();
    assertThat(log.keepsAfter(WatchRevisions.endOf(101))).isTrue();
    assertThat(log.keeps(100)).isFalse();
    assertThat(log.from(log.placeAfter(WatchRevisions.endOf(102))).key())
        .isEqualTo(new ShareKey("q", "s1"));
  }

  private static ShareLog.Changed changed(String share, boolean removed) {
    ShareKey key = new ShareKey("q", share);
    return new ShareLog.Changed(
        key, removed, revision -> WatchQuotaSharesResponse.getDefaultInstance());
  }

  private void create(String id) {
    server.answer(
        server
            .shares()
            .createQuotaShare(
                CreateQuotaShareRequest.newBuilder()
                    .setParent("queues/research")
                    .setShareId(id)
                    .setShare(
                        QuotaShare.newBuilder()
                            .setStrategy(SharingStrategy.SHARING_STRATEGY_RESERVE)
                            .setInSharePreemption(false))
                    .build()));
  }

  private void setWeight(String id, int weight) {
    update(share(id).setWeight(weight), "weight");
  }

  private void setState(String id, AdminState state) {
    update(share(id).setState(state), "state");
  }

  private void update(QuotaShare.Builder share, String path) {
    server.answer(
        server
            .shares()
            .updateQuotaShare(
                UpdateQuotaShareRequest.newBuilder()
                    .setShare(share)
                    .setUpdateMask(FieldMask.newBuilder().addPaths(path))
                    .build()));
  }

  private void delete(String id) {
    server.answer(
        server
            .shares()
            .deleteQuotaShare(
                DeleteQuotaShareRequest.newBuilder().setName(share(id).getName()).build()));
  }

  private static QuotaShare.Builder share(String id) {
    return QuotaShare.newBuilder().setName("queues/research/shares/" + id);
  }

  private static WatchQuotaSharesRequest request(long revision) {
    return WatchQuotaSharesRequest.newBuilder()
        .setParent("queues/research")
        .setRevision(revision)
        .build();
  }

  private Reader watch(long revision) {
    return new Reader(request(revision), Integer.MAX_VALUE);
  }

  /** Reads a watch, as many messages as it asked for. */
  private final class Reader
      implements ClientResponseObserver<WatchQuotaSharesRequest, WatchQuotaSharesResponse> {
    private final List<WatchQuotaSharesResponse> received = new ArrayList<>();
    private final int initial;
    private ClientCallStreamObserver<WatchQuotaSharesRequest> call;
    private Throwable failure;

    Reader(WatchQuotaSharesRequest request, int initial) {
      this.initial = initial;
      QuotaShareServiceGrpc.newStub(server.channel()).watchQuotaShares(request, this);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchQuotaSharesRequest> stream) {
      call = stream;
      if (initial < Integer.MAX_VALUE) {
        stream.disableAutoRequestWithInitial(initial);
      }
    }

    @Override
    public void onNext(WatchQuotaSharesResponse response) {
      received.add(response);
    }

    @Override
    public void onError(Throwable cause) {
      failure = cause;
    }

    @Override
    public void onCompleted() {}

    void request(int more) {
      call.request(more);
    }

    void cancel() {
      call.cancel("enough", null);
    }

    List<WatchQuotaSharesResponse> received() {
      return received;
    }

    /** Ids of shares in the order in which they were told; removed ones after a minus. */
    List<String> told() {
      return received.stream()
          .map(
              r ->
                  switch (r.getEventCase()) {
                    case SHARE -> id(r.getShare().getShare().getName());
                    case REMOVED -> "-" + id(r.getRemoved());
                    case EVENT_NOT_SET -> "bookmark";
                  })
          .toList();
    }

    private String id(String name) {
      return name.substring(name.lastIndexOf('/') + 1);
    }

    WatchQuotaSharesResponse newest(String id) {
      return received.stream()
          .filter(r -> r.hasShare() && id(r.getShare().getShare().getName()).equals(id))
          .reduce((a, b) -> b)
          .orElseThrow();
    }

    List<Long> revisions() {
      return received.stream().map(WatchQuotaSharesResponse::getRevision).toList();
    }

    StatusRuntimeException error() {
      return (StatusRuntimeException) failure;
    }

    Status.Code code() {
      return error().getStatus().getCode();
    }
  }
}
