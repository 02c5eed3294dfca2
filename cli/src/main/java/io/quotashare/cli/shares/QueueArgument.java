package io.quotashare.cli.shares;

import io.quotashare.cli.Session;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The queue that a command is about. */
final class QueueArgument {
  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description = "Queue. Default: QUOTASHARE_QUEUE, else the context's, else the only one.")
  private @Nullable String queue;

  String resolve(Session session) {
    return session.queue(queue);
  }
}
