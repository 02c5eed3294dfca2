package io.quotashare.server.failpoint;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.Uninterruptibles;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.PolicyQueue;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import io.quotashare.server.FakeClock;
import io.quotashare.server.Policies;
import io.quotashare.server.SimulatedAgent;
import io.quotashare.server.TestServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/**
 * A borrower's job is stopped for the lender, queued again, made more important, goes on, and all
 * end. Played on a scheduler with a database, which may die on the way: then another one is
 * started, the agents find it, and whoever had no answer asks again with the same request id.
 */
final class KilledStory implements AutoCloseable {
  private static final int MAX_ROUNDS = 400;

  private final Path folder;
  private final KillSwitch failpoints;
  private final FakeClock clock = new FakeClock();
  private final List<SimulatedAgent> agents;
  private TestServer server;

  KilledStory(Path folder, KillSwitch failpoints) {
    this.folder = folder;
    this.failpoints = failpoints;
    this.server = TestServer.onSqlite(folder, clock, failpoints);
    this.agents = List.of(new SimulatedAgent(server, "n1", 2), new SimulatedAgent(server, "n2", 2));
    failpoints.arm();
  }

  /** Plays all of it, and tells how it came out. */
  StoryOutcome play() {
    ask("policy", id -> server.shares().applyPolicy(policy(id)));
    for (int i = 0; i < 3; i++) {
      round();
    }
    submit("base", "borrower", 10);
    until("base", JobState.JOB_STATE_RUNNING);
    submit("loan", "borrower", 0);
    until("loan", JobState.JOB_STATE_RUNNING);
    submit("own", "lender", 0);
    until("own", JobState.JOB_STATE_RUNNING);
    ask("raise", id -> server.jobs().updateJobPriority(raise(id)));
    finish("own");
    until("own", JobState.JOB_STATE_SUCCEEDED);
    until("loan", JobState.JOB_STATE_RUNNING);
    ask("cancel", id -> server.jobs().cancelJob(cancel(id)));
    until("base", JobState.JOB_STATE_CANCELLED);
    finish("loan");
    until("loan", JobState.JOB_STATE_SUCCEEDED);
    return StoryOutcome.of(server, agents, List.of("base", "loan", "own"));
  }

  private static ApplyPolicyRequest policy(String requestId) {
    return ApplyPolicyRequest.newBuilder()
        .setRequestId(requestId)
        .addQueues(
            PolicyQueue.newBuilder()
                .setQueue(Queue.newBuilder().setName("queues/research"))
                .addShares(
                    Policies.share("lender", 2).setStrategy(SharingStrategy.SHARING_STRATEGY_LEND))
                .addShares(
                    Policies.share("borrower", 2)
                        .setStrategy(SharingStrategy.SHARING_STRATEGY_LEND_AND_BORROW)))
        .build();
  }

  private void submit(String job, String share, int priority) {
    ask(
        "submit " + job,
        id -> {
          SubmitJobRequest.Builder submit = Policies.submit(job, share, 2).setRequestId(id);
          submit.getSpecBuilder().setPriority(priority).setOnDemandCheckpoint(true);
          return server.jobs().submitJob(submit.build());
        });
  }

  private static UpdateJobPriorityRequest raise(String requestId) {
    return UpdateJobPriorityRequest.newBuilder()
        .setName("queues/research/jobs/loan")
        .setPriority(20)
        .setRequestId(requestId)
        .build();
  }

  private static CancelJobRequest cancel(String requestId) {
    return CancelJobRequest.newBuilder()
        .setName("queues/research/jobs/base")
        .setReason("enough")
        .setRequestId(requestId)
        .build();
  }

  private void finish(String job) {
    agents.forEach(agent -> agent.finish(job));
  }

  /** Calls until there is an answer, always with the same request id. */
  private <T> T ask(String what, Function<String, ListenableFuture<T>> call) {
    String requestId = UUID.nameUUIDFromBytes(what.getBytes(StandardCharsets.UTF_8)).toString();
    for (int i = 0; i < 3; i++) {
      ListenableFuture<T> answer = call.apply(requestId);
      settle();
      if (answer.isDone()) {
        try {
          return Uninterruptibles.getUninterruptibly(answer);
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof StatusRuntimeException) || !failpoints.isUsed()) {
            throw new AssertionError(what, e);
          }
        }
      }
      restartIfDead();
    }
    throw new AssertionError(what + ": no answer");
  }

  private void until(String job, JobState state) {
    GetJobRequest get = GetJobRequest.newBuilder().setName("queues/research/jobs/" + job).build();
    for (int i = 0; i < MAX_ROUNDS; i++) {
      if (ask("get", id -> server.jobs().getJob(get)).getJob().getState() == state) {
        return;
      }
      round();
    }
    throw new AssertionError(job + " does not get " + state);
  }

  /** A tenth of a second of everybody. */
  private void round() {
    clock.advance(100);
    settle();
    for (SimulatedAgent agent : agents) {
      if (!failpoints.isDead()) {
        alive(agent::tick);
      }
    }
    settle();
    restartIfDead();
  }

  private void settle() {
    if (!failpoints.isDead()) {
      alive(server::settle);
    }
  }

  /** Does something that the scheduler may not survive. */
  private void alive(Runnable action) {
    try {
      action.run();
    } catch (KillSwitch.Killed | StatusRuntimeException e) {
      if (!failpoints.isDead()) {
        throw new AssertionError(e);
      }
    }
  }

  private void restartIfDead() {
    if (failpoints.isDead()) {
      server.close();
      failpoints.revive();
      clock.advance(500);
      server = TestServer.onSqlite(folder, clock, failpoints);
      agents.forEach(agent -> agent.on(server));
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
