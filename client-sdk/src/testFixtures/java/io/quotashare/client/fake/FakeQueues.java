package io.quotashare.client.fake;

import io.grpc.Status;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.Loan;
import io.quotashare.proto.v1.Node;
import io.quotashare.proto.v1.Preemption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the fake answers about queues, shares and nodes: what a test put in. */
public final class FakeQueues {
  private final Map<String, GetQueueSnapshotResponse> snapshots = new ConcurrentSkipListMap<>();

  /** Loans of every queue. */
  public final List<Loan> loans = new CopyOnWriteArrayList<>();

  /** All nodes. */
  public final List<Node> nodes = new CopyOnWriteArrayList<>();

  /** Preemptions of every queue. */
  public final List<Preemption> preemptions = new CopyOnWriteArrayList<>();

  /** Report of every queue. */
  public volatile GetUsageReportResponse report = GetUsageReportResponse.getDefaultInstance();

  /** Answer to every policy. */
  public volatile ApplyPolicyResponse policyResult = ApplyPolicyResponse.getDefaultInstance();

  /** Puts a queue with its shares. */
  public void put(GetQueueSnapshotResponse snapshot) {
    snapshots.put(snapshot.getQueue().getName(), snapshot);
  }

  List<GetQueueSnapshotResponse> all() {
    return List.copyOf(snapshots.values());
  }

  GetQueueSnapshotResponse get(String name) {
    GetQueueSnapshotResponse snapshot = snapshots.get(name);
    if (snapshot == null) {
      throw FakeScheduler.failure(
          Status.Code.NOT_FOUND, name + " does not exist", "QUEUE_NOT_FOUND");
    }
    return snapshot;
  }

  Node node(String name) {
    return nodes.stream()
        .filter(n -> n.getName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                FakeScheduler.failure(
                    Status.Code.NOT_FOUND, name + " does not exist", "NODE_NOT_FOUND"));
  }
}
