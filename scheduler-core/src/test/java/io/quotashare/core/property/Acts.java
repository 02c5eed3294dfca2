package io.quotashare.core.property;

import io.quotashare.core.model.Job;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.QuotaShare;
import java.util.ArrayList;
import java.util.List;

/** What section 3 lets a front job do at one instant. */
final class Acts {
  /** What it does. */
  enum Act {
    /** It starts. */
    START,
    /** Victims are chosen for it. */
    PLAN,
    /** Victims are chosen for it, and its queue only observes. */
    OBSERVE,
    /** Its would-be victims are younger than minRuntime. */
    WAITS_FOR_AGE,
    /** It waits. */
    NOTHING,
    /** Too many sets to try. */
    UNKNOWN
  }

  private enum Block {
    YES,
    NO,
    MAYBE
  }

  /** An act, and whom it may take for that. */
  record Found(Act act, Rules.Step step, List<Choice.Candidate> candidates, boolean mayBorrow) {
    static Found of(Act act) {
      return new Found(act, Rules.Step.NONE, List.of(), false);
    }
  }

  private Acts() {}

  /** Steps a to e. */
  static Found of(Mirror rows, PoolKey pool, Job job, long now) {
    return rows.once(List.of("act", job.key(), now), () -> newAct(rows, pool, job, now));
  }

  private static Found newAct(Mirror rows, PoolKey pool, Job job, long now) {
    Block block = block(rows, pool, now);
    Found found = of(rows, pool, job, now, block == Block.YES);
    if (block != Block.MAYBE) {
      return found;
    }
    Found other = of(rows, pool, job, now, true);
    return other.equals(found) ? found : Found.of(Act.UNKNOWN);
  }

  private static Found of(Mirror rows, PoolKey pool, Job job, long now, boolean blocked) {
    Rules.Step step = Rules.step(rows, pool, job);
    ShortLoanRule.Verdict takenBack =
        step == Rules.Step.BORROW && !blocked
            ? ShortLoanRule.of(rows, pool, job, now)
            : ShortLoanRule.Verdict.NO;
    if (takenBack == ShortLoanRule.Verdict.UNKNOWN) {
      return Found.of(Act.UNKNOWN);
    }
    boolean barred =
        step == Rules.Step.BORROW && (blocked || takenBack == ShortLoanRule.Verdict.YES);
    if (step != Rules.Step.NONE && !barred) {
      return new Found(Act.START, step, List.of(), false);
    }
    Facts facts = Facts.of(rows, pool);
    QuotaShare share = facts.uses.get(job.share()).share;
    List<Choice.Candidate> others = Choice.ofOthers(rows, pool, job.share(), now);
    if (Rules.isWithin(facts, job) && facts.planned().sumAbove() > 0) {
      Found reclaim = ask(rows, pool, job, others, false);
      if (reclaim.act != Act.NOTHING) {
        return reclaim;
      }
    }
    List<Choice.Candidate> own = Choice.ofOwnShare(rows, pool, job, now);
    if (!share.inSharePreemption() || own.isEmpty()) {
      return Found.of(Act.NOTHING);
    }
    Found inShare = ask(rows, pool, job, own, Rules.mayBorrow(share, job) && !blocked);
    if (inShare.act != Act.NOTHING || others.isEmpty()) {
      return inShare;
    }
    List<Choice.Candidate> all = new ArrayList<>(own);
    all.addAll(others);
    return ask(rows, pool, job, all, false);
  }

  /** Whom a plan may take, and whether it may borrow, where what it should do is not known. */
  static Found unknown(Mirror rows, PoolKey pool, Job job, boolean takesOwn, long now) {
    QuotaShare share = rows.shares.get(job.share());
    List<Choice.Candidate> who = new ArrayList<>(Choice.ofOthers(rows, pool, job.share(), now));
    if (share.inSharePreemption()) {
      who.addAll(Choice.ofOwnShare(rows, pool, job, now));
    }
    boolean mayBorrow =
        takesOwn && Rules.mayBorrow(share, job) && !isBorrowingBlocked(rows, pool, now);
    return new Found(Act.UNKNOWN, Rules.Step.NONE, who, mayBorrow);
  }

  private static Found ask(
      Mirror rows, PoolKey pool, Job job, List<Choice.Candidate> candidates, boolean mayBorrow) {
    Choice choice = new Choice(rows, pool, job, mayBorrow, candidates);
    Act act =
        switch (choice.verdict()) {
          case FOUND -> wouldStop(rows, pool, choice, candidates) ? Act.OBSERVE : Act.PLAN;
          case ONLY_YOUNG -> Act.WAITS_FOR_AGE;
          case NONE -> Act.NOTHING;
          case UNKNOWN -> Act.UNKNOWN;
        };
    return new Found(act, Rules.Step.NONE, candidates, mayBorrow);
  }

  /** Whether the queue only observes, and the set that 4.5 asks for stops somebody. */
  private static boolean wouldStop(
      Mirror rows, PoolKey pool, Choice choice, List<Choice.Candidate> candidates) {
    return rows.observesOnly(pool.queue())
        && candidates.stream()
            .anyMatch(c -> !c.isPlan() && choice.best().orElseThrow().contains(c.job()));
  }

  /** Whether it is certain that nobody may borrow (4.6). */
  static boolean isBorrowingBlocked(Mirror rows, PoolKey pool, long now) {
    return block(rows, pool, now) == Block.YES;
  }

  /** Whether a front job within its limit waits for minRuntime, so that nobody borrows (4.6). */
  private static Block block(Mirror rows, PoolKey pool, long now) {
    return rows.once(List.of("block", pool, now), () -> newBlock(rows, pool, now));
  }

  private static Block newBlock(Mirror rows, PoolKey pool, long now) {
    boolean anybodyIsProtected =
        rows.sharesOf(pool).stream().anyMatch(share -> share.minRuntimeMillis() > 0);
    if (!anybodyIsProtected || rows.observesOnly(pool.queue())) {
      return Block.NO;
    }
    Facts facts = Facts.of(rows, pool);
    Block block = Block.NO;
    for (Job front : Rules.fronts(rows, pool)) {
      Act act = Rules.isWithin(facts, front) ? of(rows, pool, front, now, false).act : Act.NOTHING;
      if (act == Act.WAITS_FOR_AGE) {
        return Block.YES;
      }
      block = act == Act.UNKNOWN ? Block.MAYBE : block;
    }
    return block;
  }
}
