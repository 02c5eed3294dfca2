package io.quotashare.server.logs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.quotashare.proto.agent.v1.AgentServiceGrpc;
import io.quotashare.proto.agent.v1.Command;
import io.quotashare.proto.agent.v1.FetchLogs;
import io.quotashare.proto.agent.v1.PushLogsRequest;
import io.quotashare.proto.agent.v1.PushLogsResponse;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.StreamJobLogsRequest;
import io.quotashare.proto.v1.StreamJobLogsResponse;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.config.ConfigKeys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogRelayTest {
  private static final String A = "queues/research/jobs/a";

  private TestServer server;
  private FakeAgent agent;

  @BeforeEach
  void start() {
    server = TestServer.with(ConfigKeys.MAX_LOG_STREAMS, 2);
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new FakeAgent(server, "n1", 3).join();
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 1).build()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void outputGoesFromTheAgentToTheReader() {
    agent.run(A + "/attempts/1");
    Reader reader = read(request().setOffset(5).setFollow(true));
    FetchLogs fetch = fetched();
    assertThat(fetch.getAttempt()).isEqualTo(A + "/attempts/1");
    assertThat(fetch.getOffset()).isEqualTo(5);
    assertThat(fetch.getFollow()).isTrue();

    Pusher pusher = new Pusher();
    pusher.push(fetch.getRequestId(), 5, "hello ");
    pusher.push("", 11, "world");
    pusher.call.onCompleted();

    assertThat(reader.text()).isEqualTo("hello world");
    assertThat(reader.received.get(1).getOffset()).isEqualTo(11);
    assertThat(reader.received.get(1).getAttempt()).isEqualTo(1);
    assertThat(reader.completed).isTrue();
    assertThat(pusher.completed).isTrue();
    assertThat(server.logs().size()).isZero();
  }

  @Test
  void agentSendsNoFasterThanTheReaderReads() {
    agent.run(A + "/attempts/1");
    Reader reader = new Reader(request().build(), 1);
    Pusher pusher = new Pusher();
    String id = fetched().getRequestId();
    pusher.push(id, 0, "a");
    assertThat(reader.text()).isEqualTo("a");

    // The one that the transport carries beyond what was asked for, and then no more.
    pusher.push("", 1, "b");
    pusher.push("", 2, "c");
    assertThat(pusher.call.isReady()).isFalse();
    assertThat(reader.text()).isEqualTo("a");

    reader.call.request(10);
    assertThat(reader.text()).isEqualTo("abc");
    assertThat(pusher.call.isReady()).isTrue();
  }

  @Test
  void readerThatGoesEndsTheAgentsStream() {
    agent.run(A + "/attempts/1");
    Reader reader = read(request());
    Pusher pusher = new Pusher();
    pusher.push(fetched().getRequestId(), 0, "a");

    reader.call.cancel("enough", null);

    assertThat(code(pusher.failure)).isEqualTo(Status.Code.CANCELLED);
    assertThat(server.logs().size()).isZero();
  }

  @Test
  void agentThatBreaksOffIsToldToTheReader() {
    agent.run(A + "/attempts/1");
    Reader reader = read(request());
    Pusher pusher = new Pusher();
    pusher.push(fetched().getRequestId(), 0, "a");

    pusher.call.cancel("broken", null);

    assertThat(code(reader.failure)).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(ErrorInfos.reason((StatusRuntimeException) reader.failure)).isEqualTo("AGENT_GONE");
  }

  @Test
  void agentWithoutOutputSaysSo() {
    agent.run(A + "/attempts/1");
    Reader reader = read(request());
    Pusher pusher = new Pusher();

    pusher.call.onNext(
        PushLogsRequest.newBuilder()
            .setRequestId(fetched().getRequestId())
            .setError("the file was deleted")
            .build());

    assertThat(ErrorInfos.reason((StatusRuntimeException) reader.failure)).isEqualTo("NO_OUTPUT");
    assertThat(reader.failure).hasMessageContaining("the file was deleted");
  }

  @Test
  void silentAgentIsNotWaitedForForEver() {
    agent.run(A + "/attempts/1");
    Reader reader = read(request());
    server.logs().tick(server.clock().monotonicNanos());
    assertThat(reader.failure).isNull();

    server.clock().advance(10_000);
    server.logs().tick(server.clock().monotonicNanos());

    assertThat(ErrorInfos.reason((StatusRuntimeException) reader.failure))
        .isEqualTo("AGENT_SILENT");
    Pusher late = new Pusher();
    late.push(fetched().getRequestId(), 0, "late");
    assertThat(code(late.failure)).isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void whatCannotBeReadIsSaidClearly() {
    assertThat(reason(request())).isEqualTo("ATTEMPT_NOT_STARTED");
    assertThat(reason(request().setName("queues/research/jobs/x"))).isEqualTo("NOT_FOUND");
    assertThat(reason(request().setAttempt(7))).isEqualTo("NOT_FOUND");
    assertThat(reason(request().setAttempt(-1))).isEqualTo("INVALID_ARGUMENT");
    assertThat(reason(request().setOffset(-1))).isEqualTo("INVALID_ARGUMENT");
    agent.run(A + "/attempts/1");
    assertThat(reason(request().setRank(1))).isEqualTo("INVALID_ARGUMENT");
    agent.disconnect();
    assertThat(reason(request())).isEqualTo("NODE_SILENT");
  }

  @Test
  void numberOfStreamsHasABound() {
    agent.run(A + "/attempts/1");
    read(request());
    Reader second = read(request());

    assertThat(reason(request())).isEqualTo("TOO_MANY_LOG_STREAMS");
    second.call.cancel("enough", null);
    assertThat(read(request()).failure).isNull();
  }

  @Test
  void outputOfAnEndedAttemptCanBeRead() {
    agent.run(A + "/attempts/1");
    agent.finish(A + "/attempts/1");

    assertThat(read(request().setAttempt(1)).failure).isNull();
    assertThat(fetched().getAttempt()).isEqualTo(A + "/attempts/1");
  }

  private FetchLogs fetched() {
    return agent.commands().stream()
        .filter(Command::hasFetchLogs)
        .map(Command::getFetchLogs)
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  private static StreamJobLogsRequest.Builder request() {
    return StreamJobLogsRequest.newBuilder().setName(A);
  }

  private Reader read(StreamJobLogsRequest.Builder request) {
    return new Reader(request.build(), Integer.MAX_VALUE);
  }

  private String reason(StreamJobLogsRequest.Builder request) {
    return ErrorInfos.reason((StatusRuntimeException) read(request).failure);
  }

  private static Status.Code code(Throwable failure) {
    return Status.fromThrowable(failure).getCode();
  }

  private final class Reader
      implements ClientResponseObserver<StreamJobLogsRequest, StreamJobLogsResponse> {
    private final List<StreamJobLogsResponse> received = new ArrayList<>();
    private final int initial;
    private ClientCallStreamObserver<StreamJobLogsRequest> call;
    private Throwable failure;
    private boolean completed;

    Reader(StreamJobLogsRequest request, int initial) {
      this.initial = initial;
      JobServiceGrpc.newStub(server.channel()).streamJobLogs(request, this);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<StreamJobLogsRequest> stream) {
      call = stream;
      if (initial < Integer.MAX_VALUE) {
        stream.disableAutoRequestWithInitial(initial);
      }
    }

    @Override
    public void onNext(StreamJobLogsResponse response) {
      received.add(response);
    }

    @Override
    public void onError(Throwable cause) {
      failure = cause;
    }

    @Override
    public void onCompleted() {
      completed = true;
    }

    String text() {
      StringBuilder text = new StringBuilder();
      received.forEach(piece -> text.append(piece.getData().toStringUtf8()));
      return text.toString();
    }
  }

  private final class Pusher implements ClientResponseObserver<PushLogsRequest, PushLogsResponse> {
    private ClientCallStreamObserver<PushLogsRequest> call;
    private Throwable failure;
    private boolean completed;

    Pusher() {
      AgentServiceGrpc.newStub(server.channel()).pushLogs(this);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<PushLogsRequest> stream) {
      call = stream;
    }

    void push(String requestId, long offset, String data) {
      call.onNext(
          PushLogsRequest.newBuilder()
              .setRequestId(requestId)
              .setOffset(offset)
              .setData(ByteString.copyFromUtf8(data))
              .build());
    }

    @Override
    public void onNext(PushLogsResponse response) {}

    @Override
    public void onError(Throwable cause) {
      failure = cause;
    }

    @Override
    public void onCompleted() {
      completed = true;
    }
  }
}
