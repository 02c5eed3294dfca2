package io.quotashare.cli.admin;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.client.internal.Blocking;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code quotashare admin resume}. */
@Command(
    name = "resume",
    description = "End quotashare admin pause; does nothing if scheduling goes on.",
    footer = {"  quotashare admin resume"})
final class AdminResumeCommand extends SessionCommand {
  @Mixin private RequestIdOption requestId = new RequestIdOption();

  @Override
  protected int run(Session session) {
    Blocking.get(session.client().admin().resumeAsync(requestId.get()));
    session.note("scheduling goes on");
    return ExitCode.OK;
  }
}
