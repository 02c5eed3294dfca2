package io.quotashare.client.fake;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.quotashare.client.InternalQuotaShareClient;
import io.quotashare.client.QuotaShareClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * A scheduler for tests of the client: holds jobs, shares and nodes as a test puts them, keeps
 * every request, fails the calls that a test tells it to fail, and can be stopped and started again
 * with its state kept. It decides nothing.
 */
public final class FakeScheduler implements AutoCloseable {
  private final String name = "fake-" + UUID.randomUUID();
  private final List<Message> requests = new CopyOnWriteArrayList<>();
  private final Map<Class<? extends Message>, Deque<Optional<StatusRuntimeException>>> failures =
      new HashMap<>();
  private final Map<Class<? extends Message>, Optional<Duration>> timeLimits =
      new ConcurrentHashMap<>();
  private final List<QuotaShareClient> clients = new ArrayList<>();

  /** Jobs and their events. */
  public final FakeJobs jobs = new FakeJobs();

  /** Queues, shares, nodes, reports. */
  public final FakeQueues queues = new FakeQueues();

  /** Changes of shares and who watches them. */
  public final FakeShares shares = new FakeShares(queues);

  private Server server;

  /** Starts. */
  public FakeScheduler() {
    server = start();
  }

  /** A channel to it, not built yet. */
  public ManagedChannelBuilder<?> channel() {
    return InProcessChannelBuilder.forName(name);
  }

  /** A client of this scheduler; closed with it. */
  public QuotaShareClient client() {
    return client(new CopyOnWriteArrayList<>());
  }

  /** A client that adds what it tells of its connection to the list. */
  public QuotaShareClient client(List<String> connectionMessages) {
    QuotaShareClient client =
        InternalQuotaShareClient.over(channel(), channel(), "fake:7070", connectionMessages::add);
    clients.add(client);
    return client;
  }

  /** Ends every connection, as a scheduler that dies does. */
  public void stop() {
    server.shutdownNow();
    try {
      if (!server.awaitTermination(5, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the fake scheduler does not stop");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    jobs.dropWatchers();
    shares.dropWatchers();
  }

  /** Starts again with its state kept. */
  public void restart() {
    server = start();
  }

  /** The next call with a request of this type fails so; several are used up in order. */
  public void failNext(Class<? extends Message> request, StatusRuntimeException failure) {
    failNextAfter(request, 0, failure);
  }

  /** As {@link #failNext}, after so many calls of the type that go well. */
  public void failNextAfter(
      Class<? extends Message> request, int good, StatusRuntimeException failure) {
    synchronized (failures) {
      Deque<Optional<StatusRuntimeException>> queued =
          failures.computeIfAbsent(request, key -> new ArrayDeque<>());
      for (int i = 0; i < good; i++) {
        queued.add(Optional.empty());
      }
      queued.add(Optional.of(failure));
    }
  }

  /** The requests of one type, in the order in which they came. */
  public <M extends Message> List<M> requests(Class<M> type) {
    return requests.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** Time that the newest call of this type gave the scheduler; empty if it set no limit. */
  public Optional<Duration> timeLimit(Class<? extends Message> request) {
    return timeLimits.getOrDefault(request, Optional.empty());
  }

  /** Keeps the request, and throws if it shall fail. */
  void received(Message request) {
    requests.add(request);
    Deadline deadline = Context.current().getDeadline();
    timeLimits.put(
        request.getClass(),
        Optional.ofNullable(deadline)
            .map(d -> Duration.ofMillis(d.timeRemaining(TimeUnit.MILLISECONDS))));
    synchronized (failures) {
      Deque<Optional<StatusRuntimeException>> queued = failures.get(request.getClass());
      Optional<StatusRuntimeException> next =
          queued == null || queued.isEmpty() ? Optional.empty() : queued.remove();
      if (next.isPresent()) {
        throw next.get();
      }
    }
  }

  /** A failure as the scheduler sends it: status, sentence, reason and the field that is wrong. */
  public static StatusRuntimeException failure(
      io.grpc.Status.Code code, String message, String reason, String field, String problem) {
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder()
            .setCode(code.value())
            .setMessage(message)
            .addDetails(
                Any.pack(ErrorInfo.newBuilder().setDomain("quotashare").setReason(reason).build()));
    if (!field.isEmpty()) {
      BadRequest.FieldViolation violation =
          BadRequest.FieldViolation.newBuilder().setField(field).setDescription(problem).build();
      status.addDetails(Any.pack(BadRequest.newBuilder().addFieldViolations(violation).build()));
    }
    return StatusProto.toStatusRuntimeException(status.build());
  }

  /** A failure with status, sentence and reason. */
  public static StatusRuntimeException failure(
      io.grpc.Status.Code code, String message, String reason) {
    return failure(code, message, reason, "", "");
  }

  /** The services, for a server over another transport. */
  public List<BindableService> services() {
    return List.of(
        new FakeJobService(this),
        new FakeQueueService(this),
        new FakeShareService(this),
        new FakeAdminService(this));
  }

  @Override
  public void close() {
    clients.forEach(QuotaShareClient::close);
    server.shutdownNow();
  }

  private Server start() {
    ServerBuilder<?> builder = InProcessServerBuilder.forName(name);
    services().forEach(builder::addService);
    try {
      return builder.build().start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
