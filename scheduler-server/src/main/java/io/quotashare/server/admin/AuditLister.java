package io.quotashare.server.admin;

import io.quotashare.proto.admin.v1.AuditEvent;
import io.quotashare.proto.admin.v1.ListAuditEventsRequest;
import io.quotashare.proto.admin.v1.ListAuditEventsResponse;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Pages;
import io.quotashare.server.grpc.Times;
import io.quotashare.server.store.AuditQuery;
import io.quotashare.server.store.AuditRecord;
import io.quotashare.server.store.Page;
import io.quotashare.server.store.StateStore;

/** Lists who changed what. */
final class AuditLister {
  private static final int DEFAULT_SIZE = 100;
  private static final int MAX_RESOURCE_LENGTH = 512;

  private AuditLister() {}

  static ListAuditEventsResponse list(StateStore store, ListAuditEventsRequest request) {
    FieldChecks checks = new FieldChecks();
    checks.checkLine("resource", request.getResource(), MAX_RESOURCE_LENGTH);
    long since = request.hasSince() ? Times.millis(checks, "since", request.getSince()) : 0;
    checks.throwIfAny();
    ListAuditEventsRequest list = request.toBuilder().clearPageSize().clearPageToken().build();
    Page<AuditRecord> page =
        store.audit(
            new AuditQuery(
                "",
                request.getResource(),
                Math.max(0, since),
                Long.MAX_VALUE,
                Pages.size(request.getPageSize(), DEFAULT_SIZE),
                Pages.after(list, request.getPageToken())));
    ListAuditEventsResponse.Builder response = ListAuditEventsResponse.newBuilder();
    page.items().forEach(entry -> response.addEvents(event(entry)));
    if (!page.nextPageToken().isEmpty()) {
      response.setNextPageToken(Pages.token(list, page.nextPageToken()));
    }
    return response.build();
  }

  private static AuditEvent event(AuditRecord entry) {
    return AuditEvent.newBuilder()
        .setTime(Times.timestamp(entry.atMillis()))
        .setPrincipal(entry.event().principal())
        .setAction(entry.event().action())
        .setResource(entry.event().resource())
        .setRequestId(entry.event().requestId())
        .setBefore(entry.event().before())
        .setAfter(entry.event().after())
        .setDetail(entry.event().detail())
        .build();
  }
}
