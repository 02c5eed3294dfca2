package io.quotashare.server.view;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Change;
import io.quotashare.core.EndedJobs;
import io.quotashare.core.QueueView;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Queue;
import io.quotashare.server.engine.Commit;
import io.quotashare.server.engine.EngineListener;
import io.quotashare.server.engine.Restored;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest {@link Snapshot}. Written by the engine's thread after each commit, so a caller
 * that was answered reads its own change.
 */
public final class ReadModel implements EngineListener, EndedJobs {
  private final String rule;
  private volatile Snapshot current;

  /**
   * @param rule how long ended jobs are kept, as in {@link EndedJobs#rule}
   */
  public ReadModel(String rule) {
    this.rule = requireNonNull(rule, "rule is null");
    this.current = Snapshot.empty(rule);
  }

  /** Says nothing of how long ended jobs are kept. */
  public ReadModel() {
    this("");
  }

  /** The newest snapshot. */
  public Snapshot current() {
    return current;
  }

  @Override
  public Optional<Ended> find(JobKey key) {
    return current
        .jobs()
        .get(key)
        .filter(view -> view.job().state().isTerminal())
        .map(view -> new Ended(view.job(), view.attempt()));
  }

  @Override
  public String rule() {
    return rule;
  }

  @Override
  public void started(Restored restored) {
    current = next(restored.revision(), restored.rows(), restored.scheduler());
  }

  @Override
  public void committed(Commit commit) {
    current = next(commit.revision(), commit.batch().changes(), commit.scheduler());
  }

  private Snapshot next(long revision, List<Change> changes, Scheduler scheduler) {
    SortedTree<JobKey, JobView> jobs = current.jobs();
    OpenJobs open = current.open();
    SortedTree<AttemptKey, Attempt> live = current.live();
    SortedTree<String, Node> nodes = current.nodes();
    Map<JobKey, Attempt> attempts = new HashMap<>();
    boolean nodesMayMove = false;
    for (Change change : changes) {
      if (change instanceof Change.JobPut put) {
        jobs = jobs.with(put.job().key(), new JobView(put.job(), newest(jobs, put.job())));
        open = open.with(put.job());
      } else if (change instanceof Change.JobRemoved removed) {
        jobs = jobs.without(removed.job());
      } else if (change instanceof Change.AttemptPut put) {
        Attempt attempt = put.attempt();
        attempts.merge(attempt.key().job(), attempt, ReadModel::newer);
        live =
            attempt.state() == AttemptState.ENDED
                ? live.without(attempt.key())
                : live.with(attempt.key(), attempt);
      } else if (change instanceof Change.NodePut put) {
        nodes = nodes.with(put.node().name(), put.node());
        nodesMayMove = true;
      } else if (change instanceof Change.QueuePut) {
        nodesMayMove = true;
      }
    }
    for (Attempt attempt : attempts.values()) {
      jobs = withAttempt(jobs, attempt);
    }
    Map<String, String> queueByNode =
        nodesMayMove ? queuesOf(nodes, scheduler) : current.queueByNode();
    return new Snapshot(revision, jobs, open, live, nodes, queueByNode, views(scheduler), rule);
  }

  private static SortedTree<JobKey, JobView> withAttempt(
      SortedTree<JobKey, JobView> jobs, Attempt attempt) {
    JobKey key = attempt.key().job();
    JobView view =
        jobs.get(key)
            .orElseThrow(() -> new IllegalStateException("an attempt without a job: " + attempt));
    Attempt known = view.attempt();
    return known != null && known.key().number() > attempt.key().number()
        ? jobs
        : jobs.with(key, new JobView(view.job(), attempt));
  }

  private static @Nullable Attempt newest(SortedTree<JobKey, JobView> jobs, Job job) {
    return jobs.get(job.key()).map(JobView::attempt).orElse(null);
  }

  private static Attempt newer(Attempt a, Attempt b) {
    return a.key().number() > b.key().number() ? a : b;
  }

  private static Map<String, String> queuesOf(SortedTree<String, Node> nodes, Scheduler scheduler) {
    Map<String, String> result = new HashMap<>();
    for (Node node : nodes.values()) {
      scheduler.queueOf(node.name()).ifPresent(queue -> result.put(node.name(), queue));
    }
    return result;
  }

  private static SortedMap<String, QueueView> views(Scheduler scheduler) {
    SortedMap<String, QueueView> result = new TreeMap<>();
    for (Queue queue : scheduler.queues()) {
      result.put(queue.name(), scheduler.view(queue.name()));
    }
    return result;
  }
}
