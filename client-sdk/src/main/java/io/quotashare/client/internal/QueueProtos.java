package io.quotashare.client.internal;

import io.quotashare.client.DeviceSeconds;
import io.quotashare.client.DeviceState;
import io.quotashare.client.FrontJob;
import io.quotashare.client.Node;
import io.quotashare.client.NodeDevice;
import io.quotashare.client.NodeState;
import io.quotashare.client.PoolUsage;
import io.quotashare.client.Preemption;
import io.quotashare.client.QueueSnapshot;
import io.quotashare.client.ShareDeviceSeconds;
import io.quotashare.client.UsageInterval;
import io.quotashare.client.UsageReport;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.GetUsageReportResponse;

/** Snapshots, nodes, usage and preemptions between the wire and the client. */
public final class QueueProtos {
  private static final Enums<NodeState, io.quotashare.proto.v1.NodeState> NODE_STATES =
      new Enums<>(
          NodeState.class,
          io.quotashare.proto.v1.NodeState.class,
          "NODE_STATE_",
          NodeState.UNRECOGNIZED);
  private static final Enums<DeviceState, io.quotashare.proto.v1.DeviceState> DEVICE_STATES =
      new Enums<>(
          DeviceState.class,
          io.quotashare.proto.v1.DeviceState.class,
          "DEVICE_STATE_",
          DeviceState.UNRECOGNIZED);

  private QueueProtos() {}

  static QueueSnapshot fromProto(GetQueueSnapshotResponse snapshot) {
    return new QueueSnapshot(
        ShareProtos.fromProto(snapshot.getQueue()),
        snapshot.getPoolsList().stream().map(QueueProtos::fromProto).toList(),
        snapshot.getSharesList().stream().map(ShareProtos::fromProto).toList(),
        snapshot.getFrontsList().stream()
            .map(f -> new FrontJob(f.getShare(), f.getUnit(), JobProtos.fromProto(f.getJob())))
            .toList());
  }

  /** The message of a snapshot. */
  public static GetQueueSnapshotResponse toProto(QueueSnapshot snapshot) {
    GetQueueSnapshotResponse.Builder to =
        GetQueueSnapshotResponse.newBuilder()
            .setQueue(ShareProtos.toProto(snapshot.queue()))
            .addAllPools(snapshot.pools().stream().map(QueueProtos::toProto).toList())
            .addAllShares(snapshot.shares().stream().map(ShareProtos::toProto).toList());
    for (FrontJob front : snapshot.fronts()) {
      to.addFrontsBuilder()
          .setShare(front.share())
          .setUnit(front.unit())
          .setJob(JobProtos.toProto(front.job()));
    }
    return to.build();
  }

  private static PoolUsage fromProto(io.quotashare.proto.v1.PoolUsage pool) {
    return new PoolUsage(
        pool.getUnit(),
        pool.getTotal(),
        pool.getHeld(),
        pool.getHeldForBeneficiary(),
        pool.getReservedIdle(),
        pool.getFree(),
        pool.getOutside(),
        pool.getUnhealthy(),
        pool.getOvercommitted());
  }

  private static io.quotashare.proto.v1.PoolUsage toProto(PoolUsage pool) {
    return io.quotashare.proto.v1.PoolUsage.newBuilder()
        .setUnit(pool.unit())
        .setTotal(pool.total())
        .setHeld(pool.held())
        .setHeldForBeneficiary(pool.heldForBeneficiary())
        .setReservedIdle(pool.reservedIdle())
        .setFree(pool.free())
        .setOutside(pool.outside())
        .setUnhealthy(pool.unhealthy())
        .setOvercommitted(pool.overcommitted())
        .build();
  }

  static Node fromProto(io.quotashare.proto.v1.Node node) {
    return new Node(
        node.getName(),
        NODE_STATES.fromProto(node.getState()),
        node.getLabelsMap(),
        node.getQueue(),
        node.getDevicesList().stream().map(QueueProtos::fromProto).toList(),
        node.hasLastHeartbeat() ? Times.instant(node.getLastHeartbeat()) : null,
        node.getNvmlState(),
        node.getNvmlDetail(),
        node.getAgentVersion(),
        node.getDriverVersion(),
        node.getAddress());
  }

