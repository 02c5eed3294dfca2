package io.quotashare.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.quotashare.proto.v1.JobEventType;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchJobsResponse;
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

class WatchHubTest {
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
  void watchBeginsWithThePresentStateAndGoesOnWithoutAGap() {
    submit("a");
    Reader reader = watch(all());

    submit("b");
    run("a");

    assertThat(reader.told())
        .startsWith("SNAPSHOT a", "bookmark", "SUBMITTED b")
        .contains("RUNNING a");
    assertThat(reader.revisions()).isSorted();
  }

  @Test
  void newestAttemptIsInTheEvents() {
    Reader reader = watch(all());
    submit("a");

    assertThat(reader.events("STARTED"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getEvent().getJob().getLatestAttempt().getName())
                  .isEqualTo("queues/research/jobs/a/attempts/1");
              assertThat(event.getEvent().getOwnDevices()).isEqualTo(1);
            });
  }

  @Test
  void brokenWatchResumesWhereItBroke() {
    Reader first = watch(all());
    submit("a");
    long revision = first.revisions().get(first.revisions().size() - 1);
    first.cancel();
    submit("b");

    Reader second = watch(all().setRevision(revision));

    assertThat(second.told()).startsWith("bookmark", "SUBMITTED b").doesNotContain("SUBMITTED a");
    assertThat(first.told()).doesNotContain("SUBMITTED b");
  }

  @Test
  void everyRevisionResumesWithTheEventsAfterIt() {
    Reader whole = watch(all());
    submit("a");
    run("a");
    List<WatchJobsResponse> seen = List.copyOf(whole.received());

    for (int i = 0; i < seen.size(); i++) {
      Reader resumed = watch(all().setRevision(seen.get(i).getRevision()));
      List<WatchJobsResponse> rest =
          seen.subList(i + 1, seen.size()).stream().filter(WatchJobsResponse::hasEvent).toList();
      assertThat(resumed.received().stream().filter(WatchJobsResponse::hasEvent))
          .containsExactlyElementsOf(rest);
      resumed.cancel();
    }
  }

  @Test
  void forgottenRevisionIsOutOfRange() {
    Reader first = watch(all());
    submit("a");
    long old = first.revisions().get(0);
    raisePriorities("a", 45);

    Reader late = watch(all().setRevision(old));

    assertThat(late.code()).isEqualTo(Status.Code.OUT_OF_RANGE);
    assertThat(late.reason()).isEqualTo("REVISION_EXPIRED");
  }

  @Test
  void revisionOfAnEarlierLeaderIsOutOfRangeUnlessNothingHappenedSince() {
    Reader reader = watch(all());
    submit("a");
    long beforeTheEnd = reader.revisions().get(0);
    long end = reader.revisions().get(reader.revisions().size() - 1);
    reader.cancel();

    server = server.restart();
    Reader old = watch(all().setRevision(beforeTheEnd));
    Reader upToDate = watch(all().setRevision(end));
    agent.on(server).join();
    submit("b");

    assertThat(old.code()).isEqualTo(Status.Code.OUT_OF_RANGE);
    assertThat(upToDate.told()).contains("SUBMITTED b").doesNotContain("SUBMITTED a");
    assertThat(upToDate.revisions()).allMatch(revision -> revision >= end);
  }

  @Test
  void revisionOfTheFutureIsOutOfRange() {
    assertThat(watch(all().setRevision(Long.MAX_VALUE)).code()).isEqualTo(Status.Code.OUT_OF_RANGE);
  }

  @Test
  void slowReaderIsCutAndResumes() {
    submit("a");
    Reader slow = watchWithout(all(), 3);
    assertThat(slow.told()).startsWith("SNAPSHOT a", "bookmark");

    raisePriorities("a", 30);

    assertThat(server.watches().size()).isZero();
    slow.request(100);
    assertThat(slow.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(slow.reason()).isEqualTo("WATCH_TOO_SLOW");
    long resume = Long.parseLong(ErrorInfos.info(slow.error()).getMetadataOrThrow("revision"));
    Reader again = watch(all().setRevision(resume));
    int told = slow.events("PRIORITY").size() + again.events("PRIORITY").size();
    assertThat(told).isEqualTo(30);
  }

  @Test
  void skippedSnapshotLeavesOnlyWhatHappens() {
    submit("a");
    Reader reader = watch(all().setSkipSnapshot(true));
    submit("b");

    assertThat(reader.told()).startsWith("bookmark", "SUBMITTED b").doesNotContain("SNAPSHOT a");
  }

  @Test
  void watchOfOneJobHearsOfNoOther() {
    Reader reader = watch(all().setJobId("b"));
    submit("a");
    submit("b");

    assertThat(reader.told()).contains("SUBMITTED b").noneMatch(told -> told.endsWith(" a"));
  }

  @Test
  void quietWatchIsToldTheRevision() {
    Reader reader = watch(all().setJobId("nobody"));
    submit("a");
    long before = reader.revisions().get(0);
    server.watches().tick(server.clock().monotonicNanos());
    server.clock().advance(29_000);
    server.watches().tick(server.clock().monotonicNanos());
    assertThat(reader.told()).containsExactly("bookmark");

    server.clock().advance(1_000);
    server.watches().tick(server.clock().monotonicNanos());

    assertThat(reader.told()).containsExactly("bookmark", "bookmark");
    assertThat(reader.revisions().get(1)).isGreaterThan(before);
  }

  @Test
  void numberOfWatchesHasABound() {
    for (int i = 0; i < 5; i++) {
      watch(all());
    }

    assertThat(watch(all()).reason()).isEqualTo("TOO_MANY_WATCHES");
  }

  @Test
  void cancelledWatchIsForgotten() {
    Reader reader = watch(all());
    assertThat(server.watches().size()).isEqualTo(1);

    reader.cancel();

    assertThat(server.watches().size()).isZero();
  }

  @Test
  void badRequestsNameTheField() {
    assertThat(ErrorInfos.fields(watch(all().setParent("x")).error())).containsExactly("parent");
    assertThat(ErrorInfos.fields(watch(all().setRevision(-1)).error())).containsExactly("revision");
    assertThat(ErrorInfos.fields(watch(all().setJobId("A")).error())).containsExactly("job_id");
    assertThat(watch(all().setParent("queues/none")).code()).isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void closedHubSaysToComeBack() {
    Reader reader = watch(all());

    server.watches().close();

    assertThat(reader.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(watch(all()).code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  private void submit(String id) {
    server.answer(server.jobs().submitJob(Policies.submit(id, "lender", 1).build()));
  }

  private void run(String id) {
    agent.run("queues/research/jobs/" + id + "/attempts/1");
  }

  private void raisePriorities(String id, int times) {
    for (int i = 1; i <= times; i++) {
      server.answer(
          server
              .jobs()
              .updateJobPriority(
                  UpdateJobPriorityRequest.newBuilder()
                      .setName("queues/research/jobs/" + id)
                      .setPriority(i)
                      .build()));
    }
  }

  private static WatchJobsRequest.Builder all() {
    return WatchJobsRequest.newBuilder().setParent("queues/research");
  }

  private Reader watch(WatchJobsRequest.Builder request) {
    return new Reader(request.build(), Integer.MAX_VALUE);
  }

  private Reader watchWithout(WatchJobsRequest.Builder request, int initial) {
    return new Reader(request.build(), initial);
  }

  /** Reads a watch, as many messages as it asked for. */
  private final class Reader
      implements ClientResponseObserver<WatchJobsRequest, WatchJobsResponse> {
    private final List<WatchJobsResponse> received = new ArrayList<>();
    private final int initial;
    private ClientCallStreamObserver<WatchJobsRequest> call;
    private Throwable failure;

    Reader(WatchJobsRequest request, int initial) {
      this.initial = initial;
      JobServiceGrpc.newStub(server.channel()).watchJobs(request, this);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchJobsRequest> stream) {
      call = stream;
      if (initial < Integer.MAX_VALUE) {
        stream.disableAutoRequestWithInitial(initial);
      }
    }

    @Override
    public void onNext(WatchJobsResponse response) {
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

    List<WatchJobsResponse> received() {
      return received;
    }

    List<WatchJobsResponse> events(String type) {
      return received.stream()
          .filter(WatchJobsResponse::hasEvent)
          .filter(r -> r.getEvent().getType() == JobEventType.valueOf("JOB_EVENT_TYPE_" + type))
          .toList();
    }

    List<String> told() {
      return received.stream()
          .map(
              r ->
                  r.hasEvent()
                      ? r.getEvent().getType().name().substring("JOB_EVENT_TYPE_".length())
                          + " "
                          + r.getEvent().getJob().getName().substring(21)
                      : "bookmark")
          .toList();
    }

    List<Long> revisions() {
      return received.stream().map(WatchJobsResponse::getRevision).toList();
    }

    StatusRuntimeException error() {
      return (StatusRuntimeException) failure;
    }

    Status.Code code() {
      return error().getStatus().getCode();
    }

    String reason() {
      return ErrorInfos.reason(error());
    }
  }
}
