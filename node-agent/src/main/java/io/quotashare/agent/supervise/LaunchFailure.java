package io.quotashare.agent.supervise;

import static java.util.Objects.requireNonNull;

/**
 * Why a job could not be started.
 *
 * @param stage how far it came
 * @param errno error number of the system, 0 if there is none
 * @param detail the locked device for {@link Stage#LOCK}, else a text for people; may be empty
 */
public record LaunchFailure(Stage stage, int errno, String detail) {

  /** Steps of a start. */
  public enum Stage {
    /** A device is locked by somebody else. */
    LOCK,
    /** The lease could not be read. */
    LEASE,
    /** A process could not be made. */
    FORK,
    /** The process could not be bound to its supervisor. */
    SUPERVISE,
    /** The process could not enter its cgroup. */
    CGROUP,
    /** The process could not give up new privileges. */
    NO_NEW_PRIVS,
    /** The working directory cannot be entered. */
    CWD,
    /** Its output could not be connected. */
    OUTPUT,
    /** The program cannot be executed. */
    EXEC,
    /** The supervisor itself could not be started, or ended without a word. */
    SUPERVISOR,
    /** The agent was restarted in the middle of the start. */
    INTERRUPTED
  }

  /** Checks that all is there. */
  public LaunchFailure {
    requireNonNull(stage, "stage is null");
    requireNonNull(detail, "detail is null");
  }
}
