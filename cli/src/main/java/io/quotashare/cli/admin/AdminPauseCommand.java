package io.quotashare.cli.admin;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.client.internal.Blocking;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quotashare admin pause}. */
@Command(
    name = "pause",
    description = {
      "Start and stop nothing from now on, in all queues.",
      "Jobs are accepted and wait, and what runs goes on, until quotashare admin resume."
    },
    footer = {"  quotashare admin pause --reason \"network is being mended\""})
final class AdminPauseCommand extends SessionCommand {
  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Shown to those who wait, up to 512 characters. Default: none.")
  private String reason = "";

  @Mixin private RequestIdOption requestId = new RequestIdOption();

  @Override
  protected int run(Session session) {
    Blocking.get(session.client().admin().pauseAsync(reason, requestId.get()));
    session.note("scheduling is paused; quotashare admin resume ends that");
    return ExitCode.OK;
  }
}
