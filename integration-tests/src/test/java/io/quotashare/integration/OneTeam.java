package io.quotashare.integration;

import io.quotashare.client.JobHandle;
import io.quotashare.client.JobSpec;
import io.quotashare.client.JobState;
import io.quotashare.client.PolicyQueue;
import io.quotashare.client.Queue;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.SharingStrategy;
import io.quotashare.client.SubmitOptions;
import io.quotashare.integration.cluster.Cluster;
import java.util.List;
import java.util.Map;

/** One team that owns all devices, and whose important jobs may stop its less important ones. */
final class OneTeam {
  static final String QUEUE = "research";
  static final String SHARE = "team";

  private final Cluster cluster;

  private OneTeam(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Applies the policy. */
  static OneTeam of(Cluster cluster, int devices) {
    QuotaShare share =
        QuotaShare.of(QUEUE, SHARE, Map.of("H100", devices), SharingStrategy.RESERVE, true);
    cluster
        .client()
        .shares()
        .applyPolicy(List.of(new PolicyQueue(Queue.of(QUEUE), List.of(share))));
    return new OneTeam(cluster);
  }

  /** A training job on one device. */
  JobSpec.Builder job(String... options) {
    return cluster.training().job(QUEUE, SHARE, options).gpus(1);
  }

  /** A training job on one device of each of so many nodes. */
  JobSpec.Builder gang(int nodes) {
    return cluster.training().job(QUEUE, SHARE).shape(nodes, 1);
  }

  /** Submits a job under an id. */
  JobHandle submit(String id, JobSpec.Builder job) {
    return cluster.client().jobs().submit(job.build(), SubmitOptions.defaults().withJobId(id));
  }

  /** Submits a job, and waits until it runs and has got somewhere. */
  JobHandle run(String id, JobSpec.Builder job) {
    JobHandle handle = submit(id, job);
    cluster.events().awaitState(id, JobState.RUNNING, 1);
    cluster.training().awaitSteps(id, 1, 2);
    return handle;
  }

  /** Lets a job finish, and waits until it has succeeded. */
  void finish(String id) {
    cluster.training().finish(id);
    cluster.events().awaitState(id, JobState.SUCCEEDED, 1);
  }
}
