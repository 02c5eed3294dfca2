package io.quotashare.server.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.store.StoreStatistics;
import java.util.ArrayList;
import java.util.List;

/** How much the store holds, and what was removed from it. */
final class StoreMetrics {
  /** Tables from which rows are removed because their time is over. */
  private static final List<String> KEPT_FOR_A_TIME =
      List.of(
          "jobs",
          "attempts",
          "preemptions",
          "observed_preemptions",
          "audit",
          "requests",
          "usage_samples");

  private final StateStore store;
  private final MultiGauge rows;

  StoreMetrics(MeterRegistry registry, StateStore store) {
    this.store = requireNonNull(store, "store is null");
    this.rows =
        MultiGauge.builder("quotashare.store.rows")
            .description("Rows of the database by table")
            .register(registry);
    Gauge.builder("quotashare.store.bytes", store, s -> s.statistics().bytes())
        .description("Bytes of the database on the disk, its write-ahead log included")
        .register(registry);
    for (String table : KEPT_FOR_A_TIME) {
      FunctionCounter.builder(
              "quotashare.store.removed.rows",
              store,
              s -> s.statistics().removed().getOrDefault(table, 0L))
          .description("Rows that were removed because their time was over, by table")
          .tag("kind", table)
          .register(registry);
    }
  }

  void refresh() {
    StoreStatistics statistics = store.statistics();
    List<Row<?>> all = new ArrayList<>();
    statistics.rows().forEach((table, count) -> all.add(Row.of(Tags.of("kind", table), count)));
    rows.register(all, true);
  }
}
