package io.quotashare.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Timestamp;
import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import io.quotashare.client.fake.FakeJobs;
import io.quotashare.proto.v1.Attempt;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobEventType;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.NodeDevices;
import io.quotashare.proto.v1.PreemptionCause;
import io.quotashare.proto.v1.StreamJobLogsRequest;
import io.quotashare.proto.v1.UpdateJobPriorityRequest;
import io.quotashare.proto.v1.Waiting;
import io.quotashare.proto.v1.WaitingReason;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobCommandsTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final String NAME = "queues/q/jobs/j-1";

  private final CliRunner cli = new CliRunner();

  @BeforeEach
  void putJobs() {
    cli.variables.put("QUOTASHARE_QUEUE", "q");
    Attempt attempt =
        Attempt.newBuilder()
            .setName(NAME + "/attempts/2")
            .setState(JobState.JOB_STATE_PREEMPTING)
            .addPlacement(NodeDevices.newBuilder().setNode("n1").addDeviceUuids("GPU-1"))
            .setPreemptionCause(PreemptionCause.PREEMPTION_CAUSE_RECLAIM)
            .setBeneficiaryJob("owner")
            .setStep(120)
            .setCheckpointStep(100)
            .build();
    cli.scheduler.jobs.put(
        FakeJobs.job("j-1", "background", 5).toBuilder()
            .setState(JobState.JOB_STATE_PREEMPTING)
            .setAttemptCount(2)
            .setPreemptionCount(1)
            .setLatestAttempt(attempt)
            .build());
    cli.scheduler.jobs.put(
        FakeJobs.job("j-2", "vision", 0).toBuilder()
            .setWaiting(
                Waiting.newBuilder()
                    .setReason(WaitingReason.WAITING_REASON_NOTHING_TO_BORROW)
                    .setDetail("1 GPU is idle, and withheld for latency"))
            .build());
    cli.scheduler.jobs.put(
        FakeJobs.job("j-3", "vision", 0).toBuilder()
            .setWaiting(
                Waiting.newBuilder().setReason(WaitingReason.WAITING_REASON_BEHIND_FRONT_JOB))
            .build());
  }

  @AfterEach
  void close() {
    cli.close();
  }

  @Test
  void aTableIsAlignedAndSaysWhy() {
    assertThat(cli.run("jobs").out())
        .isEqualTo(
            """
            JOB  SHARE       PRIORITY  GPUS  STATE       ATTEMPTS  AGE  WHY
            j-1  background         5     1  PREEMPTING         2  42m  preempted (RECLAIM: lent GPUs go back to their owner) for owner
            j-2  vision             0     1  RUNNABLE           0  42m  NOTHING_TO_BORROW: 1 GPU is idle, and withheld for latency
            j-3  vision             0     1  RUNNABLE           0  42m  BEHIND_FRONT_JOB: another job of its share goes first
            """);
  }

  @Test
  void jsonIsOneArrayWithCamelCaseAndDefaults() throws IOException {
    JsonNode array = new ObjectMapper().readTree(cli.run("jobs", "-o", "json").out());

    assertThat(array).hasSize(3);
    JsonNode second = array.get(1);
    assertThat(second.get("name").asText()).isEqualTo("queues/q/jobs/j-2");
    assertThat(second.get("state").asText()).isEqualTo("JOB_STATE_RUNNABLE");
    assertThat(second.get("spec").get("priority").isInt()).isTrue();
    assertThat(second.get("preemptionCount").asInt()).as("a default is printed").isZero();
    assertThat(second.get("submittedAt").asText()).isEqualTo("2026-03-01T12:00:00Z");
    assertThat(second.has("latestAttempt")).isFalse();
  }

  @Test
  void anEmptyListIsAnEmptyArrayAndANote() {
    assertThat(cli.run("jobs", "--state", "FAILED", "-o", "json").out()).isEqualTo("[]\n");
    CliRunner.Result table = cli.run("jobs", "--state", "FAILED");
    assertThat(table).isEqualTo(new CliRunner.Result(0, "", "no jobs\n"));
  }

  @Test
  void yamlWideAndNameAreOtherFormsOfTheSame() {
    assertThat(cli.run("jobs", "-o", "name").lines())
        .containsExactly("queues/q/jobs/j-1", "queues/q/jobs/j-2", "queues/q/jobs/j-3");
    assertThat(cli.run("job", "get", "j-1", "-o", "yaml").out())
        .contains("name: queues/q/jobs/j-1\n");
    assertThat(cli.run("jobs", "-o", "wide").out()).contains("UNIT").contains("n1:1");
  }

  @Test
  void whatHasEndedIsLeftOutUnlessAskedFor() {
    cli.run("jobs");
    cli.run("jobs", "--all");
    cli.run("jobs", "--state", "RUNNING,FAILED", "--share", "a", "--label", "x=1", "--queue", "p");

    List<ListJobsRequest> sent = cli.scheduler.requests(ListJobsRequest.class);
    assertThat(sent.get(0).getStatesList())
        .contains(JobState.JOB_STATE_UNKNOWN)
        .doesNotContain(JobState.JOB_STATE_SUCCEEDED);
    ListJobsRequest all =
        sent.stream().filter(r -> r.getStatesCount() == 0).findFirst().orElseThrow();
    assertThat(all.getParent()).isEqualTo("queues/-");
    ListJobsRequest last = sent.get(sent.size() - 1);
    assertThat(last.getStatesList())
        .containsExactly(JobState.JOB_STATE_RUNNING, JobState.JOB_STATE_FAILED);
    assertThat(last.getParent()).isEqualTo("queues/p");
    assertThat(last.getShare()).isEqualTo("a");
    assertThat(last.getLabelsMap()).containsEntry("x", "1");
  }

  @Test
  void getShowsTheFacts() {
    assertThat(cli.run("job", "get", "j-1").out())
        .contains("state                 PREEMPTING")
        .contains("priority              5")
        .contains("devices               1 H100 (1 x 1)")
        .contains("attempt               2 of 2, on n1:1")
        .contains("step                  120 (saved to 100)")
        .contains("preempted             once (no limit)");
  }

  @Test
  void explainSaysItInSentences() {
    assertThat(cli.run("job", "explain", "j-2").out())
        .isEqualTo(
            """
            it waits
              two GPUs are being taken back
              Stopping for it: victim.
            """);
    assertThat(cli.run("job", "explain", "j-2", "-o", "json").out())
        .contains("\"summary\": \"it waits\"");
  }

  @Test
  void priorityIsSentAndZeroIsAValue() {
    CliRunner.Result result = cli.run("job", "priority", "j-1", "0");

    assertThat(result)
        .isEqualTo(new CliRunner.Result(0, "", "j-1 has priority 0 now, and is PREEMPTING\n"));
    UpdateJobPriorityRequest sent = cli.scheduler.requests(UpdateJobPriorityRequest.class).get(0);
    assertThat(sent.hasPriority()).isTrue();
    assertThat(sent.getRequestId()).isNotEmpty();
    CliRunner.Result wrong = cli.run("job", "priority", "j-1", "10000");
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err())
        .isEqualTo("quotashare: priority: 10000 is not valid here, expected 0 to 9999\n");
  }

  @Test
  void cancelTakesSeveral() {
    CliRunner.Result result = cli.run("job", "cancel", "j-1", "j-2", "--reason", "enough");

    assertThat(result.code()).isZero();
    assertThat(result.err()).isEqualTo("j-1 is cancelled\nj-2 is cancelled\n");
    assertThat(cli.scheduler.requests(CancelJobRequest.class))
        .extracting(CancelJobRequest::getReason)
        .containsExactly("enough", "enough");
    assertThat(cli.run("job", "cancel", "none").code()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void attemptsSayHowTheyEnded() {
    cli.scheduler.jobs.putAttempts(
        NAME,
        List.of(
            Attempt.newBuilder()
                .setName(NAME + "/attempts/1")
                .setState(JobState.JOB_STATE_RUNNABLE)
                .addPlacement(NodeDevices.newBuilder().setNode("n2").addDeviceUuids("GPU-7"))
                .setScheduledAt(Timestamp.newBuilder().setSeconds(FakeJobs.EPOCH_SECOND))
                .setPreemptionCause(PreemptionCause.PREEMPTION_CAUSE_IN_SHARE)
                .setBeneficiaryJob("low")
                .setExitCode(0)
                .setCheckpointStep(40)
                .setLostDeviceSeconds(2.5)
                .build()));

    List<String> lines = cli.run("job", "attempts", "j-1").lines();

    assertThat(lines).hasSize(2);
    assertThat(lines.get(1).strip().split(" {2,}"))
        .containsExactly(
            "1",
            "STOPPED",
            "n2:1",
            "12:00:00",
            "-",
            "-",
            "0",
            "-",
            "40",
            "2.5",
            "preempted (IN_SHARE: a job of higher priority in its share) for low");
  }

  @Test
  void logsArePrintedAsTheyAre() {
    cli.scheduler.jobs.putLog(NAME, 1, "äöü without a line end");
    cli.scheduler.jobs.putLog(NAME, 2, "second\n");

    assertThat(cli.run("job", "logs", "j-1").out()).isEqualTo("second\n");
    assertThat(cli.run("job", "logs", "j-1", "--attempt", "1", "-f").out())
        .isEqualTo("äöü without a line end");
    StreamJobLogsRequest sent = cli.scheduler.requests(StreamJobLogsRequest.class).get(1);
    assertThat(sent.getFollow()).isTrue();
    assertThat(sent.getAttempt()).isEqualTo(1);
    CliRunner.Result none = cli.run("job", "logs", "none");
    assertThat(none.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(none.err()).contains("queues/q/jobs/none does not exist (JOB_NOT_FOUND)");
  }

  @Test
  void watchShowsEventsUntilTheEnd() {
    CompletableFuture<CliRunner.Result> watching =
        CompletableFuture.supplyAsync(() -> cli.run("job", "watch", "j-2"));
    await().atMost(LONG).until(() -> cli.scheduler.jobs.watchers() == 1);
    cli.scheduler.jobs.happen(
        "queues/q/jobs/j-2",
        JobEventType.JOB_EVENT_TYPE_RUNNING,
        (Job.Builder job) -> job.setState(JobState.JOB_STATE_RUNNING).clearWaiting());
    cli.scheduler.jobs.end("queues/q/jobs/j-2", JobState.JOB_STATE_FAILED, "exit code 1");

    CliRunner.Result result = watching.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();

    assertThat(result.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(result.out())
        .isEqualTo(
            """
            12:00:00  SNAPSHOT      j-2 is RUNNABLE: NOTHING_TO_BORROW: 1 GPU is idle, and withheld for latency
            12:00:01  RUNNING       j-2 runs
            12:00:02  FAILED        j-2 has failed: exit code 1
            """);
  }

  @Test
  void watchingAJobThatHasEndedShowsItsEndAtOnce() {
    cli.scheduler.jobs.put(
        FakeJobs.job("j-4", "vision", 0).toBuilder()
            .setState(JobState.JOB_STATE_FAILED)
            .setEndedAt(Timestamp.newBuilder().setSeconds(FakeJobs.EPOCH_SECOND))
            .setEndReason("exit code 3")
            .build());
    cli.scheduler.jobs.put(
        FakeJobs.job("j-5", "vision", 0).toBuilder()
            .setState(JobState.JOB_STATE_SUCCEEDED)
            .build());

    assertThat(cli.run("job", "watch", "j-4"))
        .isEqualTo(
            new CliRunner.Result(
                ExitCode.NOT_SO,
                "j-4 has ended already: it failed at 2026-03-01 12:00:00: exit code 3\n",
                ""));
    assertThat(cli.run("job", "watch", "j-5"))
        .isEqualTo(new CliRunner.Result(0, "j-5 has ended already: it succeeded\n", ""));
    assertThat(cli.scheduler.jobs.watchers()).isZero();
  }

  @Test
  void onlyStatesThatExistAreOffered() {
    assertThat(cli.run("jobs", "--help").out())
        .contains("SUBMITTED, RUNNABLE")
        .doesNotContain("UNRECOGNIZED");
    CliRunner.Result result = cli.run("jobs", "--state", "UNRECOGNIZED");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("\"UNRECOGNIZED\" is not a state; expected one of SUBMITTED");
    assertThat(cli.run("jobs", "--state", "RUNING").err()).contains("did you mean RUNNING?");
  }
}
