package io.quotashare.server.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.quotashare.core.UsageReport;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.Queue;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.Step;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counters of where device-seconds went. The classes of held devices count what has ended, since
 * the work of an attempt that still runs may turn out to be lost, and a counter must not go back.
 */
final class UsageMetrics {
  private static final Logger log = LoggerFactory.getLogger(UsageMetrics.class);
  private static final long MAX_WAIT_MILLIS = 1_000;

  private final MeterRegistry registry;
  private final Engine engine;
  private final Map<Tags, AtomicLong> millisByTags = new ConcurrentHashMap<>();
  private final AtomicLong futile = new AtomicLong();
  private final AtomicLong paused = new AtomicLong();

  UsageMetrics(MeterRegistry registry, Engine engine) {
    this.registry = requireNonNull(registry, "registry is null");
    this.engine = requireNonNull(engine, "engine is null");
    FunctionCounter.builder("quotashare.futile.preemptions", futile, AtomicLong::doubleValue)
        .description("Preemptions whose beneficiary did not start on what they freed")
        .register(registry);
    Gauge.builder("quotashare.scheduling.paused", paused, AtomicLong::doubleValue)
        .description("1 while an operator has paused scheduling")
        .register(registry);
  }

  /** Asks the engine; if it does not answer in time, the counters stay as they are. */
  void refresh() {
    CompletableFuture<Asked> asked = engine.call(step -> UsageMetrics::read);
    try {
      Asked answer = asked.get(MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
      paused.set(answer.paused() ? 1 : 0);
      answer.usage().forEach(this::show);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.debug("no usage for the metrics this time", e);
    }
  }

  /** What the engine is asked for. */
  private record Asked(boolean paused, Map<String, UsageReport> usage) {}

  private static Asked read(Step step) {
    Map<String, UsageReport> reports = new LinkedHashMap<>();
    for (Queue queue : step.scheduler().queues()) {
      reports.put(queue.name(), step.scheduler().usage(queue.name(), step.nowMillis()));
    }
    return new Asked(step.scheduler().paused().isPresent(), reports);
  }

  private void show(String queue, UsageReport report) {
    futile.set(report.futilePreemptions());
    for (UsageReport.ShareUse use : report.shares()) {
      Tags tags =
          Tags.of("queue", queue, "share", use.meter().share().share(), "unit", use.meter().unit());
      DeviceMillis ended = use.meter().ended();
      count(tags.and("kind", "useful"), ended.useful());
      count(tags.and("kind", "startup"), ended.startup());
      count(tags.and("kind", "lost"), ended.lost());
      count(tags.and("kind", "saving"), ended.saving());
      count(tags.and("kind", "draining"), ended.draining());
    }
    for (PoolMeter pool : report.pools()) {
      Tags tags = Tags.of("queue", queue, "share", "", "unit", pool.pool().unit());
      count(tags.and("kind", "held_for_beneficiary"), pool.heldForBeneficiary());
      count(tags.and("kind", "reserved_idle"), pool.reservedIdle());
      count(tags.and("kind", "idle"), pool.idle());
      count(tags.and("kind", "unhealthy"), pool.unhealthy());
      count(tags.and("kind", "outside"), pool.outside());
    }
  }

  private void count(Tags tags, long millis) {
    millisByTags
        .computeIfAbsent(
            tags,
            t -> {
              AtomicLong value = new AtomicLong();
              FunctionCounter.builder(
                      "quotashare.device.seconds", value, v -> v.doubleValue() / 1000)
                  .description("Device-seconds by what the devices were used for")
                  .tags(t)
                  .register(registry);
              return value;
            })
        .accumulateAndGet(millis, Math::max);
  }
}
