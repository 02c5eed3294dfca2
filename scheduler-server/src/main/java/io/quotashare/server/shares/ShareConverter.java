package io.quotashare.server.shares;

import io.quotashare.core.QueueView;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import io.quotashare.proto.v1.AdminState;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.ShareOrdering;
import io.quotashare.proto.v1.ShareUsage;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.server.grpc.Enums;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Requests;
import io.quotashare.server.grpc.Times;
import io.quotashare.server.store.PreemptionTotals;
import java.util.Map;
import java.util.TreeMap;

/** Shares of the core to and from the words of the contract. */
public final class ShareConverter {
  private static final Map<Strategy, SharingStrategy> STRATEGIES =
      Enums.toProto(Strategy.class, SharingStrategy.class, "SHARING_STRATEGY_");
  private static final Map<SharingStrategy, Strategy> CORE_STRATEGIES =
      Enums.toCore(Strategy.class, SharingStrategy.class, "SHARING_STRATEGY_");
  private static final Map<io.quotashare.core.model.Ordering, ShareOrdering> ORDERINGS =
      Enums.toProto(
          io.quotashare.core.model.Ordering.class, ShareOrdering.class, "SHARE_ORDERING_");

  /** What is on its way out takes no jobs; QuotaShareStatus.removing tells it apart. */
  private static final Map<io.quotashare.core.model.AdminState, AdminState> STATES =
      Map.of(
          io.quotashare.core.model.AdminState.ENABLED, AdminState.ADMIN_STATE_ENABLED,
          io.quotashare.core.model.AdminState.DISABLED, AdminState.ADMIN_STATE_DISABLED,
          io.quotashare.core.model.AdminState.REMOVING, AdminState.ADMIN_STATE_DISABLED,
          io.quotashare.core.model.AdminState.REMOVED, AdminState.ADMIN_STATE_DISABLED);

  static final int DEFAULT_LEND_PERCENT = 100;
  static final int UNLIMITED_PERCENT = -1;

  private ShareConverter() {}

  /** A share as configured. */
  public static QuotaShare share(io.quotashare.core.model.QuotaShare share) {
    QuotaShare.Builder result =
        QuotaShare.newBuilder()
            .setName(share.key().toString())
            .putAllCapacity(share.capacity())
            .setStrategy(Enums.of(STRATEGIES, share.strategy()))
            .setInSharePreemption(share.inSharePreemption())
            .setOrdering(Enums.of(ORDERINGS, share.ordering()))
            .setWeight(share.weight())
            .setMinRuntime(Times.duration(share.minRuntimeMillis()))
            .setState(Enums.of(STATES, share.state()));
    if (share.strategy().borrows()) {
      if (share.borrowLimit() instanceof Limit.Devices devices) {
        result.putAllBorrowLimit(devices.byUnit());
      } else {
        result.setBorrowLimitPercent(((Limit.Percent) share.borrowLimit()).percent());
      }
    }
    if (share.strategy().lends()) {
      if (share.lendLimit() instanceof Limit.Devices devices) {
        result.putAllLendLimit(devices.byUnit());
      } else {
        result.setLendLimitPercent(((Limit.Percent) share.lendLimit()).percent());
      }
    }
    return result.setEtag(Requests.etag(result.build())).build();
  }

  /** A share that {@link ShareRules} found good. */
  static io.quotashare.core.model.QuotaShare share(QuotaShare share, ShareKey key) {
    return new io.quotashare.core.model.QuotaShare(
        key,
        new TreeMap<>(share.getCapacityMap()),
        Enums.of(CORE_STRATEGIES, share.getStrategy()),
        limit(
            share.getBorrowLimitMap(),
            share.hasBorrowLimitPercent() ? share.getBorrowLimitPercent() : UNLIMITED_PERCENT),
        limit(
            share.getLendLimitMap(),
            share.hasLendLimitPercent() ? share.getLendLimitPercent() : DEFAULT_LEND_PERCENT),
        share.getInSharePreemption(),
        share.getOrdering() == ShareOrdering.SHARE_ORDERING_BACKFILL
            ? io.quotashare.core.model.Ordering.BACKFILL
            : io.quotashare.core.model.Ordering.STRICT,
        share.hasWeight() ? share.getWeight() : 1,
        share.hasMinRuntime()
            ? Times.millis(
                new FieldChecks(), "min_runtime", share.getMinRuntime(), 0, Long.MAX_VALUE / 2)
            : 0,
        state(share.getState()));
  }

  /** An admin state; unspecified is ENABLED. */
  static io.quotashare.core.model.AdminState state(AdminState state) {
    return state == AdminState.ADMIN_STATE_DISABLED
        ? io.quotashare.core.model.AdminState.DISABLED
        : io.quotashare.core.model.AdminState.ENABLED;
  }

  /** An admin state in the words of the contract. */
  public static AdminState state(io.quotashare.core.model.AdminState state) {
    return Enums.of(STATES, state);
  }

  /** A share with what it uses. */
  public static QuotaShareStatus status(QueueView.ShareView view, PreemptionTotals lastDay) {
    QuotaShareStatus.Builder result =
        QuotaShareStatus.newBuilder()
            .setShare(share(view.share()))
            .setRemoving(view.share().state().isLeaving())
            .setPreempted24H((int) Math.min(lastDay.count(), Integer.MAX_VALUE))
            .setLostDeviceHours24H(lastDay.lostDeviceMillis() / 3_600_000.0);
    view.units().forEach(unit -> result.addUsage(usage(unit)));
    return result.build();
  }

  private static ShareUsage usage(QueueView.UnitView unit) {
    return ShareUsage.newBuilder()
        .setUnit(unit.unit())
        .setLimit(unit.limit())
        .setUsed(unit.used())
        .setOwn(unit.own())
        .setBorrowed(unit.borrowed())
        .setOver(unit.over())
        .setLent(unit.lent())
        .setIdle(unit.idle())
        .setWaitingJobs(unit.waitingJobs())
        .setWaitingGpus(unit.waitingGpus())
        .build();
  }

  private static Limit limit(Map<String, Integer> devices, int percent) {
    return devices.isEmpty()
        ? new Limit.Percent(percent)
        : new Limit.Devices(new TreeMap<>(devices));
  }
}
