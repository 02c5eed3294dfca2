package io.quotashare.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.quotashare.proto.v1.JobEventType;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchJobsResponse;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.ManyJobs;
import io.quotashare.server.TestServer;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ServerConfig;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Watches that begin with many jobs, and readers that take them piece by piece. */
class WatchSizeTest {
  private static final int MANY = 100_000;

  /** Messages that the transport takes before it says that it has no room. */
  private static final int ROOM = 32;

  private TestServer server;

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void presentStateOfAHundredThousandJobsIsSentAsTheReaderTakesIt() {
    server = ManyJobs.start(ServerConfig.builder(), MANY, 10_000);
    Reader reader = watch();
    assertThat(reader.waiting).isEqualTo(ROOM);

    while (reader.bookmark == 0) {
      reader.take();
      assertThat(reader.waiting).isLessThanOrEqualTo(ROOM);
    }

    assertThat(reader.jobs).hasSize(MANY);
    assertThat(reader.snapshots).isEqualTo(MANY);
    assertThat(reader.revisionsInSnapshot).containsExactly(0L);
    reader.stop();
    assertThat(server.watches().size()).isZero();
  }

  @Test
  void whatHappensMeanwhileFollowsThePresentState() {
    server = ManyJobs.start(limits(400, 20), 1_000, 2);
    Reader reader = watch();

    raisePriorities(300);
    assertThat(reader.failure).as("further behind than a reader of events may be").isNull();
    while (reader.bookmark == 0) {
      reader.take();
    }
    long resume = reader.bookmark;
    while (reader.waiting > 0) {
      reader.take();
    }

    assertThat(reader.snapshots).isEqualTo(1_000);
    assertThat(reader.priorities).isEqualTo(300);
    Reader resumed = watch(WatchJobsRequest.newBuilder().setRevision(resume));
    while (resumed.waiting > 0) {
      resumed.take();
    }
    assertThat(resumed.priorities).as("the bookmark ends the present state").isEqualTo(300);
    assertThat(resumed.snapshots).isZero();
  }

  @Test
  void readerThatTakesNothingIsCutWhenItsEventsAreNoLongerKept() {
    server = ManyJobs.start(limits(400, 20), 1_000, 2);
    Reader reader = watch();

    raisePriorities(500);

    assertThat(server.watches().size()).isZero();
    assertThat(reader.failure.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(ErrorInfos.reason(reader.failure)).isEqualTo("WATCH_TOO_SLOW");
    assertThat(ErrorInfos.info(reader.failure).getMetadataMap())
        .as("there is no revision to resume from within the present state")
        .doesNotContainKey("revision");
    assertThat(reader.waiting).isLessThanOrEqualTo(ROOM);
  }

  @Test
  void readerThatHasThePresentStateMayBeLessFarBehind() {
    server = ManyJobs.start(limits(400, 20), 1_000, 2);
    Reader reader = watch();
    while (reader.bookmark == 0) {
      reader.take();
    }
    reader.take();

    // The room of the transport, and what it may be behind beyond that.
    raisePriorities(ROOM + 21);

    assertThat(ErrorInfos.reason(reader.failure)).isEqualTo("WATCH_TOO_SLOW");
    long resume = Long.parseLong(ErrorInfos.info(reader.failure).getMetadataOrThrow("revision"));
    Reader resumed = watch(WatchJobsRequest.newBuilder().setRevision(resume));
    while (resumed.waiting > 0) {
      resumed.take();
    }
    assertThat(reader.sentPriorities + resumed.priorities).isEqualTo(ROOM + 21);
  }

  private static ServerConfig.Builder limits(int kept, int lag) {
    return ServerConfig.builder()
        .set(ConfigKeys.KEPT_EVENTS, kept)
        .set(ConfigKeys.MAX_LAG_EVENTS, lag);
  }

  private void raisePriorities(int times) {
    for (int i = 1; i <= times; i++) {
      server.answer(
          server
              .jobs()
              .updateJobPriority(
                  UpdateJobPriorityRequest.newBuilder()
                      .setName(ManyJobs.name(998))
                      .setPriority(i)
                      .build()));
    }
  }

  private Reader watch() {
    return watch(WatchJobsRequest.newBuilder());
  }

  private Reader watch(WatchJobsRequest.Builder request) {
    Reader reader = new Reader();
    server.watches().watch(request.setParent("queues/research").build(), reader);
    return reader;
  }

  /** The server's end of a call whose transport has room for some messages. */
  private static final class Reader extends ServerCallStreamObserver<WatchJobsResponse> {
    private int waiting;
    private final Set<String> jobs = new HashSet<>();
    private final Set<Long> revisionsInSnapshot = new HashSet<>();
    private int snapshots;
    private int sentPriorities;
    private int priorities;
    private long bookmark;
    private @Nullable StatusRuntimeException failure;
    private Runnable onReady = () -> {};
    private Runnable onCancel = () -> {};

    /** The reader takes what waits for it. */
    void take() {
      priorities = sentPriorities;
      waiting = 0;
      onReady.run();
    }

    void stop() {
      onCancel.run();
    }

    @Override
    public boolean isReady() {
      return waiting < ROOM;
    }

    @Override
    public void onNext(WatchJobsResponse response) {
      waiting++;
      if (!response.hasEvent()) {
        bookmark = response.getRevision();
      } else if (response.getEvent().getType() == JobEventType.JOB_EVENT_TYPE_SNAPSHOT) {
        snapshots++;
        jobs.add(response.getEvent().getJob().getName());
        revisionsInSnapshot.add(response.getRevision());
      } else if (response.getEvent().getType() == JobEventType.JOB_EVENT_TYPE_PRIORITY) {
        sentPriorities++;
      }
    }

    @Override
    public void onError(Throwable cause) {
      failure = (StatusRuntimeException) cause;
    }

    @Override
    public void onCompleted() {}

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {
      onCancel = handler;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {
      onReady = handler;
    }

    @Override
    public void setCompression(String compression) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void request(int count) {}

    @Override
    public void setMessageCompression(boolean enable) {}
  }
}
