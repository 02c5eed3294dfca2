package io.quotashare.cli.simulate;

import io.quotashare.client.PolicyQueue;
import io.quotashare.core.Policy;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.Queue.StateTimeLimit;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import io.quotashare.core.model.Unassigned;
import io.quotashare.core.model.WaitingReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Queues and shares of a policy file as the core takes them; constants have the same names. */
final class CorePolicy {
  private static final int LEND_ALL_PERCENT = 100;

  private CorePolicy() {}

  static Policy of(List<PolicyQueue> queues) {
    List<Policy.QueuePolicy> converted = new ArrayList<>();
    for (PolicyQueue queue : queues) {
      converted.add(
          new Policy.QueuePolicy(
              queue(queue.queue()), queue.shares().stream().map(CorePolicy::share).toList()));
    }
    return new Policy(converted);
  }

  static QuotaShare share(io.quotashare.client.QuotaShare share) {
    return new QuotaShare(
        new ShareKey(share.queue(), share.id()),
        new TreeMap<>(share.capacity()),
        Strategy.valueOf(share.strategy().name()),
        limit(
            share.borrowLimitPercent(),
            share.borrowLimit(),
            io.quotashare.client.QuotaShare.UNLIMITED),
        limit(share.lendLimitPercent(), share.lendLimit(), LEND_ALL_PERCENT),
        share.inSharePreemption(),
        Ordering.valueOf(share.ordering().name()),
        share.weight(),
        share.minRuntime().toMillis(),
        AdminState.valueOf(share.state().name()));
  }

  static Queue queue(io.quotashare.client.Queue queue) {
    return new Queue(
        queue.id(),
        AdminState.valueOf(queue.state().name()),
        new TreeMap<>(queue.nodeSelector()),
        IdleAssignment.valueOf(queue.idleAssignment().name()),
        Unassigned.valueOf(queue.unassigned().name()),
        queue.maxGrace().toMillis(),
        queue.lostWorkCap().toMillis(),
        queue.restartCost().toMillis(),
        queue.stateTimeLimits().stream()
            .map(l -> new StateTimeLimit(WaitingReason.valueOf(l.reason()), l.max().toMillis()))
            .toList(),
        PreemptionMode.valueOf(queue.preemptionMode().name()));
  }

  private static Limit limit(
      @Nullable Integer percent, Map<String, Integer> devices, int defaultPercent) {
    if (percent != null) {
      return new Limit.Percent(percent);
    }
    return devices.isEmpty()
        ? new Limit.Percent(defaultPercent)
        : new Limit.Devices(new TreeMap<>(devices));
  }
}
