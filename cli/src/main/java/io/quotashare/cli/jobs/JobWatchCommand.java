package io.quotashare.cli.jobs;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.console.Interrupts;
import io.quotashare.client.Job;
import io.quotashare.client.JobEvent;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobState;
import io.quotashare.client.JobWatch;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code quotashare job watch}. */
@Command(
    name = "watch",
    description = {
      "Show what happens to a job as it happens, until it has ended.",
      "Ctrl-C ends the watch; the job goes on. Of a job that has ended already, its end is shown."
    },
    exitCodeList = {"0:It succeeded, or the watch was ended.", "1:It failed or was cancelled."},
    footer = {"  quotashare job watch j-1"})
final class JobWatchCommand extends SessionCommand {
  private static final Duration LOOK = Duration.ofMillis(200);

  @Mixin private JobArgument argument = new JobArgument();

  @Override
  protected int run(Session session) {
    JobHandle handle = argument.handle(session);
    Job first = handle.get();
    if (first.state().isTerminal()) {
      session.out().println(JobTexts.ended(first));
      return code(first.state());
    }
    EventLines lines = new EventLines(session.style());
    try (JobWatch watch = handle.watch();
        Interrupts.Watch interrupts = session.outside().interrupts().watch()) {
      while (!interrupts.pressed()) {
        Optional<JobEvent> event = watch.next(LOOK);
        if (event.isEmpty()) {
          continue;
        }
        session.out().println(lines.line(event.get()));
        session.out().flush();
        JobState state = event.get().job().state();
        if (state.isTerminal()) {
          return code(state);
        }
      }
    }
    session.note(first.id() + " goes on; quotashare job watch " + first.id() + " looks again");
    return ExitCode.OK;
  }

  private static int code(JobState state) {
    return state == JobState.SUCCEEDED ? ExitCode.OK : ExitCode.NOT_SO;
  }
}
