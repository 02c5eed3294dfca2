package io.quotashare.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotashare.integration.cluster.Clusters;
import io.quotashare.integration.cluster.CommandResult;
import io.quotashare.integration.cluster.Leftovers;
import io.quotashare.integration.cluster.Ports;
import io.quotashare.integration.cluster.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What the README tells a newcomer to do by hand, command by command, at the pace of a person: the
 * next command is typed once the last has had its effect. Only ports and folders are others.
 */
class HandsOnIT {
  private static final String SECTION = "By hand";
  private static final Pattern STEP = Pattern.compile("(?m)^(?:.*\\D)?step (\\d+)");

  @RegisterExtension final Clusters clusters = new Clusters();

  private final ObjectMapper json = new ObjectMapper();
  private final Queue<String> commands = new ArrayDeque<>(TypedCommands.of("README.md", SECTION));
  private final int port = Ports.free();
  private final int agentPort = Ports.free();
  private Path folder;
  private Terminal terminal;

  @BeforeEach
  void open() throws IOException {
    folder = clusters.folder();
    Path logs = Files.createDirectory(folder.resolve("logs"));
    terminal = new Terminal(logs, Map.of("QUOTASHARE_SCHEDULER", "127.0.0.1:" + port));
  }

  @AfterEach
  void close() {
    terminal.close();
  }

  @Test
  void theReadmeIsTrue() {
    startByHand();
    look();
    borrow();
    reclaim();
    raisePriority();
    assertThat(commands).as("commands of the README that were not typed").isEmpty();
    more();
    end();
  }

  private void startByHand() {
    next("mkdir -p");
    next("./quotashare server --dev");
    next("for n in 1 2 3");
    next("until [");
  }

  private void look() {
    assertThat(next("./quotashare apply -f")).contains("queues/research/shares/background");
    assertThat(next("./quotashare nodes")).contains("n1", "n2", "n3", "READY", "H100");
    assertThat(next("./quotashare shares"))
        .containsPattern("background +LEND_AND_BORROW +1 +0")
        .contains("research: 3 GPUs = 0 held + 1 reserved idle + 2 free");
  }

  private void borrow() {
    next("how=");
    next("train=");
    assertThat(next("./quotashare submit").strip()).isEqualTo("high");
    assertThat(next("./quotashare submit").strip()).isEqualTo("med");
    awaitOutput("high", 1);
    awaitOutput("med", 1);
    assertThat(next("./quotashare jobs"))
        .containsPattern("high +background +3 +1 +RUNNING")
        .containsPattern("med +background +2 +1 +RUNNING");
    assertThat(next("./quotashare loans")).containsPattern("vision +background +(H100 +)?1");
  }

  private void reclaim() {
    assertThat(next("./quotashare submit").strip()).isEqualTo("owner");
    awaitOutput("owner", 1);
    assertThat(next("./quotashare job explain")).contains("med", "owner", "RECLAIM");
    String watch = commands.remove();
    String limit = "timeout 5 ";
    assertThat(watch).startsWith(limit + "./quotashare job watch owner");
    // A busy machine may take longer to start the command than a person wants to watch.
    assertThat(terminal.runUntil(watch.substring(limit.length()), "RUNNING")).contains("owner");
  }

  private void raisePriority() {
    next("./quotashare job priority med 9");
    awaitOutput("med", 2);
    String first = next("./quotashare job logs med --attempt 1");
    String second = next("./quotashare job logs med --attempt 2");
    assertThat(first).startsWith("starting at step 0");
    assertThat(second).startsWith("resuming at step " + lastStep(first) + " ");
    assertThat(lastStep(first)).isPositive();
    assertThat(next("./quotashare preemptions")).contains("high", "med", "IN_SHARE", "RECLAIM");
    assertThat(next("./quotashare report"))
        .contains("futile preemptions: 0", "devices x wall time");
  }

  /** The other commands of a first day. */
  private void more() {
    JsonNode jobs = parse(terminal.run("./quotashare jobs -o json").orFail());
    assertThat(jobs).extracting(job -> job.get("name").asText()).hasSize(3);
    assertThat(terminal.run("./quotashare job get med").orFail()).contains("background", "2 of 2");
    assertThat(terminal.run("./quotashare queue").orFail()).contains("research");
    CommandResult waited =
        terminal.run(
            "./quotashare submit --queue research --share serving --gpus 1 --id short --wait --logs"
                + " -- python3 $PWD/examples/three-teams/train.py --steps 5");
    assertThat(waited.exitCode()).as(waited.toString()).isZero();
    assertThat(waited.out()).contains("short", "starting at step 0");
    assertThat(waited.err()).contains("SUCCEEDED");
    terminal.run("./quotashare job cancel high med owner").orFail();
    await("all jobs to end")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(parse(terminal.run("./quotashare jobs --all -o json").orFail()))
                    .extracting(job -> job.get("state").asText())
                    .containsOnly("JOB_STATE_CANCELLED", "JOB_STATE_SUCCEEDED"));
  }

  private void end() {
    terminal.run("kill %1 %2 %3 %4").orFail();
    terminal.run("wait").orFail();
    terminal.close();
    await("all processes to end")
        .atMost(Duration.ofSeconds(30))
        .until(() -> Leftovers.of(folder).isEmpty());
  }

  /** Types the next command of the README, which must be this one. */
  private String next(String beginsWith) {
    String command = commands.remove();
    assertThat(command).startsWith(beginsWith);
    String here =
        command
            .replace("/tmp/qs", folder.resolve("qs").toString())
            .replace("seed by-hand", "seed " + folder.getFileName())
            .replace(
                "./quotashare server --dev",
                "./quotashare server --dev --listen 127.0.0.1:%d --agent-listen 127.0.0.1:%d --admin-listen 127.0.0.1:%d --http-listen 127.0.0.1:%d"
                    .formatted(port, agentPort, Ports.free(), Ports.free()))
            .replace(
                "./quotashare agent --dev",
                "./quotashare agent --dev --scheduler 127.0.0.1:%d --lock-dir %s"
                    .formatted(agentPort, folder.resolve("locks")));
    return terminal.run(here).orFail();
  }

  /** Waits until an attempt has written something. */
  private void awaitOutput(String job, int attempt) {
    await("output of " + job + " attempt " + attempt)
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                terminal
                    .run("./quotashare job logs " + job + " --attempt " + attempt)
                    .out()
                    .contains("at step"));
  }

  private static long lastStep(String output) {
    Matcher step = STEP.matcher(output);
    long last = 0;
    while (step.find()) {
      last = Long.parseLong(step.group(1));
    }
    return last;
  }

  private JsonNode parse(String text) {
    try {
      return json.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }
}
