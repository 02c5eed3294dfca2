package io.quotashare.server.engine;

import io.quotashare.core.Batch;
import io.quotashare.core.Change;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.Preemption;
import io.quotashare.server.store.AuditEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entries of the audit log that a batch makes: those of its calls, and each preemption. */
final class Audits {
  private static final String SCHEDULER = "scheduler";

  private Audits() {}

  static List<AuditEvent> of(Batch batch, List<AuditEvent> ofCalls, long nowMillis) {
    List<AuditEvent> events = new ArrayList<>(ofCalls);
    for (Change change : batch.changes()) {
      if (change instanceof Change.PreemptionPut put && isNew(put.preemption(), nowMillis)) {
        events.add(preempted(put.preemption()));
      } else if (change instanceof Change.ObservedPreemptionPut put) {
        events.add(wouldPreempt(put.preemption()));
      }
    }
    return events;
  }

  /** A preemption is written again when it is saved and freed; it is decided once. */
  private static boolean isNew(Preemption preemption, long nowMillis) {
    return preemption.requestedAtMillis() == nowMillis
        && preemption.savedAtMillis().isEmpty()
        && preemption.freedAtMillis().isEmpty();
  }

  private static AuditEvent wouldPreempt(ObservedPreemption preemption) {
    return new AuditEvent(
        SCHEDULER,
        "WOULD_PREEMPT",
        preemption.victim().toString(),
        "",
        "",
        preemption.cause().name(),
        detail(preemption.gpus(), preemption.beneficiary()) + "; its queue only observes");
  }

  private static String detail(int gpus, @Nullable JobKey beneficiary) {
    return gpus
        + (gpus == 1 ? " GPU" : " GPUs")
        + (beneficiary == null ? "" : " for " + beneficiary);
  }

  private static AuditEvent preempted(Preemption preemption) {
    return new AuditEvent(
        SCHEDULER,
        "PREEMPT",
        preemption.victim().toString(),
        "",
        "",
        preemption.cause().name(),
        detail(preemption.gpus(), preemption.beneficiary()));
  }
}