  /** The message of a node. */
  public static io.quotashare.proto.v1.Node toProto(Node node) {
    io.quotashare.proto.v1.Node.Builder to =
        io.quotashare.proto.v1.Node.newBuilder()
            .setName(node.name())
            .setState(NODE_STATES.toProto(node.state()))
            .putAllLabels(node.labels())
            .setQueue(node.queue())
            .addAllDevices(node.devices().stream().map(QueueProtos::toProto).toList())
            .setNvmlState(node.nvmlState())
            .setNvmlDetail(node.nvmlDetail())
            .setAgentVersion(node.agentVersion())
            .setDriverVersion(node.driverVersion())
            .setAddress(node.address());
    Opt.set(node.lastHeartbeat(), Times::timestamp, to::setLastHeartbeat);
    return to.build();
  }

  private static NodeDevice fromProto(io.quotashare.proto.v1.NodeDevice device) {
    return new NodeDevice(
        device.getUuid(),
        device.getIndex(),
        device.getUnit(),
        device.getModel(),
        DEVICE_STATES.fromProto(device.getState()),
        device.getHealthDetail(),
        device.getJob(),
        device.getShare(),
        device.getMemoryBytes());
  }

  private static io.quotashare.proto.v1.NodeDevice toProto(NodeDevice device) {
    return io.quotashare.proto.v1.NodeDevice.newBuilder()
        .setUuid(device.uuid())
        .setIndex(device.index())
        .setUnit(device.unit())
        .setModel(device.model())
        .setState(DEVICE_STATES.toProto(device.state()))
        .setHealthDetail(device.healthDetail())
        .setJob(device.job())
        .setShare(device.share())
        .setMemoryBytes(device.memoryBytes())
        .build();
  }

  /** The report of a message. */
  public static UsageReport fromProto(GetUsageReportResponse report) {
    return new UsageReport(
        report.hasStart() ? Times.instant(report.getStart()) : null,
        report.hasEnd() ? Times.instant(report.getEnd()) : null,
        fromProto(report.getClasses()),
        report.getTotalDeviceSeconds(),
        report.getSharesList().stream().map(QueueProtos::fromProto).toList(),
        report.getFutilePreemptions(),
        report.getIntervalsList().stream().map(QueueProtos::fromProto).toList());
  }

  private static UsageInterval fromProto(io.quotashare.proto.v1.UsageInterval interval) {
    return new UsageInterval(
        interval.hasStart() ? Times.instant(interval.getStart()) : null,
        interval.hasEnd() ? Times.instant(interval.getEnd()) : null,
        fromProto(interval.getClasses()),
        interval.getTotalDeviceSeconds(),
        interval.getSharesList().stream().map(QueueProtos::fromProto).toList());
  }

  /** The message of a report. */
  public static GetUsageReportResponse toProto(UsageReport report) {
    GetUsageReportResponse.Builder to =
        GetUsageReportResponse.newBuilder()
            .setClasses(toProto(report.classes()))
            .setTotalDeviceSeconds(report.totalDeviceSeconds())
            .addAllShares(report.shares().stream().map(QueueProtos::toProto).toList())
            .setFutilePreemptions(report.futilePreemptions())
            .addAllIntervals(report.intervals().stream().map(QueueProtos::toProto).toList());
    Opt.set(report.start(), Times::timestamp, to::setStart);
    Opt.set(report.end(), Times::timestamp, to::setEnd);
    return to.build();
  }

  private static io.quotashare.proto.v1.UsageInterval toProto(UsageInterval interval) {
    io.quotashare.proto.v1.UsageInterval.Builder to =
        io.quotashare.proto.v1.UsageInterval.newBuilder()
            .setClasses(toProto(interval.classes()))
            .setTotalDeviceSeconds(interval.totalDeviceSeconds())
            .addAllShares(interval.shares().stream().map(QueueProtos::toProto).toList());
    Opt.set(interval.start(), Times::timestamp, to::setStart);
    Opt.set(interval.end(), Times::timestamp, to::setEnd);
    return to.build();
  }

  private static ShareDeviceSeconds fromProto(io.quotashare.proto.v1.ShareDeviceSeconds share) {
    return new ShareDeviceSeconds(
        share.getShare(),
        share.getUnit(),
        share.getOwn(),
        share.getBorrowed(),
        share.getOver(),
        share.getLent(),
        share.getIdle(),
        fromProto(share.getClasses()));
  }

