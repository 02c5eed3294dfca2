package io.quotashare.client.internal;

import io.quotashare.client.AdminState;
import io.quotashare.client.IdleAssignment;
import io.quotashare.client.Loan;
import io.quotashare.client.LoanVictim;
import io.quotashare.client.PolicyQueue;
import io.quotashare.client.PreemptionMode;
import io.quotashare.client.Queue;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.ResourceNames;
import io.quotashare.client.ShareDeletion;
import io.quotashare.client.ShareEvent;
import io.quotashare.client.ShareOrdering;
import io.quotashare.client.ShareStatus;
import io.quotashare.client.ShareUsage;
import io.quotashare.client.SharingStrategy;
import io.quotashare.client.StateTimeLimit;
import io.quotashare.client.UnassignedCapacity;
import io.quotashare.proto.v1.DeleteQuotaShareResponse;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.WatchQuotaSharesResponse;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Queues, shares and policies between the wire and the client. */
public final class ShareProtos {
  private static final Enums<AdminState, io.quotashare.proto.v1.AdminState> ADMIN_STATES =
      new Enums<>(
          AdminState.class,
          io.quotashare.proto.v1.AdminState.class,
          "ADMIN_STATE_",
          AdminState.ENABLED);
  private static final Enums<SharingStrategy, io.quotashare.proto.v1.SharingStrategy> STRATEGIES =
      new Enums<>(
          SharingStrategy.class,
          io.quotashare.proto.v1.SharingStrategy.class,
          "SHARING_STRATEGY_",
          SharingStrategy.UNRECOGNIZED);
  private static final Enums<ShareOrdering, io.quotashare.proto.v1.ShareOrdering> ORDERINGS =
      new Enums<>(
          ShareOrdering.class,
          io.quotashare.proto.v1.ShareOrdering.class,
          "SHARE_ORDERING_",
          ShareOrdering.STRICT);
  private static final Enums<IdleAssignment, io.quotashare.proto.v1.IdleAssignment> IDLE =
      new Enums<>(
          IdleAssignment.class,
          io.quotashare.proto.v1.IdleAssignment.class,
          "IDLE_ASSIGNMENT_",
          IdleAssignment.FIFO);
  private static final Enums<UnassignedCapacity, io.quotashare.proto.v1.UnassignedCapacity>
      UNASSIGNED =
          new Enums<>(
              UnassignedCapacity.class,
              io.quotashare.proto.v1.UnassignedCapacity.class,
              "UNASSIGNED_CAPACITY_",
              UnassignedCapacity.BORROWABLE);

  private static final Enums<PreemptionMode, io.quotashare.proto.v1.PreemptionMode> MODES =
      new Enums<>(
          PreemptionMode.class,
          io.quotashare.proto.v1.PreemptionMode.class,
          "PREEMPTION_MODE_",
          PreemptionMode.ENFORCE);

  private ShareProtos() {}

  /** The share of a message. */
  public static QuotaShare fromProto(io.quotashare.proto.v1.QuotaShare share) {
    return new QuotaShare(
        ResourceNames.queueOf(share.getName()),
        ResourceNames.lastId(share.getName()),
        share.getCapacityMap(),
        STRATEGIES.fromProto(share.getStrategy()),
        share.hasBorrowLimitPercent() ? share.getBorrowLimitPercent() : null,
        share.getBorrowLimitMap(),
        share.hasLendLimitPercent() ? share.getLendLimitPercent() : null,
        share.getLendLimitMap(),
        share.getInSharePreemption(),
        ORDERINGS.fromProto(share.getOrdering()),
        share.hasWeight() ? share.getWeight() : 1,
        share.hasMinRuntime() ? Times.duration(share.getMinRuntime()) : Duration.ZERO,
        ADMIN_STATES.fromProto(share.getState()),
        share.getEtag());
  }

