package io.quotashare.server.queues;

import static java.util.Objects.requireNonNull;

import io.grpc.stub.StreamObserver;
import io.quotashare.core.QueueView;
import io.quotashare.proto.v1.GetNodeRequest;
import io.quotashare.proto.v1.GetNodeResponse;
import io.quotashare.proto.v1.GetQueueRequest;
import io.quotashare.proto.v1.GetQueueResponse;
import io.quotashare.proto.v1.GetQueueSnapshotRequest;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.ListNodesRequest;
import io.quotashare.proto.v1.ListNodesResponse;
import io.quotashare.proto.v1.ListPreemptionsRequest;
import io.quotashare.proto.v1.ListPreemptionsResponse;
import io.quotashare.proto.v1.ListQueuesRequest;
import io.quotashare.proto.v1.ListQueuesResponse;
import io.quotashare.proto.v1.QueueServiceGrpc;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Pages;
import io.quotashare.server.grpc.Unary;
import io.quotashare.server.shares.LastDay;
import io.quotashare.server.shares.QueueConverter;
import io.quotashare.server.store.Page;
import io.quotashare.server.store.PreemptionQuery;
import io.quotashare.server.store.RecordedPreemption;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.view.ReadModel;
import io.quotashare.server.view.Snapshot;
import jakarta.inject.Inject;

/** The public service for queues and nodes. */
public final class QueueEndpoint extends QueueServiceGrpc.QueueServiceImplBase {
  private static final int DEFAULT_PREEMPTIONS = 100;

  private final ReadModel readModel;
  private final StateStore store;
  private final NodeWriter nodes;
  private final LastDay lastDay;
  private final UsageReports usage;

  @Inject
  QueueEndpoint(
      ReadModel readModel,
      StateStore store,
      NodeWriter nodes,
      LastDay lastDay,
      UsageReports usage) {
    this.readModel = requireNonNull(readModel, "readModel is null");
    this.store = requireNonNull(store, "store is null");
    this.nodes = requireNonNull(nodes, "nodes is null");
    this.lastDay = requireNonNull(lastDay, "lastDay is null");
    this.usage = requireNonNull(usage, "usage is null");
  }

  @Override
  public void getQueue(GetQueueRequest request, StreamObserver<GetQueueResponse> observer) {
    Unary.now(
        observer,
        () ->
            GetQueueResponse.newBuilder()
                .setQueue(QueueConverter.queue(view("name", request.getName()).queue()))
                .build());
  }

  @Override
  public void listQueues(ListQueuesRequest request, StreamObserver<ListQueuesResponse> observer) {
    Unary.now(
        observer,
        () -> {
          ListQueuesRequest list = ListQueuesRequest.getDefaultInstance();
          int size = Pages.size(request.getPageSize(), Pages.MAX_SIZE);
          String after = Pages.after(list, request.getPageToken());
          ListQueuesResponse.Builder page = ListQueuesResponse.newBuilder();
          String last = "";
          for (QueueView view : readModel.current().queues().values()) {
            if (view.queue().name().compareTo(after) <= 0) {
              continue;
            }
            if (page.getQueuesCount() == size) {
              return page.setNextPageToken(Pages.token(list, last)).build();
            }
            page.addQueues(QueueConverter.queue(view.queue()));
            last = view.queue().name();
          }
          return page.build();
        });
  }

  @Override
  public void getQueueSnapshot(
      GetQueueSnapshotRequest request, StreamObserver<GetQueueSnapshotResponse> observer) {
    Unary.now(
        observer,
        () -> {
          QueueView view = view("name", request.getName());
          return SnapshotWriter.snapshot(view, lastDay.of(view.queue().name()));
        });
  }

  @Override
  public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> observer) {
    Unary.now(observer, () -> list(request));
  }

  private ListNodesResponse list(ListNodesRequest request) {
    FieldChecks checks = new FieldChecks();
    checks.check(
        request.getQueue().isEmpty() || Names.isId(request.getQueue()),
        "queue",
        request.getQueue(),
        "a queue id");
    checks.throwIfAny();
    ListNodesRequest list = request.toBuilder().clearPageSize().clearPageToken().build();
    int size = Pages.size(request.getPageSize(), Pages.MAX_SIZE);
    String after = Pages.after(list, request.getPageToken());
    Snapshot snapshot = readModel.current();
    ListNodesResponse.Builder page = ListNodesResponse.newBuilder();
    String last = "";
    for (io.quotashare.core.model.Node node : snapshot.nodes().valuesAfter(after)) {
      if (!request.getQueue().isEmpty()
          && !request.getQueue().equals(snapshot.queueOf(node.name()).orElse(""))) {
        continue;
      }
      if (page.getNodesCount() == size) {
        return page.setNextPageToken(Pages.token(list, last)).build();
      }
      page.addNodes(nodes.node(node, snapshot));
      last = node.name();
    }
    return page.build();
  }

  @Override
  public void getNode(GetNodeRequest request, StreamObserver<GetNodeResponse> observer) {
    Unary.now(
        observer,
        () -> {
          Snapshot snapshot = readModel.current();
          io.quotashare.core.model.Node node =
              snapshot
                  .nodes()
                  .get(Names.node("name", request.getName()))
                  .orElseThrow(() -> Errors.notFound("node", request.getName()));
          return GetNodeResponse.newBuilder().setNode(nodes.node(node, snapshot)).build();
        });
  }

  @Override
  public void getUsageReport(
      GetUsageReportRequest request, StreamObserver<GetUsageReportResponse> observer) {
    Unary.later(
        observer,
        () -> {
          String queue = view("name", request.getName()).queue().name();
          return usage.report(queue, request);
        });
  }

  @Override
  public void listPreemptions(
      ListPreemptionsRequest request, StreamObserver<ListPreemptionsResponse> observer) {
    Unary.now(
        observer,
        () -> {
          String queue = view("parent", request.getParent()).queue().name();
          FieldChecks checks = new FieldChecks();
          checks.check(
              request.getShare().isEmpty() || Names.isId(request.getShare()),
              "share",
              request.getShare(),
              "a share id");
          checks.check(
              request.getJob().isEmpty() || Names.isId(request.getJob()),
              "job",
              request.getJob(),
              "a job id");
          checks.throwIfAny();
          int size = Pages.size(request.getPageSize(), DEFAULT_PREEMPTIONS);
          Page<RecordedPreemption> page =
              store.preemptions(
                  new PreemptionQuery(
                      queue, request.getShare(), request.getJob(), size, request.getPageToken()));
          ListPreemptionsResponse.Builder response =
              ListPreemptionsResponse.newBuilder().setNextPageToken(page.nextPageToken());
          page.items().forEach(p -> response.addPreemptions(PreemptionWriter.preemption(p)));
          return response.build();
        });
  }

  private QueueView view(String field, String name) {
    QueueView view = readModel.current().queues().get(Names.queue(field, name));
    if (view == null) {
      throw Errors.notFound("queue", name);
    }
    return view;
  }
}
