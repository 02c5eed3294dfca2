package io.quotashare.core;

import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.ShareMeter;
import java.util.List;

/**
 * Where every device-second of a queue went (quota-semantics 6.7).
 *
 * @param pools one a capacity unit, counted up to the instant of the report
 * @param shares one a share and unit, likewise
 * @param futilePreemptions of all queues: preemptions whose beneficiary did not start on what they
 *     freed
 */
public record UsageReport(List<PoolMeter> pools, List<ShareUse> shares, long futilePreemptions) {
  public UsageReport {
    pools = List.copyOf(pools);
    shares = List.copyOf(shares);
  }

  /**
   * Account of one share and unit.
   *
   * @param meter integrals
   * @param classes of all it ever held, live attempts included; their total is own + borrowed +
   *     over of the meter
   */
  public record ShareUse(ShareMeter meter, DeviceMillis classes) {}
}
