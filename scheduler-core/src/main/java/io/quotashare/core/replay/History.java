package io.quotashare.core.replay;

import io.quotashare.core.JobEvent;
import io.quotashare.core.Scheduler;
import io.quotashare.core.UsageReport;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.PoolMeter;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.ShareMeter;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.replay.ReplaySummary.JobCounts;
import io.quotashare.core.replay.ReplaySummary.NotHeld;
import io.quotashare.core.replay.ReplaySummary.ShareSummary;
import io.quotashare.core.replay.ReplaySummary.Waits;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What must be remembered of a replay for its expectations and its summary: numbers by job, not the
 * events.
 */
final class History {
  private final Map<JobKey, Wait> waits = new HashMap<>();
  private final Map<JobKey, Integer> preemptionsByJob = new HashMap<>();
  private final Set<JobKey> wouldPreempt = new HashSet<>();
  private final Map<StopCause, Integer> preemptionsByCause = new EnumMap<>(StopCause.class);
  private final Map<ShareKey, List<Long>> endedWaits = new HashMap<>();
  private int submitted;
  private int succeeded;
  private int failed;
  private int cancelled;
  private long firstSubmissionMillis = Long.MAX_VALUE;
  private long lastEndMillis = Long.MIN_VALUE;

  /** How long a job has waited so far, and since when it waits again. */
  private static final class Wait {
    private long totalMillis;
    private long sinceMillis;
    private boolean waits;

    void begin(long nowMillis) {
      if (!waits) {
        waits = true;
        sinceMillis = nowMillis;
      }
    }

    void end(long nowMillis) {
      totalMillis = totalAt(nowMillis);
      waits = false;
    }

    long totalAt(long nowMillis) {
      return totalMillis + (waits ? nowMillis - sinceMillis : 0);
    }
  }

  History() {
    for (StopCause cause : StopCause.values()) {
      if (cause.isPreemption()) {
        preemptionsByCause.put(cause, 0);
      }
    }
  }

  /** A job that ran before the replay began. */
  void adopted(JobKey job, long nowMillis) {
    submitted++;
    firstSubmissionMillis = Math.min(firstSubmissionMillis, nowMillis);
    waits.put(job, new Wait());
  }

  /** Takes note of what happened. */
  void note(JobEvent event) {
    long at = event.atMillis();
    Job job = event.job();
    switch (event.type()) {
      case SUBMITTED -> {
        submitted++;
        firstSubmissionMillis = Math.min(firstSubmissionMillis, at);
        waitOf(job.key()).begin(at);
      }
      case RUNNABLE -> waitOf(job.key()).begin(at);
      case STARTED -> waitOf(job.key()).end(at);
      case PREEMPTING -> {
        preemptionsByJob.merge(job.key(), 1, Integer::sum);
        if (event.attempt() != null && event.attempt().stop() != null) {
          preemptionsByCause.merge(event.attempt().stop().cause(), 1, Integer::sum);
        }
      }
      case SUCCEEDED -> {
        succeeded++;
        ended(job, at);
      }
      case FAILED -> {
        failed++;
        ended(job, at);
      }
      case CANCELLED -> {
        cancelled++;
        ended(job, at);
      }
      case WAITING, RUNNING, CHECKPOINTED, STOPPED, PRIORITY, UPDATED -> {}
    }
  }

  /** Takes note of a victim that is not stopped. */
  void note(ObservedPreemption preemption) {
    wouldPreempt.add(preemption.victim().job());
  }

  /** Whether a queue that only observes chose the job as a victim so far. */
  boolean wouldHavePreempted(JobKey job) {
    return wouldPreempt.contains(job);
  }

  /** How often the job was chosen as a victim so far. */
  int preemptionsOf(JobKey job) {
    return preemptionsByJob.getOrDefault(job, 0);
  }

