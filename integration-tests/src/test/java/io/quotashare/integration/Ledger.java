package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotashare.client.ShareDeviceSeconds;
import io.quotashare.client.UsageReport;
import io.quotashare.integration.cluster.Cluster;
import java.time.Duration;
import java.util.Objects;

/** Checks that every device-second of a queue is accounted for, once. */
final class Ledger {
  /** Sums of numbers with a fraction. */
  private static final double ROUNDING = 0.01;

  private final UsageReport report;

  private Ledger(UsageReport report) {
    this.report = report;
  }

  static Ledger of(Cluster cluster, String queue) {
    return new Ledger(cluster.client().queues().usageReport(queue));
  }

  /**
   * The classes add up to devices times wall time, the shares to what was held, and no preemption
   * was for nothing.
   *
   * @param devices devices of the queue from its start to now, though not all from the first moment
   */
  void check(int devices) {
    assertThat(report.classes().sum())
        .as("sum of all classes")
        .isCloseTo(report.totalDeviceSeconds(), within(ROUNDING));
    double wallSeconds =
        Duration.between(
                    Objects.requireNonNull(report.start()), Objects.requireNonNull(report.end()))
                .toMillis()
            / 1000.0;
    assertThat(report.totalDeviceSeconds())
        .as("devices times wall time")
        .isLessThanOrEqualTo(devices * wallSeconds + ROUNDING)
        .isGreaterThan(devices * wallSeconds * 0.6);
    double held = 0;
    for (ShareDeviceSeconds share : report.shares()) {
      assertThat(share.own() + share.borrowed() + share.over())
          .as("own, borrowed and over of " + share.share())
          .isCloseTo(share.classes().held(), within(ROUNDING));
      held += share.classes().held();
    }
    assertThat(held).as("held by all shares").isCloseTo(report.classes().held(), within(ROUNDING));
    assertThat(report.futilePreemptions()).as("futile preemptions").isZero();
  }
}
