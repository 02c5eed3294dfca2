package io.quotashare.server.admin;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Change;
import io.quotashare.core.QueueView;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.server.store.CommitPoint;
import io.quotashare.server.store.Verification;
import io.quotashare.server.store.Verifier;
import io.quotashare.server.view.JobView;
import io.quotashare.server.view.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares rows with the state in memory as of the same commit: queues, shares, nodes, jobs and
 * attempts that have not ended. What has ended is compared where it is in memory.
 */
final class MemoryComparison implements Verifier {
  private static final String DIFFERS = "differs from the state in memory";
  private static final String NOT_IN_MEMORY = "is not in memory";

  private final Snapshot memory;
  private final Map<String, QuotaShare> shares = new HashMap<>();
  private final Set<Object> found = new HashSet<>();

  MemoryComparison(Snapshot memory) {
    this.memory = requireNonNull(memory, "memory is null");
    for (QueueView queue : memory.queues().values()) {
      queue.shares().forEach(s -> shares.put(s.share().key().toString(), s.share()));
    }
  }

  @Override
  public boolean accepts(CommitPoint at) {
    return at.revision() == memory.revision();
  }

  @Override
  public String check(Change put) {
    if (put instanceof Change.QueuePut queue) {
      return check(queue.queue());
    } else if (put instanceof Change.SharePut share) {
      found.add(share.share().key().toString());
      return compare(
          share.share(), Optional.ofNullable(shares.get(share.share().key().toString())));
    } else if (put instanceof Change.NodePut node) {
      return check(node.node());
    } else if (put instanceof Change.JobPut job) {
      return check(job.job());
    } else if (put instanceof Change.AttemptPut attempt) {
      return check(attempt.attempt());
    }
    return "";
  }

  private String check(Queue queue) {
    found.add("queues/" + queue.name());
    if (queue.state() == AdminState.REMOVED) {
      return memory.queues().containsKey(queue.name()) ? DIFFERS : "";
    }
    return compare(
        queue, Optional.ofNullable(memory.queues().get(queue.name())).map(QueueView::queue));
  }

  private String check(Node node) {
    found.add("nodes/" + node.name());
    return compare(node, memory.nodes().get(node.name()));
  }

  private String check(Job job) {
    found.add(job.key());
    Optional<Job> known = memory.jobs().get(job.key()).map(JobView::job);
    return known.isEmpty() && job.state().isTerminal() ? "" : compare(job, known);
  }

  private String check(Attempt attempt) {
    if (attempt.state() == AttemptState.ENDED) {
      return memory.live().get(attempt.key()).isPresent() ? DIFFERS : "";
    }
    found.add(attempt.key());
    return compare(attempt, memory.live().get(attempt.key()));
  }

  private static <T> String compare(T row, Optional<T> known) {
    if (known.isEmpty()) {
      return NOT_IN_MEMORY;
    }
    return known.get().equals(row) ? "" : DIFFERS;
  }

  @Override
  public Iterable<String> missing() {
    List<String> missing = new ArrayList<>();
    memory.queues().keySet().forEach(name -> miss(missing, "queues/" + name));
    shares.keySet().forEach(name -> miss(missing, name));
    for (Node node : memory.nodes().values()) {
      miss(missing, "nodes/" + node.name());
    }
    for (JobView view : memory.jobs().values()) {
      miss(missing, view.job().key());
    }
    for (Attempt attempt : memory.live().values()) {
      miss(missing, attempt.key());
    }
    return missing;
  }

  private void miss(List<String> missing, Object key) {
    if (missing.size() < Verification.MAX_PROBLEMS && !found.contains(key)) {
      missing.add(key + " is in memory and has no row");
    }
  }
}
