package io.quotashare.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.quotashare.cli.yaml.InvalidFileException;
import io.quotashare.cli.yaml.YamlProblem;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.Strategy;
import io.quotashare.core.model.WaitingReason;
import io.quotashare.core.replay.Expectation;
import io.quotashare.core.replay.RunningJob;
import io.quotashare.core.replay.Scenario;
import io.quotashare.core.replay.ScenarioEvent;
import io.quotashare.core.replay.ScenarioEvent.NodeState;
import io.quotashare.core.replay.VirtualJob;
import io.quotashare.core.replay.VirtualNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading scenarios: what every key means, and what is said of every kind of mistake. */
class ScenarioParserTest {
  private static final String HEAD =
      """
      queues:
        - name: q
          shares:
            - {name: a, capacity: {H100: 8}, strategy: LEND_AND_BORROW, inSharePreemption: true}
            - {name: b, capacity: {H100: 8}, strategy: LEND, inSharePreemption: false}
      nodes:
        - {name: n1, gpus: 8, unit: H100, labels: {pool: x}}
        - {name: n2, gpus: 8, unit: H100, count: 2}
      """;

  /** The line after {@link #HEAD}. */
  private static final int NEXT = 9;

  @Test
  void readsEverythingThatASubmissionMaySay() {
    Scenario scenario =
        parse(
            HEAD
                + """
                name: all of it
                timing: {start: 1s, checkpoint: 5s, stop: 2s}
                events:
                  - at: 90s
                    submit: {id: j, queue: q, share: a, nodes: 2, gpusPerNode: 4, unit: H100, priority: 7,
                             duration: 1h, checkpointEvery: 10m, onDemandCheckpoint: true, grace: 30s,
                             timeLimit: 2h, borrow: NEVER, preemptionRetriesBeforeTermination: 3,
                             allowInfeasible: true}
                until: 2h
                """);

    assertThat(scenario.name()).isEqualTo("all of it");
    assertThat(scenario.timing()).isEqualTo(new Scenario.Timing(1000, 5000, 2000));
    assertThat(scenario.untilMillis()).hasValue(7_200_000);
    ScenarioEvent.Submit submit = (ScenarioEvent.Submit) scenario.events().get(0);
    assertThat(submit.atMillis()).isEqualTo(90_000);
    VirtualJob job = submit.job();
    assertThat(job.key()).isEqualTo(new JobKey("q", "j"));
    assertThat(job.priority()).isEqualTo(7);
    assertThat(job.durationMillis()).hasValue(3_600_000);
    JobSpec spec = job.spec();
    assertThat(spec.share()).isEqualTo("a");
    assertThat(spec.shape()).isEqualTo(new Shape(2, 4));
    assertThat(spec.unit()).isEqualTo("H100");
    assertThat(spec.checkpointEveryMillis()).hasValue(600_000);
    assertThat(spec.onDemandCheckpoint()).isTrue();
    assertThat(spec.graceMillis()).isEqualTo(30_000);
    assertThat(spec.timeLimitMillis()).hasValue(7_200_000);
    assertThat(spec.borrow()).isEqualTo(BorrowMode.NEVER);
    assertThat(spec.preemptionRetries()).hasValue(3);
    assertThat(spec.allowInfeasible()).isTrue();
  }

  @Test
  void whatASubmissionLeavesOutHasItsDefault() {
    Scenario scenario = parse(HEAD + "events: [{at: 0s, submit: {id: j, share: b, gpus: 3}}]");

    VirtualJob job = ((ScenarioEvent.Submit) scenario.events().get(0)).job();
    JobSpec spec = job.spec();
    assertThat(job.key()).isEqualTo(new JobKey("q", "j"));
    assertThat(job.priority()).isZero();
    assertThat(job.durationMillis()).isEmpty();
    assertThat(spec.shape()).isEqualTo(new Shape(1, 3));
    assertThat(spec.unit()).isEqualTo("H100");
    assertThat(spec.graceMillis()).isEqualTo(60_000);
    assertThat(spec.borrow()).isEqualTo(BorrowMode.ALLOWED);
    assertThat(spec.timeLimitMillis()).isEmpty();
    assertThat(spec.preemptionRetries()).isEmpty();
    assertThat(spec.checkpointEveryMillis()).isEmpty();
    assertThat(spec.onDemandCheckpoint()).isFalse();
    assertThat(spec.allowInfeasible()).isFalse();
    assertThat(scenario.timing()).isEqualTo(Scenario.Timing.INSTANT);
    assertThat(scenario.untilMillis()).isEmpty();
    assertThat(scenario.name()).isEqualTo("scenario.yaml");
  }

