package io.quotashare.core.replay;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.WaitingReason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What must hold at the end of an instant, after its decisions (scenario-format, expect).
 *
 * @param atMillis the instant; empty for the end of the replay
 * @param running SCHEDULED, STARTING or RUNNING
 * @param waiting SUBMITTED or RUNNABLE, and for which reason; empty for any
 * @param preempting chosen as victim by now
 * @param wouldPreempt chosen by now by a queue that only observes
 * @param spared never chosen as victim so far
 * @param succeeded ended so
 * @param failed ended so
 * @param cancelled ended so
 * @param preemptions how often each was chosen as victim so far
 */
public record Expectation(
    OptionalLong atMillis,
    List<JobKey> running,
    Map<JobKey, Optional<WaitingReason>> waiting,
    List<JobKey> preempting,
    List<JobKey> wouldPreempt,
    List<JobKey> spared,
    List<JobKey> succeeded,
    List<JobKey> failed,
    List<JobKey> cancelled,
    Map<JobKey, Integer> preemptions) {
  public Expectation {
    requireNonNull(atMillis, "atMillis is null");
    running = List.copyOf(running);
    waiting = new LinkedHashMap<>(waiting);
    preempting = List.copyOf(preempting);
    wouldPreempt = List.copyOf(wouldPreempt);
    spared = List.copyOf(spared);
    succeeded = List.copyOf(succeeded);
    failed = List.copyOf(failed);
    cancelled = List.copyOf(cancelled);
    preemptions = new LinkedHashMap<>(preemptions);
  }
}
