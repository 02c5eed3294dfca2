package io.quotashare.server.failpoint;

import java.util.EnumMap;
import java.util.Map;

/**
 * Lets a scheduler in this process die when it comes to a point for the n-th time: from then on it
 * does nothing any more, whatever is called.
 */
final class KillSwitch implements Failpoints {
  /** What a step that was never finished looks like. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed(Failpoint where) {
      super("killed at " + where, null, false, false);
    }
  }

  private final Map<Failpoint, Integer> reached = new EnumMap<>(Failpoint.class);
  private final Failpoint where;
  private final int times;
  private boolean dead;
  private boolean used;
  private boolean armed;

  private KillSwitch(Failpoint where, int times) {
    this.where = where;
    this.times = times;
  }

  /** Kills once. */
  static KillSwitch at(Failpoint where, int times) {
    return new KillSwitch(where, times);
  }

  /** Kills never, and only counts. */
  static KillSwitch never() {
    return new KillSwitch(Failpoint.RECEIVED, Integer.MAX_VALUE);
  }

  @Override
  public void reach(Failpoint point) {
    if (dead) {
      throw new Killed(point);
    }
    if (!armed) {
      return;
    }
    int count = reached.merge(point, 1, Integer::sum);
    if (point == where && count == times) {
      dead = true;
      used = true;
      throw new Killed(point);
    }
  }

  /** Counts, and kills, from now on. */
  void arm() {
    armed = true;
  }

  /** Whether the scheduler has died and none was started in its place. */
  boolean isDead() {
    return dead;
  }

  /** Whether it has killed. */
  boolean isUsed() {
    return used;
  }

  /** Another scheduler is started. */
  void revive() {
    dead = false;
  }

  /** How often a point was reached. */
  int count(Failpoint point) {
    return reached.getOrDefault(point, 0);
  }
}
