package io.quotashare.server.shares;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.QueueView;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.server.engine.EngineClock;
import io.quotashare.server.store.PreemptionTotals;
import io.quotashare.server.store.StateStore;
import jakarta.inject.Inject;
import java.util.Map;

/** Adds what a share suffered in the last 24 hours to what it uses. */
public final class LastDay {
  private static final long DAY_MILLIS = 24 * 3_600_000L;
  private static final PreemptionTotals NOTHING = new PreemptionTotals(0, 0);

  private final StateStore store;
  private final EngineClock clock;

  @Inject
  public LastDay(StateStore store, EngineClock clock) {
    this.store = requireNonNull(store, "store is null");
    this.clock = requireNonNull(clock, "clock is null");
  }

  /** The totals of a queue, read once. */
  public OfQueue of(String queue) {
    return new OfQueue(store.preemptionTotals(queue, clock.nowMillis() - DAY_MILLIS));
  }

  /** Totals of one queue by share id. */
  public record OfQueue(Map<String, PreemptionTotals> byShare) {
    /** A share with what it uses and what it suffered. */
    public QuotaShareStatus status(QueueView.ShareView view) {
      return ShareConverter.status(view, byShare.getOrDefault(view.share().key().share(), NOTHING));
    }
  }
}
