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
  private final FaultyInputs faulty;
  private boolean commits;

  Step(Scheduler scheduler, long nowMillis, long nowNanos, FaultyInputs faulty) {
    this.scheduler = requireNonNull(scheduler, "scheduler is null");
    this.nowMillis = nowMillis;
    this.nowNanos = nowNanos;
    this.faulty = requireNonNull(faulty, "faulty is null");
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

  /**
   * Begins to take in something that its sender repeats until it is answered. If the scheduler
   * faulted on it several times already, it is to be set aside: answered as if it had been taken,
   * with an audit event, so that it cannot keep everything else from being done.
   *
   * @param input its identity: equal for every repeat
   * @return false if it is to be set aside
   */
  public boolean begin(Object input) {
    return faulty.begin(input);
  }

  /** Ends what {@link #begin} began. */
  public void end() {
    faulty.end();
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
