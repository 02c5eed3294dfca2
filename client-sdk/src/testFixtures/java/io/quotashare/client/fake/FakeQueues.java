package io.quotashare.client.fake;

import io.grpc.Status;
import io.quotashare.proto.admin.v1.AuditEvent;
import io.quotashare.proto.admin.v1.VerifyStateResponse;
import io.quotashare.proto.v1.ApplyPolicyResponse;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.Loan;
import io.quotashare.proto.v1.Node;
import io.quotashare.proto.v1.PlanPolicyResponse;
import io.quotashare.proto.v1.Preemption;
import io.quotashare.proto.v1.QuotaShareStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /** Answer to every plan of a policy. */
  public volatile PlanPolicyResponse policyPlan = PlanPolicyResponse.getDefaultInstance();

  /** Audit events, newest first. */
  public final List<AuditEvent> auditEvents = new CopyOnWriteArrayList<>();

  /** Answer to every verification. */
  public volatile VerifyStateResponse verification = VerifyStateResponse.getDefaultInstance();

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

  List<QuotaShareStatus> shares() {
    return all().stream().flatMap(snapshot -> snapshot.getSharesList().stream()).toList();
  }

  Optional<QuotaShareStatus> findShare(String name) {
    return shares().stream().filter(s -> s.getShare().getName().equals(name)).findFirst();
  }

  QuotaShareStatus share(String name) {
    return findShare(name)
        .orElseThrow(
            () ->
                FakeScheduler.failure(
                    Status.Code.NOT_FOUND, name + " does not exist", "SHARE_NOT_FOUND"));
  }

  /** Puts a share into its queue, or takes it out for an empty one. */
  void setShare(String name, Optional<QuotaShareStatus> status) {
    GetQueueSnapshotResponse snapshot = get(name.substring(0, name.indexOf("/shares/")));
    List<QuotaShareStatus> shares = new ArrayList<>(snapshot.getSharesList());
    shares.removeIf(s -> s.getShare().getName().equals(name));
    status.ifPresent(shares::add);
    put(snapshot.toBuilder().clearShares().addAllShares(shares).build());
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
