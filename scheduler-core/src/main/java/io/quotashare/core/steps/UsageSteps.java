package io.quotashare.core.steps;

import io.quotashare.core.Change;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.UsageSample;
import io.quotashare.core.model.UsageSample.ShareUsage;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.State;
import io.quotashare.core.state.UsageAccounts;
import java.util.List;

/** The usage ledger over time: samples of the accounts. */
public final class UsageSteps {
  private final State state;

  public UsageSteps(State state) {
    this.state = state;
  }

  /**
   * Records the accounts of every pool that ever had devices, as they are at an instant. Those of a
   * queue that was removed do not change any more.
   *
   * @param atMillis the instant
   * @return false if something has happened since, so that the accounts are not known any more
   */
  public boolean sample(long atMillis) {
    if (atMillis < state.now()) {
      return false;
    }
    state.at(atMillis);
    for (Pool pool : state.pools().values()) {
      PoolMeter total = pool.meter().totalAt(atMillis);
      if (total.total() > 0 && state.queues().containsKey(pool.key().queue())) {
        List<ShareUsage> shares =
            UsageAccounts.of(state, pool).stream()
                .map(use -> UsageSample.account(use.meter(), use.classes()))
                .toList();
        state.recorder().change(new Change.UsageSamplePut(UsageSample.of(total, atMillis, shares)));
      }
    }
    return true;
  }

  /** Removes a sample; what lies before and after it is told by its neighbours from now on. */
  public void removeSample(PoolKey pool, long atMillis) {
    state.recorder().change(new Change.UsageSampleRemoved(pool, atMillis));
  }
}
