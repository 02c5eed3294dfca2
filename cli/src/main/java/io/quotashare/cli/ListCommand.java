package io.quotashare.cli;

import io.quotashare.cli.console.Interrupts;
import io.quotashare.cli.output.Format;
import io.quotashare.client.SchedulerUnavailableException;
import picocli.CommandLine.Option;

/** A command that shows something, in any format, once or again and again. */
public abstract class ListCommand extends SessionCommand {
  private static final long WATCH_MILLIS = 2_000;
  private static final String CLEAR = "\u001b[H\u001b[2J";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table, wide, json, yaml or name. Default: ${DEFAULT-VALUE}.")
  private Format format = Format.table;

  @Option(
      names = {"-w", "--watch"},
      description = "Show it again every 2 s, until Ctrl-C.")
  private boolean watch;

  /** Shows it once. */
  protected abstract void show(Session session, Format wanted);

  @Override
  protected final int run(Session session) throws InterruptedException {
    if (!watch) {
      show(session, format);
      return ExitCode.OK;
    }
    boolean screen = session.outside().terminals().out() && format != Format.json;
    try (Interrupts.Watch interrupts = session.outside().interrupts().watch()) {
      while (!interrupts.pressed()) {
        if (screen) {
          session.out().print(CLEAR);
        }
        showOrNote(session);
        session.outside().pauses().pause(WATCH_MILLIS);
      }
    }
    return ExitCode.OK;
  }

  /** A scheduler that restarts ends no watch. */
  private void showOrNote(Session session) {
    try {
      show(session, format);
    } catch (SchedulerUnavailableException e) {
      session.note(e.getMessage() + "; trying again");
    }
  }
}