  /** The figures up to now. */
  ReplaySummary summary(Scheduler scheduler, long nowMillis) {
    Map<ShareKey, List<Long>> byShare = waitsByShare(scheduler, nowMillis);
    List<Long> all = new ArrayList<>();
    byShare.values().forEach(all::addAll);
    SortedMap<String, SortedMap<String, ShareSummary>> shares = new TreeMap<>();
    DeviceMillis held = DeviceMillis.ZERO;
    long heldMillis = 0;
    long totalMillis = 0;
    NotHeld notHeld = new NotHeld(0, 0, 0, 0, 0);
    long futile = 0;
    for (Queue queue : scheduler.queues()) {
      UsageReport usage = scheduler.usage(queue.name(), nowMillis);
      futile = usage.futilePreemptions();
      for (UsageReport.ShareUse use : usage.shares()) {
        held = held.plus(use.classes());
      }
      for (PoolMeter pool : usage.pools()) {
        heldMillis += pool.held();
        totalMillis += pool.total();
        notHeld = plus(notHeld, pool);
      }
      shares.put(queue.name(), shareSummaries(scheduler, queue.name(), usage, byShare));
    }
    return new ReplaySummary(
        totalMillis == 0 ? 0 : (double) heldMillis / totalMillis,
        Waits.of(all),
        makespanMillis(nowMillis),
        new JobCounts(submitted, succeeded, failed, cancelled),
        preemptionsByCause,
        futile,
        held,
        notHeld,
        shares);
  }

  private SortedMap<String, ShareSummary> shareSummaries(
      Scheduler scheduler, String queue, UsageReport usage, Map<ShareKey, List<Long>> byShare) {
    SortedMap<String, ShareSummary> summaries = new TreeMap<>();
    for (QuotaShare share : scheduler.shares(queue)) {
      Waits waits = Waits.of(byShare.getOrDefault(share.key(), List.of()));
      ShareSummary sum = new ShareSummary(0, 0, 0, 0, waits);
      for (UsageReport.ShareUse use : usage.shares()) {
        if (use.meter().share().equals(share.key())) {
          sum = plus(sum, use);
        }
      }
      summaries.put(share.key().share(), sum);
    }
    return summaries;
  }

  private Map<ShareKey, List<Long>> waitsByShare(Scheduler scheduler, long nowMillis) {
    Map<ShareKey, List<Long>> byShare = new TreeMap<>();
    endedWaits.forEach((share, list) -> byShare.put(share, new ArrayList<>(list)));
    waits.forEach(
        (key, wait) ->
            scheduler
                .job(key)
                .ifPresent(
                    job ->
                        byShare
                            .computeIfAbsent(job.share(), share -> new ArrayList<>())
                            .add(wait.totalAt(nowMillis))));
    return byShare;
  }

  private long makespanMillis(long nowMillis) {
    if (submitted == 0) {
      return 0;
    }
    return (waits.isEmpty() ? lastEndMillis : nowMillis) - firstSubmissionMillis;
  }

  private void ended(Job job, long nowMillis) {
    Wait wait = waitOf(job.key());
    wait.end(nowMillis);
    waits.remove(job.key());
    endedWaits.computeIfAbsent(job.share(), share -> new ArrayList<>()).add(wait.totalMillis);
    lastEndMillis = Math.max(lastEndMillis, nowMillis);
  }

  private Wait waitOf(JobKey job) {
    return waits.computeIfAbsent(job, key -> new Wait());
  }

  private static NotHeld plus(NotHeld sum, PoolMeter pool) {
    return new NotHeld(
        sum.heldForBeneficiary() + pool.heldForBeneficiary(),
        sum.reservedIdle() + pool.reservedIdle(),
        sum.idle() + pool.idle(),
        sum.unhealthy() + pool.unhealthy(),
        sum.outside() + pool.outside());
  }

  private static ShareSummary plus(ShareSummary sum, UsageReport.ShareUse use) {
    ShareMeter meter = use.meter();
    return new ShareSummary(
        sum.own() + meter.own(),
        sum.borrowed() + meter.borrowed() + meter.over(),
        sum.lent() + meter.lent(),
        sum.lost() + use.classes().lost(),
        sum.waits());
  }
}
