package io.quotashare.core.state;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Outcome;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Stop;
import org.jspecify.annotations.Nullable;

/**
 * What the devices of an attempt were used for, up to an instant (quota-semantics 6.7): a pure
 * function of its times, so that the classes of a held device always add up to the time for which
 * it was held.
 */
public final class DeviceClasses {
  private DeviceClasses() {}

  /**
   * Classes of all parts together.
   *
   * @param fromMillis what was before is not counted: an attempt that was taken over while it ran
   *     is older than the account of its pool
   */
  public static DeviceMillis of(Attempt attempt, long fromMillis, long nowMillis) {
    DeviceMillis sum = DeviceMillis.ZERO;
    for (Part part : attempt.parts()) {
      sum = sum.plus(of(attempt, part, fromMillis, nowMillis));
    }
    return sum;
  }

  private static DeviceMillis of(Attempt attempt, Part part, long fromMillis, long nowMillis) {
    long devices = part.devices().size();
    long start = Math.max(fromMillis, attempt.scheduledAtMillis());
    long end = Math.max(start, part.freedAtMillis().orElse(nowMillis));
    long exit = clamp(part.exitedAtMillis().orElse(end), start, end);
    long workEnd = clamp(workEnd(attempt, exit), start, exit);
    long productive = clamp(attempt.productiveAtMillis().orElse(workEnd), start, workEnd);
    long saveEnd = clamp(saveEnd(attempt.stop(), exit), workEnd, exit);
    long lost = loses(attempt) ? workEnd - clamp(durableUntil(attempt), productive, workEnd) : 0;
    return new DeviceMillis(
        devices * (workEnd - productive - lost),
        devices * (productive - start),
        devices * lost,
        devices * (saveEnd - workEnd),
        devices * (end - saveEnd));
  }

  /**
   * Device-milliseconds of work after the last durable state, for an attempt that ends this way.
   */
  public static long lost(Attempt attempt, Outcome outcome, long nowMillis) {
    Attempt ended = attempt.change().ended(outcome, nowMillis, "", 0).build();
    return of(ended, attempt.scheduledAtMillis(), nowMillis).lost();
  }

  /** Work that was done well or thrown away by its owner is not lost by the system. */
  private static boolean loses(Attempt attempt) {
    return attempt.outcome() == Outcome.PREEMPTED
        || attempt.outcome() == Outcome.FAILED
        || attempt.outcome() == Outcome.NODE_LOST
        || attempt.outcome() == Outcome.NOT_STARTED;
  }

  private static long workEnd(Attempt attempt, long exit) {
    Stop stop = attempt.stop();
    return stop == null ? exit : Math.min(stop.requestedAtMillis(), exit);
  }

  /**
   * Up to when the state in the newest durable checkpoint reaches; the beginning if there is none.
   */
  private static long durableUntil(Attempt attempt) {
    return attempt.progress().checkpoint() == null
        ? attempt.scheduledAtMillis()
        : attempt.progress().checkpoint().stateAtMillis();
  }

  /**
   * End of the time in which the attempt was asked to save: the confirmation, or the latest instant
   * of SIGTERM.
   */
  private static long saveEnd(@Nullable Stop stop, long exit) {
    if (stop == null) {
      return exit;
    }
    if (!stop.saveFirst()) {
      return stop.requestedAtMillis();
    }
    long grace = stop.deadlineMillis() - stop.requestedAtMillis();
    return stop.savedAtMillis().orElse(stop.deadlineMillis() - JobSpec.termGraceMillis(grace));
  }

  private static long clamp(long value, long low, long high) {
    return Math.max(low, Math.min(value, high));
  }
}