  /** The message of a share; what has a default is always sent. */
  public static io.quotashare.proto.v1.QuotaShare toProto(QuotaShare share) {
    io.quotashare.proto.v1.QuotaShare.Builder to =
        io.quotashare.proto.v1.QuotaShare.newBuilder()
            .setName(share.name())
            .putAllCapacity(share.capacity())
            .setStrategy(STRATEGIES.toProto(share.strategy()))
            .putAllBorrowLimit(share.borrowLimit())
            .putAllLendLimit(share.lendLimit())
            .setInSharePreemption(share.inSharePreemption())
            .setOrdering(ORDERINGS.toProto(share.ordering()))
            .setWeight(share.weight())
            .setMinRuntime(Times.duration(share.minRuntime()))
            .setState(ADMIN_STATES.toProto(share.state()))
            .setEtag(share.etag());
    Opt.set(share.borrowLimitPercent(), to::setBorrowLimitPercent);
    Opt.set(share.lendLimitPercent(), to::setLendLimitPercent);
    return to.build();
  }

  /** The share and its usage of a message. */
  public static ShareStatus fromProto(QuotaShareStatus status) {
    return new ShareStatus(
        fromProto(status.getShare()),
        status.getUsageList().stream().map(ShareProtos::fromProto).toList(),
        status.getPreempted24H(),
        status.getLostDeviceHours24H(),
        status.getRemoving());
  }

  /** The message of a share and its usage. */
  public static QuotaShareStatus toProto(ShareStatus status) {
    return QuotaShareStatus.newBuilder()
        .setShare(toProto(status.share()))
        .addAllUsage(status.usage().stream().map(ShareProtos::toProto).toList())
        .setPreempted24H(status.preemptedLast24h())
        .setLostDeviceHours24H(status.lostDeviceHoursLast24h())
        .setRemoving(status.removing())
        .build();
  }

  private static ShareUsage fromProto(io.quotashare.proto.v1.ShareUsage usage) {
    return new ShareUsage(
        usage.getUnit(),
        usage.getLimit(),
        usage.getUsed(),
        usage.getOwn(),
        usage.getBorrowed(),
        usage.getOver(),
        usage.getLent(),
        usage.getIdle(),
        usage.getWaitingJobs(),
        usage.getWaitingGpus());
  }

  private static io.quotashare.proto.v1.ShareUsage toProto(ShareUsage usage) {
    return io.quotashare.proto.v1.ShareUsage.newBuilder()
        .setUnit(usage.unit())
        .setLimit(usage.limit())
        .setUsed(usage.used())
        .setOwn(usage.own())
        .setBorrowed(usage.borrowed())
        .setOver(usage.over())
        .setLent(usage.lent())
        .setIdle(usage.idle())
        .setWaitingJobs(usage.waitingJobs())
        .setWaitingGpus(usage.waitingGpus())
        .build();
  }

  /** The queue of a message. */
  public static Queue fromProto(io.quotashare.proto.v1.Queue queue) {
    return new Queue(
        ResourceNames.queueOf(queue.getName()),
        ADMIN_STATES.fromProto(queue.getState()),
        queue.getNodeSelectorMap(),
        IDLE.fromProto(queue.getIdleAssignment()),
        UNASSIGNED.fromProto(queue.getUnassigned()),
        queue.hasMaxGrace() ? Times.duration(queue.getMaxGrace()) : Queue.DEFAULT_MAX_GRACE,
        queue.hasLostWorkCap()
            ? Times.duration(queue.getLostWorkCap())
            : Queue.DEFAULT_LOST_WORK_CAP,
        queue.hasRestartCost()
            ? Times.duration(queue.getRestartCost())
            : Queue.DEFAULT_RESTART_COST,
        queue.getStateTimeLimitsList().stream()
            .map(l -> new StateTimeLimit(l.getReason(), Times.duration(l.getMax())))
            .toList(),
        MODES.fromProto(queue.getPreemptionMode()),
        queue.getEtag());
  }

