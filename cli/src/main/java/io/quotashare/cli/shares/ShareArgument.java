package io.quotashare.cli.shares;

import io.quotashare.cli.Session;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The share that a command is about. */
final class ShareArgument {
  @Parameters(paramLabel = "SHARE", description = "Name of the share inside its queue.")
  String id = "";

  @Mixin QueueArgument queue = new QueueArgument();

  String queue(Session session) {
    return queue.resolve(session);
  }
}
