package io.quotashare.cli;

import io.quotashare.cli.console.Interrupts;
import io.quotashare.cli.output.Format;
import io.quotashare.client.SchedulerUnavailableException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that shows something, in any format, once or again and again. */
public abstract class ListCommand extends SessionCommand {
  /** Time between two looks of a watch, in milliseconds. */
  protected static final long WATCH_MILLIS = 2_000;

  private static final String CLEAR = "\u001b[H\u001b[2J";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description =
          "table, wide, json, yaml or name. Default: QUOTASHARE_OUTPUT, else the context's, else"
              + " table.")
  private @Nullable Format format;

  @Option(
      names = {"-w", "--watch"},
      description =
          "Show it again every 2 s, until Ctrl-C. json, yaml and name then print only what is new"
              + " or has changed, json one object a line.")
  private boolean watch;

  /** Shows it once. */
  protected abstract void show(Session session, Format wanted);

  @Override
  protected final int run(Session session) throws InterruptedException {
    Format wanted = session.format(format);
    if (!watch) {
      show(session, wanted);
      return ExitCode.OK;
    }
    session.beginWatch();
    try (Interrupts.Watch interrupts = session.outside().interrupts().watch()) {
      watch(session, wanted, interrupts);
    }
    return ExitCode.OK;
  }

  /** Shows it again and again, until the user presses Ctrl-C. */
  protected void watch(Session session, Format wanted, Interrupts.Watch interrupts)
      throws InterruptedException {
    while (!interrupts.pressed()) {
      showAgain(session, wanted);
      session.outside().pauses().pause(WATCH_MILLIS);
    }
  }

  /** Shows it once more, in place of what stands there. A scheduler that restarts ends no watch. */
  protected final void showAgain(Session session, Format wanted) {
    if (session.outside().terminals().out() && wanted.isForPeople()) {
      session.out().print(CLEAR);
    }
    try {
      show(session, wanted);
    } catch (SchedulerUnavailableException e) {
      session.note(e.getMessage() + "; trying again");
    }
  }
}
