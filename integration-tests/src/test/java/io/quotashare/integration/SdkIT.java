package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.client.ChangeOptions;
import io.quotashare.client.ConflictException;
import io.quotashare.client.Job;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobResult;
import io.quotashare.client.JobState;
import io.quotashare.client.QuotaShareClient;
import io.quotashare.client.RequeueOptions;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.ClusterSpec;
import io.quotashare.integration.cluster.Clusters;
import io.quotashare.integration.cluster.Ports;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What docs/sdk.md promises of a job's life, on a real scheduler, a real agent and a real job. */
class SdkIT {
  private static final String ID = "train";

  @RegisterExtension final Clusters clusters = new Clusters();

  private Cluster cluster;
  private OneTeam team;

  @BeforeEach
  void start() {
    cluster = clusters.start(ClusterSpec.ofNodes("node-a"));
    team = OneTeam.of(cluster, 1);
  }

  @Test
  void aCheckpointIsAwaitedWhileTheJobGoesOn() {
    JobHandle job = team.run(ID, team.job());

    Job first = job.checkpointAndAwait(Duration.ofSeconds(30));
    Job second = job.checkpointAndAwait(Duration.ofSeconds(30));

    assertThat(first.latestAttempt().checkpointAckSeq()).isEqualTo(1);
    assertThat(second.latestAttempt().checkpointAckSeq()).isEqualTo(2);
    assertThat(second.latestAttempt().checkpointStep()).isNotNull();
    assertThat(second.state()).isEqualTo(JobState.RUNNING);
    assertThat(second.attemptCount()).isEqualTo(1);
    team.finish(ID);
  }

  @Test
  void aJobIsRequeuedHeldAndReleased() {
    JobHandle job = team.run(ID, team.job());
    Job asRead = job.get();

    job.requeue(RequeueOptions.defaults().holding().because("new data").ifUnchanged(asRead.etag()));
    cluster.events().awaitState(ID, JobState.RUNNABLE, 1);
    assertThat(job.get().held()).isTrue();
    assertThatThrownBy(() -> job.release(ChangeOptions.defaults().ifUnchanged(asRead.etag())))
        .isInstanceOf(ConflictException.class);

    job.release();
    cluster.events().awaitState(ID, JobState.RUNNING, 2);
    assertThat(job.get().held()).isFalse();
    assertThat(job.attempts().iterator().next().checkpointConfirmed()).isTrue();
    team.finish(ID);
  }

  /** The first address is dead, and the scheduler is killed while somebody waits. */
  @Test
  void awaitGoesOnAmongSeveralAddresses() {
    String addresses = "127.0.0.1:" + Ports.free() + "," + cluster.scheduler().address();
    try (QuotaShareClient client = QuotaShareClient.connect(addresses)) {
      JobHandle job = team.run(ID, team.job());
      CompletableFuture<JobResult> result = client.jobs().awaitAsync(job.name());

      cluster.scheduler().killAndRestart();
      cluster.training().finish(ID);

      assertThat(result)
          .succeedsWithin(60, TimeUnit.SECONDS)
          .matches(ended -> ended.succeeded() && ended.job().name().equals(job.name()));
    }
  }
}
