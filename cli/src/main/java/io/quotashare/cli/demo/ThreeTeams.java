package io.quotashare.cli.demo;

/** The names of the three-team example. */
final class ThreeTeams {
  static final String QUEUE = "research";

  /** Borrows what is left over, all day. */
  static final String BACKGROUND = "background";

  /** Lends its GPU while it has no job. */
  static final String VISION = "vision";

  /** Keeps its GPU for itself, idle or not. */
  static final String SERVING = "serving";

  /** Jobs of background, by their first priority. */
  static final String HIGH = "high";

  static final String MED = "med";
  static final String LOW = "low";

  /** The job of vision, which owns the GPU that med has borrowed. */
  static final String OWNER = "owner";

  static final int HIGH_PRIORITY = 3;
  static final int MED_PRIORITY = 2;
  static final int LOW_PRIORITY = 1;
  static final int OWNER_PRIORITY = 1;

  /** What low is raised to: above high. */
  static final int RAISED_PRIORITY = 4;

  /** GPUs of the example, one a node. */
  static final int GPUS = 3;

  private ThreeTeams() {}
}
