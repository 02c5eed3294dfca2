package io.quotashare.core.state;

import io.quotashare.core.UsageReport;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.ShareMeter;
import java.util.ArrayList;
import java.util.List;

/** The accounts of the shares of a pool at the present instant. */
public final class UsageAccounts {
  private UsageAccounts() {}

  /**
   * One account a share, by share. Shares that were deleted are among them: what they held stays in
   * the sums.
   */
  public static List<UsageReport.ShareUse> of(State state, Pool pool) {
    List<UsageReport.ShareUse> result = new ArrayList<>();
    for (ShareState share : pool.shares().values()) {
      ShareMeter meter = pool.meter().shareAt(share.key(), state.now());
      DeviceMillis classes = meter.ended();
      for (Running.Entry entry : share.running().all()) {
        classes = classes.plus(pool.meter().classesOf(entry.attempt(), state.now()));
      }
      result.add(new UsageReport.ShareUse(meter, classes));
    }
    for (ShareMeter meter : pool.meter().shares()) {
      if (!pool.shares().containsKey(meter.share())) {
        result.add(new UsageReport.ShareUse(meter, meter.ended()));
      }
    }
    return result;
  }
}