  @Test
  void nodesWithACountAreNumbered() {
    Scenario scenario = parse(HEAD);

    assertThat(scenario.nodes())
        .extracting(VirtualNode::name)
        .containsExactly("n1", "n2-0", "n2-1");
    assertThat(scenario.nodes().get(0).labels()).containsEntry("pool", "x");
  }

  @Test
  void gpusAloneAreOneNodeOrWholeNodes() {
    Scenario scenario =
        parse(
            HEAD
                + """
                events:
                  - {at: 0s, submit: {id: one, share: a, gpus: 8}}
                  - {at: 0s, submit: {id: two, share: a, gpus: 16}}
                """);

    assertThat(scenario.events())
        .extracting(event -> ((ScenarioEvent.Submit) event).job().spec().shape())
        .containsExactly(new Shape(1, 8), new Shape(2, 8));
  }

  @Test
  void readsJobsThatRunAlready() {
    Scenario scenario =
        parse(
            HEAD
                + """
                jobs:
                  - {id: r, share: a, nodes: 2, gpusPerNode: 4, running: true, startedAt: -600s,
                     lastCheckpointAt: -60s, placedOn: [n1, n2-1]}
                  - {id: s, share: a, gpus: 1, placedOn: [n1]}
                """);

    RunningJob running = scenario.running().get(0);
    assertThat(running.placedOn()).containsExactly("n1", "n2-1");
    assertThat(running.startedAtMillis()).isEqualTo(-600_000);
    assertThat(running.lastCheckpointAtMillis()).hasValue(-60_000);
    assertThat(scenario.running().get(1).startedAtMillis()).isZero();
  }

  @Test
  void eventsHappenInOrderOfTimeThenAsTheyStand() {
    Scenario scenario =
        parse(
            HEAD
                + """
                events:
                  - {at: 60s, setPriority: {id: j, priority: 4}}
                  - {at: 70s, cancel: {id: j}}
                  - {at: 60s, node: {name: n1, state: DRAINING}}
                  - {at: 0s, submit: {id: j, share: a, gpus: 1}}
                """);

    assertThat(scenario.events())
        .satisfiesExactly(
            event -> assertThat(event).isInstanceOf(ScenarioEvent.Submit.class),
            event ->
                assertThat(event)
                    .isEqualTo(new ScenarioEvent.SetPriority(60_000, new JobKey("q", "j"), 4)),
            event ->
                assertThat(event)
                    .isEqualTo(new ScenarioEvent.SetNode(60_000, "n1", NodeState.DRAINING)),
            event ->
                assertThat(event)
                    .isEqualTo(new ScenarioEvent.Cancel(70_000, new JobKey("q", "j"))));
  }

  @Test
  void changesOfAShareBuildUpOnEachOther() {
    Scenario scenario =
        parse(
            HEAD
                + """
                events:
                  - {at: 2s, setShare: {queue: q, name: b, strategy: LEND_AND_BORROW, borrowLimit: {H100: 2}}}
                  - {at: 1s, setShare: {name: b, capacity: {H100: 4}, drainNow: true}}
                """);

    ScenarioEvent.SetShare first = (ScenarioEvent.SetShare) scenario.events().get(0);
    ScenarioEvent.SetShare second = (ScenarioEvent.SetShare) scenario.events().get(1);
    assertThat(first.drainNow()).isTrue();
    assertThat(first.share().capacity("H100")).isEqualTo(4);
    assertThat(first.share().strategy()).isEqualTo(Strategy.LEND);
    assertThat(second.drainNow()).isFalse();
    assertThat(second.share().capacity("H100")).isEqualTo(4);
    assertThat(second.share().strategy()).isEqualTo(Strategy.LEND_AND_BORROW);
    assertThat(second.share().borrowLimit("H100")).isEqualTo(2);
  }

  @Test
  void limitsOfSharesAreThoseOfThePolicy() {
    List<QuotaShare> shares = parse(HEAD).policy().queues().get(0).shares();

    assertThat(shares.get(0).borrowLimit("H100")).isEqualTo(Limit.UNLIMITED);
    assertThat(shares.get(0).lendLimit("H100")).isEqualTo(8);
    assertThat(shares.get(1).borrowLimit("H100")).isZero();
  }

