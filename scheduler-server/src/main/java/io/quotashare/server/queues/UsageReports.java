package io.quotashare.server.queues;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.UsageReport;
import io.quotashare.core.model.UsageSample;
import io.quotashare.proto.v1.GetUsageReportRequest;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.EngineClock;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.view.ReadModel;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Answers for what devices were used, by differences of the ledger's sums: the present ones, which
 * the engine knows, and those of earlier instants, which the store keeps.
 */
final class UsageReports {
  /** Accounts of shares in all intervals together; more would not fit into a message. */
  private static final int MAX_ACCOUNTS = 20_000;

  private final Engine engine;
  private final EngineClock clock;
  private final ReadModel readModel;
  private final StateStore store;
  private final Executor executor;

  @Inject
  UsageReports(
      Engine engine,
      EngineClock clock,
      ReadModel readModel,
      StateStore store,
      @Named(QueuesModule.READS) Executor executor) {
    this.engine = requireNonNull(engine, "engine is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.readModel = requireNonNull(readModel, "readModel is null");
    this.store = requireNonNull(store, "store is null");
    this.executor = requireNonNull(executor, "executor is null");
  }

  /** What the engine says. */
  private record Present(UsageReport usage, long nowMillis) {}

  /** The report of a queue that exists. */
  CompletableFuture<GetUsageReportResponse> report(String queue, GetUsageReportRequest request) {
    UsageQuery query = UsageQuery.of(request, clock.nowMillis());
    CompletableFuture<Present> present =
        engine.call(
            step ->
                decided ->
                    new Present(
                        decided.scheduler().usage(queue, decided.nowMillis()),
                        decided.nowMillis()));
    // The store is read on another thread than the engine's.
    return present.thenApplyAsync(now -> report(queue, query, now), executor);
  }

  private GetUsageReportResponse report(String queue, UsageQuery query, Present present) {
    checkShare(queue, query, present.usage());
    long nowMillis = present.nowMillis();
    long begin =
        present.usage().pools().stream()
            .mapToLong(pool -> Math.min(pool.startedAtMillis(), nowMillis))
            .min()
            .orElse(nowMillis);
    UsageInstants instants = new UsageInstants(store.usageInstants(queue), begin, nowMillis);
    long start = instants.start(query);
    long end = Math.max(start, instants.end(query));
    FieldChecks checks = new FieldChecks();
    query.checkIntervals(checks, start, end);
    checks.throwIfAny();
    List<Long> cuts = instants.split(query, start, end);
    checkSize(cuts, query, present.usage());
    return UsageWriter.report(
        points(queue, cuts, begin, present),
        query.stepMillis().isPresent(),
        query.share(),
        present.usage().futilePreemptions());
  }

  private void checkShare(String queue, UsageQuery query, UsageReport usage) {
    String share = query.share();
    boolean exists =
        readModel.current().queues().get(queue).shares().stream()
            .anyMatch(view -> view.share().key().share().equals(share));
    boolean existed =
        usage.shares().stream().anyMatch(use -> use.meter().share().share().equals(share));
    if (!share.isEmpty() && !exists && !existed) {
      throw Errors.notFound("share", "queues/" + queue + "/shares/" + share);
    }
  }

  private static void checkSize(List<Long> cuts, UsageQuery query, UsageReport usage) {
    long accounts = query.share().isEmpty() ? usage.shares().size() : usage.pools().size();
    if (accounts * cuts.size() > MAX_ACCOUNTS) {
      throw Errors.invalid(
          "step",
          cuts.size()
              - 1
              + " intervals with "
              + accounts
              + " accounts each (expected: at most "
              + MAX_ACCOUNTS
              + " together): ask for one share, or for a longer step");
    }
  }

  private List<UsagePoint> points(String queue, List<Long> cuts, long begin, Present present) {
    List<Long> kept = cuts.stream().filter(at -> at != begin && at != present.nowMillis()).toList();
    Map<Long, Map<String, UsageSample>> byInstant = new HashMap<>();
    for (UsageSample sample : store.usageSamples(queue, kept)) {
      byInstant
          .computeIfAbsent(sample.atMillis(), at -> new HashMap<>())
          .put(sample.pool().unit(), sample);
    }
    List<UsagePoint> points = new ArrayList<>();
    for (long at : cuts) {
      points.add(
          at == present.nowMillis()
              ? UsagePoint.of(present.usage(), at)
              : new UsagePoint(at, byInstant.getOrDefault(at, Map.of())));
    }
    return points;
  }
}