  /** The message of a queue; what has a default is always sent. */
  public static io.quotashare.proto.v1.Queue toProto(Queue queue) {
    io.quotashare.proto.v1.Queue.Builder to =
        io.quotashare.proto.v1.Queue.newBuilder()
            .setName(queue.name())
            .setState(ADMIN_STATES.toProto(queue.state()))
            .putAllNodeSelector(queue.nodeSelector())
            .setIdleAssignment(IDLE.toProto(queue.idleAssignment()))
            .setUnassigned(UNASSIGNED.toProto(queue.unassigned()))
            .setMaxGrace(Times.duration(queue.maxGrace()))
            .setLostWorkCap(Times.duration(queue.lostWorkCap()))
            .setRestartCost(Times.duration(queue.restartCost()))
            .setPreemptionMode(MODES.toProto(queue.preemptionMode()))
            .setEtag(queue.etag());
    for (StateTimeLimit limit : queue.stateTimeLimits()) {
      to.addStateTimeLimitsBuilder().setReason(limit.reason()).setMax(Times.duration(limit.max()));
    }
    return to.build();
  }

  static io.quotashare.proto.v1.PolicyQueue toProto(PolicyQueue policy) {
    return io.quotashare.proto.v1.PolicyQueue.newBuilder()
        .setQueue(toProto(policy.queue()))
        .addAllShares(policy.shares().stream().map(ShareProtos::toProto).toList())
        .build();
  }

  static Loan fromProto(io.quotashare.proto.v1.Loan loan) {
    return new Loan(
        loan.getLender(),
        loan.getBorrower(),
        loan.getUnit(),
        loan.getGpus(),
        loan.hasSince() ? Times.instant(loan.getSince()) : null,
        loan.getWouldStopList().stream().map(ShareProtos::fromProto).toList());
  }

  private static LoanVictim fromProto(io.quotashare.proto.v1.LoanVictim victim) {
    return new LoanVictim(
        victim.getJob(),
        victim.getGpus(),
        victim.hasCheckpointStateTime() ? Times.instant(victim.getCheckpointStateTime()) : null,
        victim.getLostDeviceSeconds());
  }

  /** The message of a loan. */
  public static io.quotashare.proto.v1.Loan toProto(Loan loan) {
    io.quotashare.proto.v1.Loan.Builder to =
        io.quotashare.proto.v1.Loan.newBuilder()
            .setLender(loan.lender())
            .setBorrower(loan.borrower())
            .setUnit(loan.unit())
            .setGpus(loan.gpus())
            .addAllWouldStop(loan.wouldStop().stream().map(ShareProtos::toProto).toList());
    Opt.set(loan.since(), Times::timestamp, to::setSince);
    return to.build();
  }

  private static io.quotashare.proto.v1.LoanVictim toProto(LoanVictim victim) {
    io.quotashare.proto.v1.LoanVictim.Builder to =
        io.quotashare.proto.v1.LoanVictim.newBuilder()
            .setJob(victim.job())
            .setGpus(victim.gpus())
            .setLostDeviceSeconds(victim.lostDeviceSeconds());
    Opt.set(victim.checkpointStateTime(), Times::timestamp, to::setCheckpointStateTime);
    return to.build();
  }

  static ShareDeletion fromProto(DeleteQuotaShareResponse response) {
    return new ShareDeletion(response.getCancelledJobs(), response.getStoppingJobs());
  }

  /** The message of a deletion. */
  public static DeleteQuotaShareResponse toProto(ShareDeletion deletion) {
    return DeleteQuotaShareResponse.newBuilder()
        .setCancelledJobs(deletion.cancelledJobs())
        .setStoppingJobs(deletion.stoppingJobs())
        .build();
  }

  /** The event of a message; null for a bookmark. */
  static @Nullable ShareEvent fromProto(WatchQuotaSharesResponse response) {
    Instant time = response.hasTime() ? Times.instant(response.getTime()) : null;
    return switch (response.getEventCase()) {
      case SHARE ->
          new ShareEvent.Present(response.getRevision(), time, fromProto(response.getShare()));
      case REMOVED -> new ShareEvent.Removed(response.getRevision(), time, response.getRemoved());
      case EVENT_NOT_SET -> null;
    };
  }

  /** The message of an event. */
  public static WatchQuotaSharesResponse toProto(ShareEvent event) {
    WatchQuotaSharesResponse.Builder to =
        WatchQuotaSharesResponse.newBuilder().setRevision(event.revision());
    Opt.set(event.time(), Times::timestamp, to::setTime);
    if (event instanceof ShareEvent.Present present) {
      to.setShare(toProto(present.status()));
    } else {
      to.setRemoved(event.name());
    }
    return to.build();
  }
}
