package io.quotashare.core.property;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.QuotaShare;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A start that borrows gives no victims to the first job of another share that had none: they would
 * be stopped without a new fact (docs/design-decisions.md, and 6.6). The rows are asked as they are
 * and with the start written into them.
 */
final class ShortLoanRule {
  /** Most placements that are tried. */
  private static final int MAX_PLACEMENTS = 100;

  /** Whether a loan would be taken back. */
  enum Verdict {
    YES,
    NO,
    UNKNOWN
  }

  private ShortLoanRule() {}

  /** Whether a job that could borrow now would be taken back, wherever it may start. */
  static Verdict of(Mirror rows, PoolKey pool, Job job, long now) {
    Set<Verdict> verdicts = new HashSet<>();
    List<List<Part>> placements = new ArrayList<>();
    place(rows, Facts.of(rows, pool, job), job, new ArrayList<>(), placements);
    for (List<Part> parts : placements) {
      AttemptKey key = new AttemptKey(job.key(), job.attempts() + 1);
      verdicts.add(
          of(rows, Attempt.scheduled(key, job.share(), pool.unit(), parts, now, false), now));
    }
    boolean all = verdicts.size() == 1 && placements.size() < MAX_PLACEMENTS;
    return all ? verdicts.iterator().next() : Verdict.UNKNOWN;
  }

  /** Whether an attempt that borrows would be taken back if it started now. */
  static Verdict of(Mirror rows, Attempt loan, long now) {
    PoolKey pool = loan.pool();
    Verdict verdict = Verdict.NO;
    if (rows.observesOnly(pool.queue())) {
      return verdict;
    }
    Mirror after = rows.copy();
    after.apply(new Change.AttemptPut(loan));
    for (QuotaShare share : rows.sharesOf(pool)) {
      List<Job> line = Rules.line(rows, pool, share.key());
      boolean other = !share.key().equals(loan.share()) && Rules.isEnabled(rows, pool, share);
      if (other && !line.isEmpty()) {
        Choice.Verdict with = reclaim(after, pool, line.get(0), now);
        Choice.Verdict without = reclaim(rows, pool, line.get(0), now);
        if (with == Choice.Verdict.UNKNOWN || without == Choice.Verdict.UNKNOWN) {
          verdict = Verdict.UNKNOWN;
        } else if (with != Choice.Verdict.NONE && without == Choice.Verdict.NONE) {
          return Verdict.YES;
        }
      }
    }
    return verdict;
  }

  /** What a job could take from other shares, alone or with own attempts (3b, 5.4). */
  private static Choice.Verdict reclaim(Mirror rows, PoolKey pool, Job job, long now) {
    QuotaShare share = rows.shares.get(job.share());
    List<Choice.Candidate> others = Choice.ofOthers(rows, pool, job.share(), now);
    if (others.isEmpty()) {
      return Choice.Verdict.NONE;
    }
    if (Rules.isWithin(Facts.of(rows, pool), job)) {
      Choice.Verdict alone = new Choice(rows, pool, job, false, others).verdict();
      if (alone != Choice.Verdict.NONE) {
        return alone;
      }
    }
    List<Choice.Candidate> own = Choice.ofOwnShare(rows, pool, job, now);
    if (own.isEmpty() || !share.inSharePreemption()) {
      return Choice.Verdict.NONE;
    }
    others.addAll(own);
    return new Choice(rows, pool, job, false, others).verdict();
  }

  // Placements

  private static void place(
      Mirror rows, Facts facts, Job job, List<Part> chosen, List<List<Part>> result) {
    if (chosen.size() == job.spec().shape().nodes()) {
      result.add(List.copyOf(chosen));
      return;
    }
    for (Facts.Place place : facts.places.values()) {
      String name = place.node.name();
      boolean next = chosen.isEmpty() || chosen.get(chosen.size() - 1).node().compareTo(name) < 0;
      boolean large = place.available() >= job.spec().shape().gpusPerNode();
      if (next && large && result.size() < MAX_PLACEMENTS) {
        List<String> free = free(rows, place, job);
        chosen.add(Part.assigned(chosen.size(), name, free));
        place(rows, facts, job, chosen, result);
        chosen.remove(chosen.size() - 1);
      }
    }
  }

  private static List<String> free(Mirror rows, Facts.Place place, Job job) {
    Set<String> held = new HashSet<>();
    for (Attempt attempt : rows.live.values()) {
      for (Part part : attempt.parts()) {
        if (part.node().equals(place.node.name()) && !part.phase().isFree()) {
          held.addAll(part.devices());
        }
      }
    }
    return Mirror.devices(place.node, job.spec().unit()).stream()
        .filter(device -> device.healthy() && !device.outside())
        .map(Device::uuid)
        .filter(uuid -> !held.contains(uuid))
        .limit(job.spec().shape().gpusPerNode())
        .toList();
  }
}
