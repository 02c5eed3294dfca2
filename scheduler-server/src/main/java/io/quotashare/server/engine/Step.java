package io.quotashare.server.engine;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Scheduler;
import io.quotashare.server.store.AuditEvent;
import java.util.ArrayList;
import java.util.List;

/** What a call may use while it is applied. Not valid afterwards. */
public final class Step {
  private final Scheduler scheduler;
  private final long nowMillis;
  private final long nowNanos;
  private final List<AuditEvent> audit = new ArrayList<>();
  private boolean commits;

  Step(Scheduler scheduler, long nowMillis, long nowNanos) {
    this.scheduler = requireNonNull(scheduler, "scheduler is null");
    this.nowMillis = nowMillis;
    this.nowNanos = nowNanos;
  }

  /** The state. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** Time of the whole batch. */
  public long nowMillis() {
    return nowMillis;
  }

  /** The same by the monotonic clock, for leases. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Adds an entry to the audit log, durable together with what the call changed. */
  public void audit(AuditEvent event) {
    audit.add(requireNonNull(event, "event is null"));
  }

  /** Makes a batch of it even if nothing changes, so that the store removes what is due. */
  public void commitInAnyCase() {
    commits = true;
  }

  boolean commits() {
    return commits;
  }

  List<AuditEvent> auditEvents() {
    return audit;
  }
}
