package io.quotashare.cli.shares;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.console.Interrupts;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Json;
import io.quotashare.client.QueueSnapshot;
import io.quotashare.client.ShareEvent;
import io.quotashare.client.ShareWatch;
import io.quotashare.client.ShareWatchOptions;
import io.quotashare.client.internal.ShareProtos;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code quotashare shares}. */
@Command(
    name = "shares",
    description = {
      "Show what each share owns, uses, borrows and lends.",
      "The last line accounts for every GPU of the queue. With --watch a change is shown when it"
          + " happens."
    },
    footer = {"  quotashare shares", "  quotashare shares --watch", "  quotashare shares -o json"})
public final class SharesCommand extends ListCommand {
  private static final Duration LOOK = Duration.ofMillis(200);

  /** What happens within this time of a change is shown with it. */
  private static final Duration TOGETHER = Duration.ofMillis(50);

  private static final int MOST_TOGETHER = 1000;

  @Mixin private QueueArgument queue = new QueueArgument();

  @Override
  protected void show(Session session, Format format) {
    QueueSnapshot snapshot = session.client().queues().snapshot(queue.resolve(session));
    if (format.isForPeople()) {
      new SharesTable(session).write(snapshot);
    } else {
      session.printer().list(format, ShareTexts.shares(), snapshot.shares());
    }
  }

  /** Nothing is asked again and again: the scheduler sends what changes. */
  @Override
  protected void watch(Session session, Format wanted, Interrupts.Watch interrupts) {
    String of = queue.resolve(session);
    if (wanted.isForPeople()) {
      showAgain(session, wanted);
    }
    try (ShareWatch watch =
        session.client().shares().watch(ShareWatchOptions.ofQueue(of).restarting())) {
      while (!interrupts.pressed()) {
        Optional<ShareEvent> event = watch.next(LOOK);
        if (event.isPresent() && wanted.isForPeople()) {
          takeWhatComesTogether(watch);
          showAgain(session, wanted);
        } else {
          event.ifPresent(e -> print(session, wanted, e));
        }
      }
    }
  }

  private static void takeWhatComesTogether(ShareWatch watch) {
    int taken = 0;
    while (taken < MOST_TOGETHER && watch.next(TOGETHER).isPresent()) {
      taken++;
    }
  }

  private static void print(Session session, Format format, ShareEvent event) {
    if (event instanceof ShareEvent.Present present) {
      session.printer().event(format, ShareTexts.shares(), present.status());
      return;
    }
    switch (format) {
      case json -> session.out().println(Json.line(ShareProtos.toProto(event)));
      case yaml -> session.out().print("---\n" + Json.yaml(ShareProtos.toProto(event)));
      case name, table, wide -> session.note(event.name() + " was removed");
    }
    session.out().flush();
  }
}
