package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotashare.client.DeviceSeconds;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks that the metrics say what happened in the example of the three teams. */
final class MetricsCheck {
  private static final Pattern DOCUMENTED =
      Pattern.compile("^\\| `(quotashare_[a-z_]+)` \\| (gauge|counter|histogram) ");

  private MetricsCheck() {}

  /** After the sequence, with all four jobs finished. */
  static void afterTheSequence(Cluster cluster) {
    DeviceSeconds before = cluster.client().queues().usageReport(ThreeTeams.QUEUE).classes();
    Metrics metrics = Metrics.of(cluster);
    documentedIsServed(metrics);
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

  /** docs/metrics.md names what is served, and nothing else of ours is served. */
  private static void documentedIsServed(Metrics metrics) {
    Map<String, String> documented = new HashMap<>();
    for (String line : lines(Path.of("../docs/metrics.md"))) {
      Matcher row = DOCUMENTED.matcher(line);
      if (row.find()) {
        documented.put(row.group(1), row.group(2));
      }
    }
    assertThat(documented).hasSizeGreaterThan(10);
    // Its queue enforces, so nothing is only observed.
    assertThat(documented.remove("quotashare_observed_preemptions_total")).isNotNull();
    Set<String> expected = new TreeSet<>();
    documented.forEach(
        (name, type) -> {
          List<String> suffixes =
              type.equals("histogram") ? List.of("_bucket", "_count", "_sum", "_max") : List.of("");
          suffixes.forEach(suffix -> expected.add(name + suffix));
        });
    assertThat(metrics.names())
        .filteredOn(name -> name.startsWith("quotashare_"))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
