package io.quotashare.server.jobs;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobState;
import io.quotashare.server.grpc.Enums;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which jobs a list or a bulk change is about.
 *
 * @param share only of this share id; empty for all
 * @param states only in these states
 * @param labels only with all of these labels
 */
record JobFilter(String share, Set<JobState> states, SortedMap<String, String> labels) {
  private static final Map<io.quotashare.proto.v1.JobState, JobState> STATES =
      Enums.toCore(JobState.class, io.quotashare.proto.v1.JobState.class, "JOB_STATE_");

  JobFilter {
    requireNonNull(share, "share is null");
    states = Collections.unmodifiableSet(states);
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /**
   * Reads a filter; records in {@code checks} what is wrong with its fields.
   *
   * @param allowed the states that may be asked for; all of them where none is named
   */
  static JobFilter read(
      String share,
      List<io.quotashare.proto.v1.JobState> states,
      List<Integer> stateNumbers,
      Map<String, String> labels,
      Set<JobState> allowed,
      FieldChecks checks) {
    checks.check(share.isEmpty() || Names.isId(share), "share", share, "a share id");
    LaunchRules.labels(labels, checks);
    Set<JobState> wanted = EnumSet.noneOf(JobState.class);
    int max = JobState.values().length;
    if (checks.check(
        states.size() <= max, "states", states.size() + " entries", "at most " + max)) {
      for (int i = 0; i < states.size(); i++) {
        JobState state = STATES.get(states.get(i));
        if (checks.check(
            state != null && allowed.contains(state),
            "states[" + i + "]",
            state == null ? stateNumbers.get(i) : states.get(i),
            "one of " + names(allowed))) {
          wanted.add(state);
        }
      }
    }
    return new JobFilter(share, wanted.isEmpty() ? allowed : wanted, new TreeMap<>(labels));
  }

  private static List<String> names(Set<JobState> states) {
    return states.stream().map(state -> JobWriter.state(state).name()).toList();
  }

  /** States in which a job has not ended. */
  static Set<JobState> open() {
    Set<JobState> open = EnumSet.allOf(JobState.class);
    open.removeIf(JobState::isTerminal);
    return open;
  }

  /** Whether it selects every job in one of these states. */
  boolean selectsAll(Set<JobState> of) {
    return share.isEmpty() && labels.isEmpty() && states.containsAll(of);
  }

  boolean matches(Job job) {
    return states.contains(job.state())
        && (share.isEmpty() || share.equals(job.spec().share()))
        && job.spec().labels().entrySet().containsAll(labels.entrySet());
  }

  /** Whether a job that has ended can match. */
  boolean includesEnded() {
    return states.stream().anyMatch(JobState::isTerminal);
  }

  /** Whether a job that has not ended can match. */
  boolean includesOpen() {
    return !states.stream().allMatch(JobState::isTerminal);
  }
}
