package io.quotashare.cli.admin;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.UsageException;
import io.quotashare.cli.output.Column;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Moments;
import io.quotashare.cli.output.Resource;
import io.quotashare.cli.output.Times;
import io.quotashare.client.AuditEvent;
import io.quotashare.client.AuditFilter;
import io.quotashare.client.internal.AdminProtos;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quotashare admin audit}. */
@Command(
    name = "audit",
    description = {
      "List who changed what, newest first.",
      "An instant is written 2026-03-01, 2026-03-01T12:00 (in the local zone), 2026-03-01T12:00:00Z,"
          + " or 24h for 24 hours ago."
    },
    footer = {
      "  quotashare admin audit --since 24h",
      "  quotashare admin audit --resource queues/research/shares/vision --limit 20"
    })
final class AdminAuditCommand extends ListCommand {
  private static final Resource<AuditEvent> EVENTS =
      new Resource<>(
          "audit events",
          List.of(
              Column.<AuditEvent>text("TIME", e -> Times.date(e.time())),
              Column.text("WHO", AuditEvent::principal),
              Column.text("ACTION", AuditEvent::action),
              Column.text("RESOURCE", AuditEvent::resource),
              Column.<AuditEvent>text("BEFORE", e -> orDash(e.before())).wide(),
              Column.<AuditEvent>text("AFTER", e -> orDash(e.after())).wide(),
              Column.<AuditEvent>text("REQUEST ID", e -> orDash(e.requestId())).wide(),
              Column.text("DETAIL", AuditEvent::detail)),
          AuditEvent::resource,
          AdminProtos::toProto);

  @Option(
      names = "--resource",
      paramLabel = "NAME",
      description = "Only this resource name and what is below it. Default: all.")
  private String resource = "";

  @Option(
      names = "--since",
      paramLabel = "INSTANT",
      description = "Only at this instant or later. Default: all that are kept.")
  private @Nullable String since;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "At most so many, 1 or more. Default: ${DEFAULT-VALUE}.")
  private int limit = 100;

  @Override
  protected void show(Session session, Format format) {
    if (limit < 1) {
      throw new UsageException("--limit: " + limit + " is not valid here, expected 1 or more");
    }
    List<AuditEvent> events = new ArrayList<>();
    Iterator<AuditEvent> all =
        session
            .client()
            .admin()
            .auditEvents(new AuditFilter(resource, instant(session)))
            .iterator();
    while (events.size() < limit && all.hasNext()) {
      events.add(all.next());
    }
    session.printer().list(format, EVENTS, events);
  }

  private @Nullable Instant instant(Session session) {
    if (since == null) {
      return null;
    }
    try {
      return Moments.parse(since, session.now(), ZoneId.systemDefault());
    } catch (IllegalArgumentException e) {
      throw new UsageException("--since: " + e.getMessage());
    }
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
