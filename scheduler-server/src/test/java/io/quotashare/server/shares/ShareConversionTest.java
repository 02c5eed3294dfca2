package io.quotashare.server.shares;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import io.quotashare.core.model.Unassigned;
import io.quotashare.core.model.WaitingReason;
import io.quotashare.server.grpc.FieldChecks;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A share or a queue that goes out and comes back is the same. */
class ShareConversionTest {
  private static final ShareKey KEY = new ShareKey("q", "s");

  @Property(tries = 300)
  void shareSurvivesTheWayOutAndBack(@ForAll("shares") QuotaShare share) {
    io.quotashare.proto.v1.QuotaShare out = ShareConverter.share(share);

    FieldChecks checks = new FieldChecks();
    ShareRules.check(out, checks);

    checks.throwIfAny();
    QuotaShare back = ShareConverter.share(out, KEY);
    assertThat(ShareConverter.share(back)).isEqualTo(out);
    assertThat(back.capacity()).isEqualTo(share.capacity());
    assertThat(back.strategy()).isEqualTo(share.strategy());
    // A limit that its strategy does not use is not told, and does not count.
    assertThat(back.borrowLimit("H100")).isEqualTo(share.borrowLimit("H100"));
    assertThat(back.lendLimit("H100")).isEqualTo(share.lendLimit("H100"));
  }

  @Property(tries = 100)
  void queueSurvivesTheWayOutAndBack(@ForAll("queues") Queue queue) {
    io.quotashare.proto.v1.Queue out = QueueConverter.queue(queue);

    FieldChecks checks = new FieldChecks();
    QueueRules.check(out, checks);

    checks.throwIfAny();
    assertThat(QueueConverter.queue(out, "q")).isEqualTo(queue);
  }

  @Provide
  Arbitrary<QuotaShare> shares() {
    Arbitrary<Limit> borrow =
        Arbitraries.oneOf(
            Arbitraries.integers().between(-1, 1000).map(Limit.Percent::new),
            devices().map(Limit.Devices::new));
    Arbitrary<Limit> lend =
        Arbitraries.oneOf(
            Arbitraries.integers().between(0, 100).map(Limit.Percent::new),
            devices().map(Limit.Devices::new));
    return Combinators.combine(
            Arbitraries.integers().between(0, 1000),
            Arbitraries.of(Strategy.values()),
            borrow,
            lend,
            Arbitraries.of(true, false),
            Arbitraries.of(Ordering.values()),
            Arbitraries.integers().between(1, 1000),
            Arbitraries.longs().between(0, 1_000_000))
        .as(
            (capacity, strategy, b, l, inShare, ordering, weight, minRuntime) ->
                new QuotaShare(
                    KEY,
                    new TreeMap<>(Map.of("H100", capacity)),
                    strategy,
                    b,
                    l,
                    inShare,
                    ordering,
                    weight,
                    minRuntime,
                    inShare ? AdminState.ENABLED : AdminState.DISABLED));
  }

  private static Arbitrary<SortedMap<String, Integer>> devices() {
    return Arbitraries.integers()
        .between(0, 1000)
        .map(devices -> new TreeMap<>(Map.of("H100", devices)));
  }

  @Provide
  Arbitrary<Queue> queues() {
    return Combinators.combine(
            Arbitraries.of(AdminState.ENABLED, AdminState.DISABLED),
            Arbitraries.of(IdleAssignment.values()),
            Arbitraries.of(Unassigned.values()),
            Arbitraries.longs().between(0, 86_400_000),
            Arbitraries.longs().between(0, 1_000_000_000),
            Arbitraries.of(WaitingReason.values()),
            Arbitraries.of(PreemptionMode.values()))
        .as(
            (state, idle, unassigned, grace, cap, reason, mode) ->
                new Queue(
                    "q",
                    state,
                    new TreeMap<>(Map.of("pool", "x")),
                    idle,
                    unassigned,
                    grace,
                    cap,
                    cap,
                    List.of(new Queue.StateTimeLimit(reason, grace + 1)),
                    mode));
  }
}
