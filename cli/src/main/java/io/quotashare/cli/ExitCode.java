package io.quotashare.cli;

/** Exit codes of every command. */
public final class ExitCode {
  /** What was asked for came about. */
  public static final int OK = 0;

  /** It did not: the job failed, an expectation does not hold. */
  public static final int NOT_SO = 1;

  /** Wrong usage, or a file that is not valid. */
  public static final int USAGE = 2;

  /** No scheduler answers. */
  public static final int UNREACHABLE = 3;

  /** The scheduler refused. */
  public static final int REFUSED = 4;

  private ExitCode() {}
}
