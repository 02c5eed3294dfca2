package io.quotashare.core.property;

import static io.quotashare.core.property.Violation.unless;

import io.quotashare.core.Change;
import io.quotashare.core.RowObserver;
import io.quotashare.core.Scheduler;

/**
 * Checks a scheduler while it works: every decision against the rows before it, and after every
 * step I1 to I9 of quota-semantics 10 and V2, V4, V6 to V10 of reliability A2. Written from these
 * rules; of the scheduler it uses the rows that it writes and what it shows people.
 */
final class Invariants {
  /** More rows in one step than any of our sequences needs: it does not end. */
  private static final int MAX_ROWS = 50_000;

  private final Scheduler scheduler;
  private final Mirror rows = new Mirror();
  private final DecisionJudge decisions = new DecisionJudge(rows);
  private final HistoryJudge history = new HistoryJudge(rows);
  private final ObserveJudge observing = new ObserveJudge(rows);
  private final StateJudge states = new StateJudge(rows);
  private final FixedPoint fixedPoint = new FixedPoint(rows, decisions);
  private final Accounts accounts = new Accounts(rows);
  private long now;
  private int rowsOfStep;
  private int decidedBefore;

  Invariants(Scheduler scheduler, long nowMillis) {
    this.scheduler = scheduler;
    this.now = nowMillis;
    RowObserver.attach(scheduler, this::see);
  }

  private void see(Change row) {
    unless(++rowsOfStep < MAX_ROWS, "6.6", "the scheduler does not come to an end");
    decisions.see(row, now);
    history.see(row);
    observing.see(row);
    rows.apply(row);
  }

  /** Rows seen since the last call. */
  int takeRowCount() {
    int count = rowsOfStep;
    rowsOfStep = 0;
    return count;
  }

  /** The rows as they are. */
  Mirror rows() {
    return rows;
  }

  int starts() {
    return decisions.starts();
  }

  int plans() {
    return decisions.plans();
  }

  /** Victims that were only observed. */
  int observed() {
    return observing.observed();
  }

  int preemptions() {
    return history.preemptions();
  }

  /** Time passes, and nothing happens meanwhile. */
  void elapsed(long untilMillis) {
    accounts.elapsed(untilMillis - now);
    now = untilMillis;
  }

  /** A step without a decision is over. */
  void stepped() {
    decisions.settled();
    history.settled();
    observing.settled();
  }

  /**
   * The scheduler has decided.
   *
   * @param recovering whether it holds all decisions back
   */
  void decided(boolean recovering) {
    stepped();
    states.judge(recovering);
    if (!recovering) {
      fixedPoint.judge(now);
    }
    unless(
        !recovering || starts() + plans() == decidedBefore,
        "RECOVERING",
        "something was started or planned");
    decidedBefore = starts() + plans();
    accounts.judge(scheduler, now);
  }
}
