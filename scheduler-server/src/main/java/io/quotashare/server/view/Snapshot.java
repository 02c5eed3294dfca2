package io.quotashare.server.view;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.QueueView;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.ShareKey;
import io.quotashare.server.grpc.Errors;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The durable state after one batch. Immutable; may be read by any thread. */
public final class Snapshot {
  private final long revision;
  private final SortedTree<JobKey, JobView> jobs;
  private final OpenJobs open;
  private final SortedTree<AttemptKey, Attempt> live;
  private final SortedTree<String, Node> nodes;
  private final Map<String, String> queueByNode;
  private final SortedMap<String, QueueView> queues;
  private final String endedJobsRule;

  /** Found when first asked for; finding it twice does no harm. */
  private volatile @Nullable Map<Held, Attempt> holders;

  /**
   * @param revision number of the batch
   * @param queueByNode queue id of every node that one selects
   * @param queues by queue id
   * @param endedJobsRule how long ended jobs are kept, in words; may be empty
   */
  Snapshot(
      long revision,
      SortedTree<JobKey, JobView> jobs,
      OpenJobs open,
      SortedTree<AttemptKey, Attempt> live,
      SortedTree<String, Node> nodes,
      Map<String, String> queueByNode,
      SortedMap<String, QueueView> queues,
      String endedJobsRule) {
    this.revision = revision;
    this.jobs = requireNonNull(jobs, "jobs is null");
    this.open = requireNonNull(open, "open is null");
    this.live = requireNonNull(live, "live is null");
    this.nodes = requireNonNull(nodes, "nodes is null");
    this.queueByNode = Map.copyOf(queueByNode);
    this.queues = requireNonNull(queues, "queues is null");
    this.endedJobsRule = requireNonNull(endedJobsRule, "endedJobsRule is null");
  }

  static Snapshot empty(String endedJobsRule) {
    return new Snapshot(
        0,
        SortedTree.empty(),
        OpenJobs.empty(),
        SortedTree.empty(),
        SortedTree.empty(),
        Map.of(),
        new TreeMap<>(),
        endedJobsRule);
  }

  /** Number of the batch. */
  public long revision() {
    return revision;
  }

  /** Jobs by key, ended ones included. */
  public SortedTree<JobKey, JobView> jobs() {
    return jobs;
  }

  /**
   * The job.
   *
   * @throws io.grpc.StatusRuntimeException NOT_FOUND, which says how long ended jobs are kept
   */
  public JobView requireJob(JobKey key) {
    return jobs.get(key).orElseThrow(() -> Errors.jobNotFound(key.toString(), endedJobsRule));
  }

  /** Jobs that have not ended, in the orders of lists. */
  public OpenJobs open() {
    return open;
  }

  /** Nodes by name. */
  public SortedTree<String, Node> nodes() {
    return nodes;
  }

  Map<String, String> queueByNode() {
    return queueByNode;
  }

  /** Queue that a node belongs to; empty if none selects it. */
  public Optional<String> queueOf(String node) {
    return Optional.ofNullable(queueByNode.get(node));
  }

  /** Queues by id. */
  public SortedMap<String, QueueView> queues() {
    return queues;
  }

  /** A share with what it uses; empty if there is none. */
  public Optional<QueueView.ShareView> share(ShareKey key) {
    return Optional.ofNullable(queues.get(key.queue())).stream()
        .flatMap(view -> view.shares().stream())
        .filter(view -> view.share().key().equals(key))
        .findFirst();
  }

  /** Attempts that have not ended, by key. */
  public SortedTree<AttemptKey, Attempt> live() {
    return live;
  }

  /** Attempt that holds a device; empty if none. */
  public Optional<Attempt> holder(String node, String deviceUuid) {
    Map<Held, Attempt> known = holders;
    if (known == null) {
      known = findHolders();
      holders = known;
    }
    return Optional.ofNullable(known.get(new Held(node, deviceUuid)));
  }

  private Map<Held, Attempt> findHolders() {
    Map<Held, Attempt> result = new HashMap<>();
    for (Attempt attempt : live.values()) {
      for (Part part : attempt.parts()) {
        if (!part.phase().isFree()) {
          part.devices().forEach(uuid -> result.put(new Held(part.node(), uuid), attempt));
        }
      }
    }
    return result;
  }

  private record Held(String node, String deviceUuid) {}
}
