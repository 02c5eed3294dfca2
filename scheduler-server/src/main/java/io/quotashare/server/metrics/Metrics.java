package io.quotashare.server.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotashare.server.agents.AgentSessions;
import io.quotashare.server.dryrun.DryRuns;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.logs.LogRelay;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.view.ReadModel;
import io.quotashare.server.watch.WatchHub;
import jakarta.inject.Inject;

/** All metrics, in the text format of Prometheus. docs/metrics.md describes each. */
public final class Metrics {
  private final PrometheusMeterRegistry registry;
  private final StateMetrics state;
  private final UsageMetrics usage;
  private final StoreMetrics store;

  @Inject
  public Metrics(
      PrometheusMeterRegistry registry,
      Engine engine,
      ReadModel readModel,
      AgentSessions sessions,
      WatchHub watches,
      LogRelay logs,
      DryRuns dryRuns,
      StateStore store) {
    this.registry = requireNonNull(registry, "registry is null");
    this.state = new StateMetrics(registry, engine, readModel, sessions, watches, logs, dryRuns);
    this.usage = new UsageMetrics(registry, engine);
    this.store = new StoreMetrics(registry, store);
  }

  /** The present values. */
  public String scrape() {
    synchronized (registry) {
      state.refresh();
      usage.refresh();
      store.refresh();
      return registry.scrape();
    }
  }
}
