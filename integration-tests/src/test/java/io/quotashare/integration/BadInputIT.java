package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.client.InfeasibleJobException;
import io.quotashare.client.InvalidRequestException;
import io.quotashare.client.JobResult;
import io.quotashare.client.JobSpec;
import io.quotashare.client.JobState;
import io.quotashare.client.PolicyQueue;
import io.quotashare.client.Queue;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.QuotaShareClient;
import io.quotashare.client.SchedulerUnavailableException;
import io.quotashare.client.ShareOrdering;
import io.quotashare.client.SharingStrategy;
import io.quotashare.integration.cluster.Cluster;
import io.quotashare.integration.cluster.ClusterSpec;
import io.quotashare.integration.cluster.Clusters;
import io.quotashare.integration.cluster.CommandResult;
import io.quotashare.integration.cluster.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Mistakes that people make, through the command and through the Java client: each is refused with
 * the words that one needs to mend it, and leaves everything as it was. One cluster serves all.
 */
class BadInputIT {
  private static final int NOT_SO = 1;
  private static final int USAGE = 2;
  private static final int UNREACHABLE = 3;
  private static final int REFUSED = 4;

  private static final String SHARE =
      """
      queues:
        - name: research
          shares:
            - name: team
              capacity: {H100: 1}
              inSharePreemption: true
      """;

  @RegisterExtension final Clusters clusters = new Clusters();

  private Cluster cluster;

  @Test
  void everyMistakeIsToldWithWhatWasExpected() throws IOException {
    cluster = clusters.start(ClusterSpec.ofNodes("node-a"));
    OneTeam.of(cluster, 1);
    SoftAssertions softly = new SoftAssertions();

    policies(softly);
    jobs(softly);
    schedulerThatIsNotThere(softly);
    commandThatIsNotThere(softly);
    inJava();

    softly.assertAll();
    assertThat(cluster.client().shares().get(OneTeam.QUEUE, OneTeam.SHARE).share().strategy())
        .as("nothing half-applied")
        .isEqualTo(SharingStrategy.RESERVE);
  }

  private void policies(SoftAssertions softly) throws IOException {
    expect(
        softly,
        USAGE,
        cluster.run(
            "apply", "-f", policy("unknown.yaml", "strategy: LEND\n        borowLimitPercent: 1")),
        "unknown.yaml:8:",
        "borowLimitPercent: unknown key",
        "did you mean borrowLimitPercent?");
    expect(
        softly,
        USAGE,
        cluster.run("apply", "-f", policy("missing.yaml", "weight: 1")),
        "missing.yaml:4:",
        "strategy",
        "RESERVE, LEND or LEND_AND_BORROW",
        "no default");
    expect(
        softly,
        USAGE,
        cluster.run(
            "apply", "-f", policy("lend.yaml", "strategy: LEND\n        borrowLimitPercent: 100")),
        "lend.yaml:8:",
        "borrowLimitPercent",
        "LEND does not borrow",
        "LEND_AND_BORROW");
  }

  private void jobs(SoftAssertions softly) {
    expect(
        softly,
        REFUSED,
        submit("--gpus", "100", "--", "true"),
        "asks for 100 H100",
        "has 1 in all",
        "QUEUE_CAPACITY_EXCEEDED");
    expect(
        softly,
        USAGE,
        submit("--gpus", "1", "--priority", "10000", "--", "true"),
        "priority",
        "10000",
        "0 to 9999");
    expect(softly, USAGE, cluster.run("job", "priority", "any", "10000"), "priority", "0 to 9999");
    expect(
        softly,
        REFUSED,
        cluster.run("submit", "--share", "nobody", "--gpus", "1", "--", "true"),
        "nobody does not exist",
        "team");
  }

  private void schedulerThatIsNotThere(SoftAssertions softly) {
    String nobody = "127.0.0.1:" + Ports.free();
    expect(
        softly,
        UNREACHABLE,
        cluster.run("--scheduler", nobody, "jobs"),
        "no scheduler answers at " + nobody,
        "quotashare server",
        "--scheduler");
  }

  private void commandThatIsNotThere(SoftAssertions softly) {
    CommandResult result =
        submit("--gpus", "1", "--id", "no-command", "--wait", "--", "/no/such/program");
    expect(softly, NOT_SO, result, "no-command", "'/no/such/program' was not found on node node-a");
    softly.assertThat(result.out()).as("the id alone").startsWith("no-command\n");
    softly
        .assertThat(cluster.run("job", "get", "no-command").orFail())
        .contains("FAILED", "'/no/such/program' was not found on node node-a");
  }

  /** The same mistakes in a program. */
  private void inJava() {
    assertThatThrownBy(
            () ->
                cluster
                    .client()
                    .shares()
                    .applyPolicy(
                        List.of(
                            new PolicyQueue(
                                Queue.of(OneTeam.QUEUE), List.of(lenderThatBorrows())))))
        .isInstanceOfAny(InvalidRequestException.class, IllegalArgumentException.class)
        .hasMessageContaining("borrow")
        .hasMessageContaining("LEND");
    assertThatThrownBy(() -> cluster.client().jobs().submit(job(100).build()))
        .isInstanceOf(InfeasibleJobException.class)
        .hasMessageContaining("asks for 100 H100")
        .hasMessageContaining("1 in all");
    assertThatThrownBy(() -> job(1).priority(10_000).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("priority")
        .hasMessageContaining("0 to 9999");
    JobResult result =
        cluster
            .client()
            .jobs()
            .submit(job(1).command("no-such-program").build())
            .await(Duration.ofSeconds(60));
    assertThat(result.state()).isEqualTo(JobState.FAILED);
    assertThat(result.reason()).contains("'no-such-program' was not found", "node-a");
    String nobody = "127.0.0.1:" + Ports.free();
    try (QuotaShareClient client = QuotaShareClient.connect(nobody)) {
      assertThatThrownBy(() -> client.jobs().get("queues/research/jobs/any"))
          .isInstanceOf(SchedulerUnavailableException.class)
          .hasMessageContaining(nobody);
    }
  }

  private static JobSpec.Builder job(int gpus) {
    return JobSpec.builder(OneTeam.QUEUE, OneTeam.SHARE).gpus(gpus).command("true");
  }

  private static QuotaShare lenderThatBorrows() {
    QuotaShare lender =
        QuotaShare.of(OneTeam.QUEUE, OneTeam.SHARE, Map.of("H100", 1), SharingStrategy.LEND, true);
    return new QuotaShare(
        lender.queue(),
        lender.id(),
        lender.capacity(),
        lender.strategy(),
        100,
        Map.of(),
        null,
        Map.of(),
        true,
        ShareOrdering.STRICT,
        1,
        Duration.ZERO,
        lender.state(),
        "");
  }

  private CommandResult submit(String... options) {
    List<String> command =
        new ArrayList<>(List.of("submit", "--queue", OneTeam.QUEUE, "--share", OneTeam.SHARE));
    command.addAll(List.of(options));
    return cluster.run(command.toArray(String[]::new));
  }

  /** A file with one share that has these keys too. */
  private String policy(String name, String keys) throws IOException {
    Path file = cluster.folder().resolve(name);
    Files.writeString(file, SHARE + "        " + keys + "\n");
    return file.toString();
  }

  private static void expect(
      SoftAssertions softly, int exitCode, CommandResult result, String... words) {
    softly.assertThat(result.exitCode()).as(result.toString()).isEqualTo(exitCode);
    softly.assertThat(result.err()).contains(words);
  }
}
