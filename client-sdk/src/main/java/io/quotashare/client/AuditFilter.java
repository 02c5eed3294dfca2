package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which audit events a list is about.
 *
 * @param resource only this resource name and what is below it; empty: all
 * @param since only events at this instant or later; null: all that are kept
 */
public record AuditFilter(String resource, @Nullable Instant since) {
  /** Checks that nothing required is null. */
  public AuditFilter {
    requireNonNull(resource, "resource");
  }

  /** All events that are kept. */
  public static AuditFilter all() {
    return new AuditFilter("", null);
  }

  /** The same, only of this resource name and what is below it. */
  public AuditFilter of(String resourceName) {
    return new AuditFilter(resourceName, since);
  }

  /** The same, only at this instant or later. */
  public AuditFilter since(Instant time) {
    return new AuditFilter(resource, requireNonNull(time, "time"));
  }
}