  @Test
  void readsWhatIsExpected() {
    Scenario scenario =
        parse(
            HEAD
                + """
                events:
                  - {at: 0s, submit: {id: j, share: a, gpus: 1}}
                  - {at: 0s, submit: {id: k, share: a, gpus: 1}}
                  - {at: 0s, submit: {id: l, share: a, gpus: 1}}
                expect:
                  - {at: end, succeeded: [j], failed: [k], cancelled: [l], preemptions: {j: 2}}
                  - {at: 5s, running: [j], waiting: {k: FRAGMENTED}, preempting: [l], spared: [j]}
                  - {at: 1s, waiting: [j, k]}
                """);

    JobKey j = new JobKey("q", "j");
    JobKey k = new JobKey("q", "k");
    Expectation first = scenario.expectations().get(0);
    assertThat(first.atMillis()).hasValue(1000);
    assertThat(first.waiting()).containsEntry(j, Optional.empty()).containsKey(k);
    Expectation second = scenario.expectations().get(1);
    assertThat(second.running()).containsExactly(j);
    assertThat(second.waiting()).containsEntry(k, Optional.of(WaitingReason.FRAGMENTED));
    assertThat(second.preempting()).containsExactly(new JobKey("q", "l"));
    assertThat(second.spared()).containsExactly(j);
    Expectation end = scenario.expectations().get(2);
    assertThat(end.atMillis()).isEqualTo(OptionalLong.empty());
    assertThat(end.succeeded()).containsExactly(j);
    assertThat(end.failed()).containsExactly(k);
    assertThat(end.preemptions()).containsEntry(j, 2);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // Top level
        "speed: 2 | speed: unknown key",
        "name: 7 | name: 7 is not valid here, expected text",
        "until: 10 | until: 10 is not valid here, expected a duration",
        "until: -1s | until: \"-1s\" is not valid here, expected a duration of 0s or more",
        "timing: {start: 1} | timing.start: 1 is not valid here, expected a duration",
        "timing: {stop: -1s} | timing.stop: \"-1s\" is not valid here",
        "timing: {begin: 1s} | timing.begin: unknown key",
        "events: {at: 0s} | events: a map is not valid here, expected a list",
        // Events
        "events: [{submit: {id: j, share: a, gpus: 1}}] | events[0]: the key at is missing",
        "events: [{at: -1s, submit: {id: j, share: a, gpus: 1}}] | events[0].at: \"-1s\" is not valid",
        "events: [{at: 0s}] | events[0]: the event has no action, expected exactly one of submit",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1}, cancel: {id: j}}] | events[0]: the event has submit, cancel, expected exactly one of",
        "events: [{at: 0s, delete: {id: j}}] | events[0].delete: unknown key",
        // Jobs
        "events: [{at: 0s, submit: {share: a, gpus: 1}}] | events[0].submit: the key id is missing",
        "events: [{at: 0s, submit: {id: 7, share: a, gpus: 1}}] | events[0].submit.id: 7 is not valid here, expected text: write it in quotes",
        "events: [{at: 0s, submit: {id: a b, share: a, gpus: 1}}] | events[0].submit.id: \"a b\" is not valid here, expected letters",
        "events: [{at: 0s, submit: {id: j, gpus: 1}}] | events[0].submit: the key share is missing, expected the name of a share: a, b",
        "events: [{at: 0s, submit: {id: j, share: aa, gpus: 1}}] | events[0].submit.share: \"aa\" is no share of this scenario; did you mean a?",
        "events: [{at: 0s, submit: {id: j, queue: p, share: a, gpus: 1}}] | events[0].submit.queue: \"p\" is no queue of this scenario",
        "events: [{at: 0s, submit: {id: j, share: a}}] | events[0].submit: gpus and nodes with gpusPerNode are both missing, expected one of the two forms",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, nodes: 1, gpusPerNode: 1}}] | events[0].submit: gpus and nodes with gpusPerNode contradict each other",
        "events: [{at: 0s, submit: {id: j, share: a, nodes: 1}}] | events[0].submit: the key gpusPerNode is missing",
        "events: [{at: 0s, submit: {id: j, share: a, gpusPerNode: 1}}] | events[0].submit: the key nodes is missing",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 0}}] | events[0].submit.gpus: 0 is not valid here, expected a whole number from 1",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1.5}}] | events[0].submit.gpus: 1.5 is not valid here, expected a whole number",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 12}}] | events[0].submit.gpus: ",
        "events: [{at: 0s, submit: {id: j, share: a, nodes: 0, gpusPerNode: 1}}] | events[0].submit.nodes: 0 is not valid here, expected a whole number from 1 to 4096",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, unit: H10}}] | events[0].submit.unit: \"H10\" is no capacity unit of this scenario; did you mean H100?",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, priority: 10000}}] | events[0].submit.priority: 10000 is not valid here, expected a whole number from 0 to 9999",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, priority: high}}] | events[0].submit.priority: \"high\" is not valid here",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, duration: 1 hour}}] | events[0].submit.duration: \"1 hour\" is not a duration",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, duration: -1s}}] | events[0].submit.duration: \"-1s\" is not valid here",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, checkpointEvery: 0s}}] | events[0].submit.checkpointEvery: \"0s\" is not valid here, expected a duration of 1ms or more",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, timeLimit: 0s}}] | events[0].submit.timeLimit: \"0s\" is not valid here",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, grace: -5s}}] | events[0].submit.grace: \"-5s\" is not valid here",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, borrow: never}}] | events[0].submit.borrow: \"never\" is not valid here, expected one of ALLOWED, NEVER (did you mean NEVER?)",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, onDemandCheckpoint: yes}}] | events[0].submit.onDemandCheckpoint: \"yes\" is not valid here, expected true or false",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, preemptionRetriesBeforeTermination: -1}}] | events[0].submit.preemptionRetriesBeforeTermination: -1 is not valid here",
        "events: [{at: 0s, submit: {id: j, share: a, gpus: 1, nice: 3}}] | events[0].submit.nice: unknown key",
        // Other events
        "events: [{at: 0s, setPriority: {id: j, priority: 1}}] | events[0].setPriority.id: \"j\" is no job of this scenario, it defines none",
        "events: [{at: 0s, cancel: {}}] | events[0].cancel: the key id is missing",
        "events: [{at: 0s, setShare: {name: c, weight: 2}}] | events[0].setShare.name: \"c\" is no share of this scenario",
        "events: [{at: 0s, setShare: {name: a}}] | events[0].setShare: the event changes nothing, expected a field of the share",
        "events: [{at: 0s, setShare: {name: a, drainNow: true}}] | events[0].setShare: the event changes nothing",
        "events: [{at: 0s, setShare: {name: a, capacity: {H100: -1}}}] | events[0].setShare.capacity.H100: -1 is not valid here",
        "events: [{at: 0s, setShare: {name: b, borrowLimitPercent: 50}}] | events[0].setShare.borrowLimitPercent: ",
        "events: [{at: 0s, setShare: {name: a, parent: b}}] | events[0].setShare.parent: \"b\" is not valid here: share hierarchies are not supported",
        "events: [{at: 0s, node: {name: n2, state: LOST}}] | events[0].node.name: \"n2\" is no node of this scenario; did you mean n1?",
        "events: [{at: 0s, setQueue: {preemptionMode: OFF}}] | events[0].setQueue.preemptionMode: \"OFF\" is not valid here, expected one of ENFORCE, OBSERVE_ONLY",
        "events: [{at: 0s, setQueue: {queue: q}}] | events[0].setQueue: the key preemptionMode is missing, expected ENFORCE or OBSERVE_ONLY",
        "events: [{at: 0s, node: {name: n1, state: GONE}}] | events[0].node.state: \"GONE\" is not valid here, expected one of LOST, CORDONED, DRAINING, READY",
        // Jobs that run already
        "jobs: [{id: r, share: a, gpus: 1, placedOn: [n1], running: false}] | jobs[0].running: false is not valid here, expected true",
        "jobs: [{id: r, share: a, gpus: 1}] | jobs[0]: the key placedOn is missing",
        "jobs: [{id: r, share: a, gpus: 1, placedOn: [n9]}] | jobs[0].placedOn[0]: \"n9\" is no node of this scenario",
        "jobs: [{id: r, share: a, gpus: 1, placedOn: [n1, n2-0]}] | jobs[0].placedOn: 2 nodes are named, expected 1",
        "jobs: [{id: r, share: a, nodes: 2, gpusPerNode: 1, placedOn: [n1, n1]}] | jobs[0].placedOn[1]: \"n1\" stands twice in this list, expected distinct nodes",
        "jobs: [{id: r, share: a, nodes: 1, gpusPerNode: 9, placedOn: [n1]}] | jobs[0].placedOn: with this job 9 devices of n1 are in use, expected at most 8",
        "jobs: [{id: r, share: a, gpus: 1, placedOn: [n1], startedAt: 5s}] | jobs[0].startedAt: 5s is not valid here, expected 0s or earlier",
        "jobs: [{id: r, share: a, gpus: 1, placedOn: [n1], startedAt: -1h, duration: 1m}] | jobs[0].startedAt: -1h contradicts duration 1m: the job would have ended before the scenario begins",
        "jobs: [{id: r, share: a, gpus: 1, placedOn: [n1], startedAt: -1m, lastCheckpointAt: -2m}] | jobs[0].lastCheckpointAt: -2m is not valid here, expected from startedAt -1m to 0s",
        // Expectations
        "expect: [{running: []}] | expect[0]: the key at is missing, expected a time such as 60s, or end",
        "expect: [{at: finally, running: []}] | expect[0].at: \"finally\" is not a duration",
        "expect: [{at: 0s}] | expect[0]: nothing is expected here",
        "expect: [{at: 0s, runing: []}] | expect[0].runing: unknown key; did you mean running?",
        "expect: [{at: 0s, running: [j]}] | expect[0].running[0]: \"j\" is no job of this scenario, it defines none",
      })
  void everyMistakeIsToldWithItsPlace(String line, String message) {
    List<YamlProblem> problems = problems(HEAD + line);

    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).toString()).startsWith("scenario.yaml:" + NEXT + ":");
    assertThat(problems.get(0).toString()).contains(": " + message);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "- {at: 1s, cancel: {id: k}} | events[1].cancel.id: \"k\" is no job of this scenario; did you mean j?",
        "- {at: 9s, submit: {id: j, share: b, gpus: 1}} | events[1].submit.id: \"j\" is the id of another job already, in line 10",
        "- {at: 4s, cancel: {id: j}} | events[1].cancel.id: \"j\" is submitted later, in line 10, expected a job that was submitted before",
        "- {at: 2h, cancel: {id: j}} | events[1].at: 2h is after until 1h: it would never happen",
        "- {at: 6s, setPriority: {id: j}} | events[1].setPriority: the key priority is missing",
        "expect: [{at: 2h, running: [j]}] | expect[0].at: \"2h\" is after until 1h: it would never be checked",
        "expect: [{at: 0s, running: [j], waiting: [j]}] | expect[0].waiting[0]: \"j\" is expected to be running and waiting at once",
        "expect: [{at: 0s, running: [j, j]}] | expect[0].running[1]: \"j\" is expected to be running and running at once",
        "expect: [{at: 0s, preempting: [j], spared: [j]}] | expect[0].spared[0]: \"j\" is expected to be preempting and spared at once",
        "expect: [{at: 0s, waiting: {j: TIRED}}] | expect[0].waiting.j: \"TIRED\" is not valid here, expected one of QUEUE_DISABLED",
        "expect: [{at: 0s, preemptions: {j: -1}}] | expect[0].preemptions.j: -1 is not valid here",
        "expect: [{at: 0s, preemptions: {k: 1}}] | expect[0].preemptions.k: \"k\" is no job of this scenario",
      })
  void everyContradictionIsToldWithItsPlace(String line, String message) {
    String events = "events:\n  - {at: 5s, submit: {id: j, share: a, gpus: 1}}\n";
    String indent = line.startsWith("- ") ? "  " : "";

    List<YamlProblem> problems = problems(HEAD + events + indent + line + "\nuntil: 1h\n");

    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).toString()).contains(": " + message);
    assertThat(problems.get(0).line()).isEqualTo(NEXT + 2);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{gpus: 1, unit: H100} | nodes[0]: the key name is missing",
        "{name: n, unit: H100} | nodes[0]: the key gpus is missing",
        "{name: n, gpus: 1} | nodes[0]: the key unit is missing",
        "{name: n, gpus: 0, unit: H100} | nodes[0].gpus: 0 is not valid here, expected a whole number from 1 to 10000",
        "{name: n, gpus: 10001, unit: H100} | nodes[0].gpus: 10001 is not valid here",
        "{name: n, gpus: 1, unit: H100, count: 0} | nodes[0].count: 0 is not valid here",
        "{name: n, gpus: 1, unit: H100, labels: [a]} | nodes[0].labels: a list is not valid here, expected a map",
        "{name: n, gpus: 1, unit: H100, labels: {a: 1}} | nodes[0].labels.a: 1 is not valid here, expected text",
        "{name: n, gpus: 1, unit: H100, size: 3} | nodes[0].size: unknown key",
        "{name: n, gpus: 10000, unit: H100, count: 101} | nodes[0]: with this entry there are 1010000 devices, expected at most 1000000",
        "`{name: n, gpus: 1, unit: H100}, {name: n, gpus: 1, unit: H100}` | nodes[1].name: a node named \"n\" is defined in line 5 already",
        "`{name: n-1, gpus: 1, unit: H100}, {name: n, gpus: 1, unit: H100, count: 2}` | nodes[1].name: a node named \"n-1\" is defined in line 5 already",
      })
  void everyMistakeInANodeIsTold(String nodes, String message) {
    List<YamlProblem> problems =
        problems(
            """
            queues:
              - name: q
                shares:
                  - {name: a, capacity: {H100: 8}, strategy: LEND, inSharePreemption: true}
            nodes: [NODES]
            """
                .replace("NODES", nodes));

    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).toString()).contains(": " + message);
  }

  @Test
  void allMistakesAreToldAtOnceInOrder() {
    List<YamlProblem> problems =
        problems(
            HEAD
                + """
                events:
                  - {at: 0s, submit: {id: j, share: aa, gpus: 1, priority: -1}}
                  - {at: 0, cancel: {id: j}}
                  - {at: 1s, cancel: {id: x}}
                until: never
                expect: [{at: end, runing: [j]}]
                """);

    assertThat(problems)
        .extracting(YamlProblem::line)
        .isSorted()
        .contains(NEXT + 1, NEXT + 2, NEXT + 3, NEXT + 4, NEXT + 5);
  }

  @Test
  void aMistakeInAShareIsNotToldAgainForEveryJobThatNamesIt() {
    List<YamlProblem> problems =
        problems(
            HEAD.replace("strategy: LEND,", "strategy: LEDN,")
                + """
                events:
                  - {at: 0s, submit: {id: j, share: b, gpus: 1}}
                  - {at: 1s, cancel: {id: j}}
                """);

    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).path()).isEqualTo("queues[0].shares[1].strategy");
  }

  @Test
  void severalQueuesMustBeNamed() {
    String queues =
        """
        queues:
          - name: q1
            nodeSelector: {pool: one}
            shares: [{name: a, capacity: {H100: 1}, strategy: LEND, inSharePreemption: true}]
          - name: q2
            nodeSelector: {pool: two}
            shares: [{name: a, capacity: {H100: 1}, strategy: LEND, inSharePreemption: true}]
        nodes: [{name: n, gpus: 1, unit: H100, labels: {pool: one}}]
        """;

    assertThat(problems(queues + "events: [{at: 0s, submit: {id: j, share: a, gpus: 1}}]"))
        .singleElement()
        .extracting(YamlProblem::message)
        .isEqualTo("the key queue is missing, expected one of q1, q2");
    assertThat(
            problems(
                queues
                    + "jobs: [{id: j, queue: q2, share: a, gpus: 1, unit: H100, placedOn: [n]}]"))
        .extracting(YamlProblem::message)
        .last()
        .isEqualTo("n does not belong to queue q2");
  }

  @Test
  void aFileThatIsNoScenarioSaysSo() {
    assertThat(problems("- a list").get(0).message()).startsWith("a list is not valid here");
    assertThat(problems("{}"))
        .extracting(YamlProblem::message)
        .satisfiesExactly(
            m -> assertThat(m).startsWith("the key queues is missing"),
            m -> assertThat(m).startsWith("the key nodes is missing"));
    assertThatThrownBy(() -> ScenarioParser.parse(Path.of("no-such-file.yaml")))
        .isInstanceOf(InvalidFileException.class)
        .hasMessage("no-such-file.yaml: there is no such file");
  }

  private static Scenario parse(String text) {
    return ScenarioParser.parse("scenario.yaml", text);
  }

  private static List<YamlProblem> problems(String text) {
    InvalidFileException e = catchThrowableOfType(InvalidFileException.class, () -> parse(text));
    assertThat(e).as("an error about %s", text).isNotNull();
    return e.problems();
  }
}