  private static io.quotashare.proto.v1.ShareDeviceSeconds toProto(ShareDeviceSeconds share) {
    return io.quotashare.proto.v1.ShareDeviceSeconds.newBuilder()
        .setShare(share.share())
        .setUnit(share.unit())
        .setOwn(share.own())
        .setBorrowed(share.borrowed())
        .setOver(share.over())
        .setLent(share.lent())
        .setIdle(share.idle())
        .setClasses(toProto(share.classes()))
        .build();
  }

  private static DeviceSeconds fromProto(io.quotashare.proto.v1.DeviceSeconds seconds) {
    return new DeviceSeconds(
        seconds.getUseful(),
        seconds.getStartup(),
        seconds.getLost(),
        seconds.getSaving(),
        seconds.getDraining(),
        seconds.getHeldForBeneficiary(),
        seconds.getReservedIdle(),
        seconds.getIdle(),
        seconds.getUnhealthy(),
        seconds.getOutside());
  }

  private static io.quotashare.proto.v1.DeviceSeconds toProto(DeviceSeconds seconds) {
    return io.quotashare.proto.v1.DeviceSeconds.newBuilder()
        .setUseful(seconds.useful())
        .setStartup(seconds.startup())
        .setLost(seconds.lost())
        .setSaving(seconds.saving())
        .setDraining(seconds.draining())
        .setHeldForBeneficiary(seconds.heldForBeneficiary())
        .setReservedIdle(seconds.reservedIdle())
        .setIdle(seconds.idle())
        .setUnhealthy(seconds.unhealthy())
        .setOutside(seconds.outside())
        .build();
  }

  static Preemption fromProto(io.quotashare.proto.v1.Preemption preemption) {
    return new Preemption(
        preemption.getJob(),
        preemption.getAttempt(),
        preemption.getShare(),
        preemption.getBeneficiaryJob(),
        preemption.getBeneficiaryShare(),
        JobProtos.CAUSES.fromProto(preemption.getCause()),
        preemption.getGpus(),
        preemption.hasRequestedAt() ? Times.instant(preemption.getRequestedAt()) : null,
        preemption.hasSavedAt() ? Times.instant(preemption.getSavedAt()) : null,
        preemption.hasFreedAt() ? Times.instant(preemption.getFreedAt()) : null,
        preemption.hasDeadline() ? Times.instant(preemption.getDeadline()) : null,
        preemption.getExpectedCostDeviceSeconds(),
        preemption.getLostDeviceSeconds(),
        preemption.getApproximate(),
        preemption.getRejectedList().stream().map(JobProtos::fromProto).toList(),
        preemption.hasDuration() ? Times.duration(preemption.getDuration()) : null,
        preemption.getObservedOnly());
  }

  /** The message of a preemption. */
  public static io.quotashare.proto.v1.Preemption toProto(Preemption preemption) {
    io.quotashare.proto.v1.Preemption.Builder to =
        io.quotashare.proto.v1.Preemption.newBuilder()
            .setJob(preemption.job())
            .setAttempt(preemption.attempt())
            .setShare(preemption.share())
            .setBeneficiaryJob(preemption.beneficiaryJob())
            .setBeneficiaryShare(preemption.beneficiaryShare())
            .setCause(JobProtos.CAUSES.toProto(preemption.cause()))
            .setGpus(preemption.gpus())
            .setExpectedCostDeviceSeconds(preemption.expectedCostDeviceSeconds())
            .setLostDeviceSeconds(preemption.lostDeviceSeconds())
            .setApproximate(preemption.approximate())
            .setObservedOnly(preemption.observedOnly())
            .addAllRejected(preemption.rejected().stream().map(JobProtos::toProto).toList());
    Opt.set(preemption.requestedAt(), Times::timestamp, to::setRequestedAt);
    Opt.set(preemption.savedAt(), Times::timestamp, to::setSavedAt);
    Opt.set(preemption.freedAt(), Times::timestamp, to::setFreedAt);
    Opt.set(preemption.deadline(), Times::timestamp, to::setDeadline);
    Opt.set(preemption.duration(), Times::duration, to::setDuration);
    return to.build();
  }
}
