package io.quotashare.server.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.quotashare.core.QueueView;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Node;
import io.quotashare.server.agents.AgentSessions;
import io.quotashare.server.dryrun.DryRuns;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.logs.LogRelay;
import io.quotashare.server.view.JobView;
import io.quotashare.server.view.ReadModel;
import io.quotashare.server.view.Snapshot;
import io.quotashare.server.watch.WatchHub;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gauges of the present state, taken from the read model when somebody asks. */
final class StateMetrics {
  private final ReadModel readModel;
  private final AgentSessions sessions;
  private final MultiGauge devices;
  private final MultiGauge jobs;
  private final MultiGauge agents;

  StateMetrics(
      MeterRegistry registry,
      Engine engine,
      ReadModel readModel,
      AgentSessions sessions,
      WatchHub watches,
      LogRelay logs,
      DryRuns dryRuns) {
    this.readModel = requireNonNull(readModel, "readModel is null");
    this.sessions = requireNonNull(sessions, "sessions is null");
    this.devices =
        MultiGauge.builder("quotashare.share.devices")
            .description("Devices of a share by what they are to it")
            .register(registry);
    this.jobs =
        MultiGauge.builder("quotashare.jobs")
            .description("Jobs of a share by state")
            .register(registry);
    this.agents =
        MultiGauge.builder("quotashare.agents")
            .description("Nodes by what the scheduler hears of their agents")
            .register(registry);
    Gauge.builder("quotashare.leader", () -> 1)
        .description("1 on the scheduler that leads")
        .register(registry);
    Gauge.builder("quotashare.engine.queue", engine, Engine::queued)
        .description("Calls and reports that wait for the engine")
        .register(registry);
    FunctionCounter.builder("quotashare.reports.set.aside", engine, Engine::reportsSetAside)
        .description("Reports of agents that were not taken, since the scheduler faults on them")
        .register(registry);
    Gauge.builder("quotashare.store.writable", engine, e -> e.storeTrouble() == null ? 1 : 0)
        .description("0 while nothing can be made durable")
        .register(registry);
    Gauge.builder("quotashare.watches", watches, WatchHub::size)
        .description("Open watches")
        .register(registry);
    Gauge.builder("quotashare.dry.runs", dryRuns, DryRuns::size)
        .description("Plans and lists of loans that wait or are decided")
        .register(registry);
    Gauge.builder("quotashare.log.streams", logs, LogRelay::size)
        .description("Open log streams")
        .register(registry);
  }

  void refresh() {
    Snapshot snapshot = readModel.current();
    devices.register(deviceRows(snapshot), true);
    jobs.register(jobRows(snapshot), true);
    agents.register(agentRows(snapshot), true);
  }

  private static List<Row<?>> deviceRows(Snapshot snapshot) {
    List<Row<?>> rows = new ArrayList<>();
    for (QueueView queue : snapshot.queues().values()) {
      for (QueueView.ShareView share : queue.shares()) {
        for (QueueView.UnitView unit : share.units()) {
          Tags tags =
              Tags.of(
                  "queue",
                  queue.queue().name(),
                  "share",
                  share.share().key().share(),
                  "unit",
                  unit.unit());
          rows.add(Row.of(tags.and("kind", "limit"), unit.limit()));
          rows.add(Row.of(tags.and("kind", "own"), unit.own()));
          rows.add(Row.of(tags.and("kind", "borrowed"), unit.borrowed()));
          rows.add(Row.of(tags.and("kind", "lent"), unit.lent()));
          rows.add(Row.of(tags.and("kind", "over"), unit.over()));
          rows.add(Row.of(tags.and("kind", "idle"), unit.idle()));
        }
      }
    }
    return rows;
  }

  private static List<Row<?>> jobRows(Snapshot snapshot) {
    record Cell(String queue, String share, JobState state) {}
    Map<Cell, Integer> counts = new LinkedHashMap<>();
    for (JobView view : snapshot.jobs().values()) {
      counts.merge(
          new Cell(view.job().key().queue(), view.job().spec().share(), view.job().state()),
          1,
          Integer::sum);
    }
    List<Row<?>> rows = new ArrayList<>();
    counts.forEach(
        (cell, count) ->
            rows.add(
                Row.of(
                    Tags.of(
                        "queue", cell.queue(), "share", cell.share(), "state", cell.state().name()),
                    count)));
    return rows;
  }

  private List<Row<?>> agentRows(Snapshot snapshot) {
    int connected = 0;
    int silent = 0;
    int lost = 0;
    for (Node node : snapshot.nodes().values()) {
      if (node.liveness() == Node.Liveness.LOST) {
        lost++;
      } else if (sessions.isConnected(node.name()) && node.liveness() == Node.Liveness.ALIVE) {
        connected++;
      } else {
        silent++;
      }
    }
    return List.of(
        Row.of(Tags.of("state", "connected"), connected),
        Row.of(Tags.of("state", "silent"), silent),
        Row.of(Tags.of("state", "lost"), lost));
  }
}
