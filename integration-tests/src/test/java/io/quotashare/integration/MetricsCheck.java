package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotashare.client.DeviceSeconds;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.Metrics;
import java.util.HashMap;
import java.util.Map;

/** Checks that the metrics say what happened in the example of the three teams. */
final class MetricsCheck {
  private MetricsCheck() {}

  /** After the sequence, with all four jobs finished. */
  static void afterTheSequence(Cluster cluster) {
    DeviceSeconds before = cluster.client().queues().usageReport(ThreeTeams.QUEUE).classes();
    Metrics metrics = Metrics.of(cluster);
    DeviceSeconds after = cluster.client().queues().usageReport(ThreeTeams.QUEUE).classes();

    Map<String, String> background = share("background");
    assertThat(metrics.sum("quotashare_share_devices", with(background, "kind", "limit"))).isOne();
    assertThat(metrics.sum("quotashare_share_devices", with(background, "kind", "borrowed")))
        .isZero();
    assertThat(metrics.sum("quotashare_jobs", with(background, "state", "SUCCEEDED"))).isEqualTo(3);
    assertThat(metrics.sum("quotashare_jobs", with(share("vision"), "state", "SUCCEEDED"))).isOne();
    assertThat(metrics.sum("quotashare_preemptions_total", with(background, "cause", "RECLAIM")))
        .isOne();
    assertThat(metrics.sum("quotashare_preemptions_total", with(background, "cause", "IN_SHARE")))
        .isOne();
    assertThat(metrics.sum("quotashare_futile_preemptions_total", Map.of())).isZero();
    // high and med started twice, low and owner once.
    assertThat(metrics.sum("quotashare_waiting_seconds_count", background)).isEqualTo(5);
    assertThat(metrics.sum("quotashare_waiting_seconds_count", share("vision"))).isOne();
    assertThat(metrics.sum("quotashare_agents", Map.of("state", "connected"))).isEqualTo(3);
    assertThat(metrics.sum("quotashare_agents", Map.of("state", "lost"))).isZero();
    assertThat(metrics.sum("quotashare_leader", Map.of())).isOne();
    assertThat(metrics.sum("quotashare_store_writable", Map.of())).isOne();
    assertThat(metrics.sum("quotashare_commit_seconds_count", Map.of())).isPositive();
    assertThat(metrics.sum("quotashare_decision_seconds_count", Map.of())).isPositive();
    assertThat(metrics.sum("quotashare_device_seconds_total", Map.of("kind", "useful")))
        .isCloseTo(after.useful(), within(0.01));
    assertThat(metrics.sum("quotashare_device_seconds_total", Map.of("kind", "idle")))
        .isBetween(before.idle() - 0.01, after.idle() + 0.01);
    assertThat(metrics.sum("quotashare_device_seconds_total", Map.of("kind", "reserved_idle")))
        .isBetween(before.reservedIdle() - 0.01, after.reservedIdle() + 0.01);
  }

  private static Map<String, String> share(String share) {
    return Map.of("queue", ThreeTeams.QUEUE, "share", share);
  }

  private static Map<String, String> with(Map<String, String> labels, String key, String value) {
    Map<String, String> more = new HashMap<>(labels);
    more.put(key, value);
    return more;
  }
}
