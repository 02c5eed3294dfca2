package io.quotashare.cli.jobs;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.Session;
import io.quotashare.cli.console.Interrupts;
import io.quotashare.cli.console.Questions;
import io.quotashare.client.Job;
import io.quotashare.client.JobEvent;
import io.quotashare.client.JobEventType;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobState;
import io.quotashare.client.JobWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows a job until it has ended: its state on standard error, its output on standard output.
 * Ctrl-C asks whether the job shall be cancelled or go on alone.
 */
final class JobFollower {
  private static final Duration LOOK = Duration.ofMillis(200);

  /** What the user answered to Ctrl-C. */
  private enum Answer {
    CANCEL,
    DETACH,
    WAIT
  }

  private final Session session;
  private final JobHandle handle;
  private final boolean logs;
  private final EventLines lines;

  JobFollower(Session session, JobHandle handle, boolean logs) {
    this.session = session;
    this.handle = handle;
    this.logs = logs;
    this.lines = new EventLines(session.errorStyle());
  }

  int follow() throws IOException, InterruptedException {
    try (JobWatch watch = handle.watch();
        Interrupts.Watch interrupts = session.outside().interrupts().watch();
        LogFollower output = logs ? new LogFollower(session, handle) : null) {
      while (true) {
        if (interrupts.pressed() && onInterrupt() == Answer.DETACH) {
          session.note(
              handle.id() + " goes on; see it again with quotashare job watch " + handle.id());
          return ExitCode.OK;
        }
        Optional<JobEvent> event = watch.next(LOOK);
        if (event.isPresent()) {
          show(event.get());
          if (output != null) {
            output.onEvent(event.get());
          }
          if (event.get().job().state().isTerminal()) {
            return ended(event.get().job(), output);
          }
        }
      }
    }
  }

  private void show(JobEvent event) {
    // What the job itself prints says more than its progress, line by line.
    if (event.type() != JobEventType.UPDATED) {
      session.note(lines.line(event));
    }
  }

  private static int ended(Job job, @Nullable LogFollower output) throws InterruptedException {
    if (output != null) {
      output.finish();
    }
    return job.state() == JobState.SUCCEEDED ? ExitCode.OK : ExitCode.NOT_SO;
  }

  private Answer onInterrupt() throws IOException {
    Answer answer = ask();
    if (answer == Answer.CANCEL) {
      Job job = handle.cancel("cancelled with Ctrl-C");
      session.note(
          job.state().isTerminal()
              ? job.id() + " is cancelled"
              : job.id() + " is asked to stop; waiting for its end");
    }
    return answer;
  }

  /** Without a terminal there is nobody to ask: the job goes on. */
  private Answer ask() throws IOException {
    if (!session.outside().terminals().in()) {
      return Answer.DETACH;
    }
    String answer =
        Questions.answer(
            session.err(),
            session.outside().in(),
            "\nCancel the job [c], detach and let it go on [d], or keep waiting [Enter]? ");
    return switch (answer) {
      case "c", "cancel" -> Answer.CANCEL;
      case "d", "detach" -> Answer.DETACH;
      default -> Answer.WAIT;
    };
  }
}
