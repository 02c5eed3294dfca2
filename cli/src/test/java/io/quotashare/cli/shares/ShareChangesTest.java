package io.quotashare.cli.shares;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotashare.cli.CliRunner;
import io.quotashare.cli.ExitCode;
import io.quotashare.cli.console.Outside;
import io.quotashare.proto.v1.AdminState;
import io.quotashare.proto.v1.CreateQuotaShareRequest;
import io.quotashare.proto.v1.DeleteQuotaShareRequest;
import io.quotashare.proto.v1.GetQueueSnapshotRequest;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.ShareOrdering;
import io.quotashare.proto.v1.ShareUsage;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.proto.v1.UpdateQuotaShareRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Shares one by one: make, change, remove, watch. */
class ShareChangesTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final String NAME = "queues/q/shares/nlp";

  private final CliRunner cli = new CliRunner();

  @BeforeEach
  void putQueue() {
    cli.scheduler.queues.put(
        GetQueueSnapshotResponse.newBuilder()
            .setQueue(Queue.newBuilder().setName("queues/q"))
            .build());
  }

  @AfterEach
  void close() {
    cli.close();
  }

  private CliRunner.Result run(String line) {
    return cli.run(line.split(" "));
  }

  private static QuotaShareStatus.Builder status(int waiting, int used) {
    return QuotaShareStatus.newBuilder()
        .setShare(
            QuotaShare.newBuilder()
                .setName(NAME)
                .putCapacity("H100", 8)
                .setStrategy(SharingStrategy.SHARING_STRATEGY_LEND)
                .setInSharePreemption(true)
                .setState(AdminState.ADMIN_STATE_DISABLED)
                .setEtag("1"))
        .addUsage(ShareUsage.newBuilder().setUnit("H100").setWaitingJobs(waiting).setUsed(used));
  }

  @Test
  void aShareIsMadeWithEverySetting() {
    CliRunner.Result result =
        run(
            "share create nlp --capacity H100=8,A100=2 --strategy LEND_AND_BORROW"
                + " --in-share-preemption --borrow-limit H100=4 --lend-limit-percent 50"
                + " --ordering BACKFILL --weight 3 --min-runtime 10m --state DISABLED");

    assertThat(result).isEqualTo(new CliRunner.Result(0, "", NAME + " is made\n"));
    CreateQuotaShareRequest sent = cli.scheduler.requests(CreateQuotaShareRequest.class).get(0);
    assertThat(sent.getParent()).isEqualTo("queues/q");
    assertThat(sent.getShareId()).isEqualTo("nlp");
    QuotaShare share = sent.getShare();
    assertThat(share.getCapacityMap()).hasSize(2).containsEntry("H100", 8);
    assertThat(share.getStrategy()).isEqualTo(SharingStrategy.SHARING_STRATEGY_LEND_AND_BORROW);
    assertThat(share.getInSharePreemption()).isTrue();
    assertThat(share.getBorrowLimitMap()).containsEntry("H100", 4);
    assertThat(share.getLendLimitPercent()).isEqualTo(50);
    assertThat(share.getOrdering()).isEqualTo(ShareOrdering.SHARE_ORDERING_BACKFILL);
    assertThat(share.getWeight()).isEqualTo(3);
    assertThat(share.getMinRuntime().getSeconds()).isEqualTo(600);
    assertThat(share.getState()).isEqualTo(AdminState.ADMIN_STATE_DISABLED);
    assertThat(
            run("share create nlp --capacity H100=1 --strategy LEND --no-in-share-preemption")
                .code())
        .as("it exists")
        .isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void whatHasNoDefaultMustBeSaid() {
    assertThat(run("share create nlp --strategy LEND --in-share-preemption").err())
        .isEqualTo("quotashare: --capacity is missing: devices by unit such as H100=8\n");
    assertThat(run("share create nlp --capacity H100=1 --in-share-preemption").err())
        .contains("--strategy is missing: RESERVE, LEND or LEND_AND_BORROW; it has no default");
    assertThat(run("share create nlp --capacity H100=1 --strategy LEND").err())
        .contains("--in-share-preemption or --no-in-share-preemption is missing");
    assertThat(
            run("share create nlp --capacity H100=1 --strategy LEND --in-share-preemption"
                    + " --borrow-limit-percent 5")
                .code())
        .as("a share that does not borrow")
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("share create nlp --capacity H100 --strategy LEND").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(cli.scheduler.requests(CreateQuotaShareRequest.class)).isEmpty();
  }

  @Test
  void onlyWhatIsNamedChanges() {
    cli.scheduler.shares.set(status(0, 0).build());

    assertThat(run("share update nlp --capacity H100=4 --drain-now").err())
        .isEqualTo(NAME + " is changed\n");

    UpdateQuotaShareRequest sent = cli.scheduler.requests(UpdateQuotaShareRequest.class).get(0);
    assertThat(sent.getUpdateMask().getPathsList()).containsExactly("capacity");
    assertThat(sent.getDrainNow()).isTrue();
    assertThat(run("share get nlp -o json").out())
        .contains("\"H100\": 4")
        .contains("\"strategy\": \"SHARING_STRATEGY_LEND\"");
    assertThat(run("share update nlp").err()).contains("nothing to change was given");
    assertThat(run("share update nlp --weight 2 --etag 1").code())
        .as("it has another etag by now")
        .isEqualTo(ExitCode.REFUSED);
    assertThat(run("share update nlp --lend-limit H100=1 --lend-limit-percent 5").err())
        .contains("--lend-limit-percent stands together with --lend-limit");
    assertThat(run("share update nlp --weight 2 --dry-run").err())
        .isEqualTo("this was a dry run: " + NAME + " would be changed\n");
    assertThat(run("share get nlp -o json").out()).contains("\"H100\": 4").doesNotContain("2,\n");
  }

  @Test
  void anEmptyShareIsRemovedWithoutAQuestion() {
    cli.scheduler.shares.set(status(0, 0).build());

    assertThat(run("share delete nlp").err())
        .isEqualTo(NAME + " is removed; cancelled: 0 waiting and 0 running jobs\n");
    assertThat(run("share get nlp").code()).isEqualTo(ExitCode.REFUSED);
  }

  @Test
  void jobsOfAShareAreCountedAndConfirmed() {
    cli.scheduler.shares.set(status(3, 2).build());

    assertThat(run("share delete nlp").code()).as("nobody to ask").isEqualTo(ExitCode.USAGE);
    cli.terminals = new Outside.Terminals(true, true, true);
    cli.input = "n\n";
    CliRunner.Result no = run("share delete nlp");
    assertThat(no.code()).isEqualTo(ExitCode.NOT_SO);
    assertThat(no.err())
        .isEqualTo(
            "removing "
                + NAME
                + " cancels 3 waiting and 2 running jobs. Go on? [y/N] nothing was removed\n");
    assertThat(run("share delete nlp --dry-run").err())
        .isEqualTo(
            "this was a dry run: removing " + NAME + " cancels 3 waiting and 2 running jobs\n");
    assertThat(cli.scheduler.requests(DeleteQuotaShareRequest.class))
        .allMatch(DeleteQuotaShareRequest::getValidateOnly);
    assertThat(run("share delete nlp --yes").err())
        .isEqualTo(
            NAME
                + " is gone when its last job has ended; cancelled: 3 waiting and 2 running jobs\n");
  }

  @Test
  void watchingPrintsWhatTheSchedulerSends() throws IOException {
    cli.scheduler.shares.set(status(0, 1).build());
    CompletableFuture<CliRunner.Result> watching =
        CompletableFuture.supplyAsync(() -> run("shares --watch -o json"));
    await().atMost(LONG).until(() -> cli.scheduler.shares.watchers() == 1);
    cli.scheduler.shares.set(status(0, 2).build());
    cli.scheduler.shares.remove(NAME);
    CliRunner.Result result = endOf(watching);

    List<String> lines = result.lines();
    assertThat(lines).hasSize(3);
    ObjectMapper json = new ObjectMapper();
    JsonNode second = json.readTree(lines.get(1));
    assertThat(second.get("usage").get(0).get("used").asInt()).isEqualTo(2);
    assertThat(json.readTree(lines.get(2)).get("removed").asText()).isEqualTo(NAME);
    assertThat(cli.scheduler.requests(GetQueueSnapshotRequest.class)).as("polls").isEmpty();
  }

  @Test
  void watchingShowsTheTableAgainWhenSomethingChanges() {
    cli.scheduler.shares.set(status(0, 1).build());
    CompletableFuture<CliRunner.Result> watching =
        CompletableFuture.supplyAsync(() -> run("shares --watch"));
    await()
        .atMost(LONG)
        .until(() -> cli.scheduler.requests(GetQueueSnapshotRequest.class).size() == 2);
    cli.scheduler.shares.set(status(0, 7).build());
    await()
        .atMost(LONG)
        .until(() -> cli.scheduler.requests(GetQueueSnapshotRequest.class).size() == 3);

    assertThat(endOf(watching).out()).contains("     7 ").contains("SHARE  STRATEGY");
  }

  /** Presses Ctrl-C, as often as it takes for what was sent to be printed. */
  private CliRunner.Result endOf(CompletableFuture<CliRunner.Result> watching) {
    await().pollDelay(Duration.ofMillis(300)).until(() -> true);
    cli.pressCtrlC();
    return watching.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
  }
}
