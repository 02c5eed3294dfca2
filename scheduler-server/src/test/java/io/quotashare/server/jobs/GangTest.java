package io.quotashare.server.jobs;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.Progress;
import io.quotashare.proto.v1.Attempt;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.proto.v1.WatchJobsRequest;
import io.quotashare.proto.v1.WatchJobsResponse;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.store.AuditEvent;
import io.quotashare.server.store.AuditQuery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two nodes with one GPU each, and jobs of one device a node. */
abstract class GangTest {
  static final String PARENT = "queues/research";

  TestServer server;
  FakeAgent n1;
  FakeAgent n2;

  @BeforeEach
  void start() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    n1 = new FakeAgent(server, "n1", 1).join();
    n2 = new FakeAgent(server, "n2", 1).join();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  static String reason(StatusRuntimeException error) {
    return error.getStatus().getCode() + " " + ErrorInfos.reason(error);
  }

  final void submit(String id, String share, int gpus) {
    SubmitJobRequest.Builder request = Policies.submit(id, share, 1);
    request.getSpecBuilder().clearGpus().setNodes(gpus).setGpusPerNode(1);
    server.answer(server.jobs().submitJob(request.build()));
  }

  final void submitSaving(String id, int nodes) {
    SubmitJobRequest.Builder request = Policies.submit(id, "lender", 1);
    request
        .getSpecBuilder()
        .clearGpus()
        .setNodes(nodes)
        .setGpusPerNode(1)
        .setOnDemandCheckpoint(true);
    server.answer(server.jobs().submitJob(request.build()));
  }

  final FakeAgent agentOf(String id) {
    return agent(job(id).getLatestAttempt().getPlacement(0).getNode());
  }

  final FakeAgent agent(String node) {
    return node.equals("n1") ? n1 : n2;
  }

  final void run(String id) {
    Attempt attempt = job(id).getLatestAttempt();
    attempt
        .getPlacementList()
        .forEach(
            part ->
                agent(part.getNode())
                    .report(
                        agent(part.getNode())
                            .status(attempt.getName(), AttemptPhase.ATTEMPT_PHASE_RUNNING)
                            .setRank(part.getRank())));
  }

  final void finish(String id) {
    agentOf(id).finish(job(id).getLatestAttempt().getName());
  }

  /** The job says that it has saved. */
  final void acknowledge(String id, int number, long seq) {
    FakeAgent agent = agentOf(id);
    agent.report(
        agent
            .status(attempt(id, number), AttemptPhase.ATTEMPT_PHASE_RUNNING)
            .setProgress(
                Progress.newBuilder()
                    .setAckSeq(seq)
                    .setCheckpointStateTime(agent.now())
                    .setCheckpointDurableTime(agent.now())));
  }

  final AttemptStatus running(String id) {
    return agentOf(id).status(attempt(id, 1), AttemptPhase.ATTEMPT_PHASE_RUNNING).build();
  }

  final void restart(AttemptStatus... running) {
    String node =
        running.length == 0
            ? ""
            : job(running[0].getAttempt().split("/")[3])
                .getLatestAttempt()
                .getPlacement(0)
                .getNode();
    server = server.restart();
    for (FakeAgent agent : List.of(n1, n2)) {
      agent.on(server).register(agent.node().equals(node) ? running : new AttemptStatus[0]);
      agent.connect();
    }
    server.settle();
  }

  final void advance(long millis) {
    for (long passed = 0; passed < millis; passed += 1_000) {
      server.advance(1_000);
      n1.heartbeat();
      n2.heartbeat();
    }
    server.settle();
  }

  final Job job(String id) {
    return server
        .answer(server.jobs().getJob(GetJobRequest.newBuilder().setName(name(id)).build()))
        .getJob();
  }

  final List<String> states(String... ids) {
    List<String> states = new ArrayList<>();
    for (String id : ids) {
      states.add(job(id).getState().name().substring("JOB_STATE_".length()));
    }
    return states;
  }

  final List<Attempt> attempts(String id) {
    return server
        .answer(
            server
                .jobs()
                .listAttempts(
                    io.quotashare.proto.v1.ListAttemptsRequest.newBuilder()
                        .setParent(name(id))
                        .build()))
        .getAttemptsList();
  }

  final List<AuditEvent> audit(int newest) {
    return server.store().audit(AuditQuery.newest(newest)).items().stream()
        .map(record -> record.event())
        .toList();
  }

  /** What watchers are told from now on: type, job, detail. */
  final List<String> watch() {
    List<String> told = new ArrayList<>();
    JobServiceGrpc.newStub(server.channel())
        .watchJobs(
            WatchJobsRequest.newBuilder().setParent(PARENT).setSkipSnapshot(true).build(),
            new StreamObserver<WatchJobsResponse>() {
              @Override
              public void onNext(WatchJobsResponse response) {
                if (response.hasEvent()) {
                  String job = response.getEvent().getJob().getName();
                  told.add(
                      response.getEvent().getType().name().substring("JOB_EVENT_TYPE_".length())
                          + " "
                          + job.substring(job.lastIndexOf('/') + 1)
                          + " "
                          + response.getEvent().getDetail());
                }
              }

              @Override
              public void onError(Throwable cause) {}

              @Override
              public void onCompleted() {}
            });
    return told;
  }

  static String attempt(String id, int number) {
    return name(id) + "/attempts/" + number;
  }

  static String name(String id) {
    return PARENT + "/jobs/" + id;
  }
}
