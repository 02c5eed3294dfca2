package io.quotashare.server.store;

import static java.util.Objects.requireNonNull;

/**
 * Which entries of the audit log.
 *
 * @param principal only of this principal; empty for all
 * @param resource only of this resource and what is below it; empty for all
 * @param fromMillis only at this time or later
 * @param toMillis only before this time
 * @param pageSize 1 to {@link StateStore#MAX_PAGE_SIZE}
 * @param pageToken token of the previous page; empty for the first
 */
public record AuditQuery(
    String principal,
    String resource,
    long fromMillis,
    long toMillis,
    int pageSize,
    String pageToken) {
  public AuditQuery {
    requireNonNull(principal, "principal is null");
    requireNonNull(resource, "resource is null");
    Page.checkSize(pageSize);
    requireNonNull(pageToken, "pageToken is null");
  }

  /** The newest entries. */
  public static AuditQuery newest(int pageSize) {
    return new AuditQuery("", "", 0, Long.MAX_VALUE, pageSize, "");
  }
}
