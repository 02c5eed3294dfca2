package io.quotashare.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.quotashare.cli.yaml.InvalidFileException;
import io.quotashare.cli.yaml.YamlProblem;
import io.quotashare.client.AdminState;
import io.quotashare.client.IdleAssignment;
import io.quotashare.client.PolicyQueue;
import io.quotashare.client.PreemptionMode;
import io.quotashare.client.Queue;
import io.quotashare.client.QuotaShare;
import io.quotashare.client.ShareOrdering;
import io.quotashare.client.SharingStrategy;
import io.quotashare.client.StateTimeLimit;
import io.quotashare.client.UnassignedCapacity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyParserTest {
  private static final String SHARE =
      "{name: a, capacity: {H100: 1}, strategy: LEND, inSharePreemption: true}";

  private static List<String> problemsOf(String text) {
    try {
      PolicyParser.parse("p.yaml", text);
      return List.of();
    } catch (InvalidFileException e) {
      return e.problems().stream().map(YamlProblem::toString).toList();
    }
  }

  /** A policy with one share that has every required key and the given ones instead or on top. */
  private static String withShare(String extra) {
    StringBuilder text = new StringBuilder("queues:\n- name: q\n  shares:\n  - name: a\n");
    Map<String, String> required =
        Map.of("capacity", "{H100: 4}", "strategy", "LEND_AND_BORROW", "inSharePreemption", "true");
    for (String key : List.of("capacity", "strategy", "inSharePreemption")) {
      if (!extra.contains(key + ":") && !extra.contains("no-" + key)) {
        text.append("    ").append(key).append(": ").append(required.get(key)).append('\n');
      }
    }
    for (String line : extra.split(";")) {
      if (!line.contains("no-")) {
        text.append("    ").append(line.strip()).append('\n');
      }
    }
    return text.toString();
  }

  @Test
  void readsEveryKey() {
    PolicyFile policy =
        PolicyParser.parse(
            "p.yaml",
            """
            queues:
              - name: research
                state: DISABLED
                nodeSelector: {pool: research}
                idleAssignment: FAIR
                unassigned: IDLE
                maxGrace: 90s
                lostWorkCap: 1h
                restartCost: 1m
                stateTimeLimits: [{reason: QUEUE_CAPACITY_EXCEEDED, max: 10m}]
                preemptionMode: OBSERVE_ONLY
                shares:
                  - name: background
                    capacity: {H100: 1, A100: 0}
                    strategy: LEND_AND_BORROW
                    borrowLimit: {H100: 4}
                    lendLimitPercent: 50
                    inSharePreemption: true
                    ordering: BACKFILL
                    weight: 3
                    minRuntime: 5m
                    parent: ~
                    state: DISABLED
            """);

    Queue queue =
        new Queue(
            "research",
            AdminState.DISABLED,
            Map.of("pool", "research"),
            IdleAssignment.FAIR,
            UnassignedCapacity.IDLE,
            Duration.ofSeconds(90),
            Duration.ofHours(1),
            Duration.ofMinutes(1),
            List.of(new StateTimeLimit("QUEUE_CAPACITY_EXCEEDED", Duration.ofMinutes(10))),
            PreemptionMode.OBSERVE_ONLY,
            "");
    QuotaShare share =
        new QuotaShare(
            "research",
            "background",
            Map.of("H100", 1, "A100", 0),
            SharingStrategy.LEND_AND_BORROW,
            null,
            Map.of("H100", 4),
            50,
            Map.of(),
            true,
            ShareOrdering.BACKFILL,
            3,
            Duration.ofMinutes(5),
            AdminState.DISABLED,
            "");
    assertThat(policy.queues()).containsExactly(new PolicyQueue(queue, List.of(share)));
  }

  @Test
  void fillsInTheDefaults() {
    PolicyFile policy =
        PolicyParser.parse("p.yaml", "queues: [{name: q, shares: [" + SHARE + "]}]");

    assertThat(policy.queues())
        .containsExactly(
            new PolicyQueue(
                Queue.of("q"),
                List.of(QuotaShare.of("q", "a", Map.of("H100", 1), SharingStrategy.LEND, true))));
  }

  @Test
  void borrowLimitZeroIsAValue() {
    PolicyFile policy = PolicyParser.parse("p.yaml", withShare("borrowLimitPercent: 0"));

    assertThat(policy.queues().get(0).shares().get(0).borrowLimitPercent()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no-strategy | 4:5: queues[0].shares[0]: the key strategy is missing, expected RESERVE,"
            + " LEND or LEND_AND_BORROW; it has no default",
        "no-inSharePreemption | 4:5: queues[0].shares[0]: the key inSharePreemption is missing,"
            + " expected true or false; it has no default",
        "no-capacity | 4:5: queues[0].shares[0]: the key capacity is missing, expected devices by"
            + " capacity unit such as {H100: 8}",
        "strategy: BORROW | 7:15: queues[0].shares[0].strategy: \"BORROW\" is not valid here,"
            + " expected one of RESERVE, LEND, LEND_AND_BORROW",
        "strategy: UNRECOGNIZED | 7:15: queues[0].shares[0].strategy: \"UNRECOGNIZED\" is not valid"
            + " here, expected one of RESERVE, LEND, LEND_AND_BORROW",
        "strategy: RESERVE; borrowLimitPercent: 100 | 8:5: queues[0].shares[0].borrowLimitPercent:"
            + " a borrow limit is given, but a share with strategy RESERVE does not borrow: leave"
            + " it out, or use LEND_AND_BORROW",
        "strategy: LEND; borrowLimit: {H100: 1} | 8:5: queues[0].shares[0].borrowLimit: a borrow"
            + " limit is given, but a share with strategy LEND does not borrow: leave it out, or"
            + " use LEND_AND_BORROW",
        "strategy: RESERVE; lendLimitPercent: 50 | 8:5: queues[0].shares[0].lendLimitPercent: a"
            + " lend limit is given, but a share with strategy RESERVE does not lend: leave it out,"
            + " or use LEND or LEND_AND_BORROW",
        "borrowLimit: {H100: 1}; borrowLimitPercent: 10 | 8:5: queues[0].shares[0].borrowLimit:"
            + " given together with borrowLimitPercent, expected one of the two",
        "lendLimit: {H100: 1}; lendLimitPercent: 10 | 8:5: queues[0].shares[0].lendLimit: given"
            + " together with lendLimitPercent, expected one of the two",
        "borrowLimitPercent: -2 | 8:25: queues[0].shares[0].borrowLimitPercent: -2 is not valid"
            + " here, expected a whole number from -1 to 1000000",
        "lendLimitPercent: 101 | 8:23: queues[0].shares[0].lendLimitPercent: 101 is not valid here,"
            + " expected a whole number from 0 to 100",
        "capacity: {H100: -1} | 7:22: queues[0].shares[0].capacity.H100: -1 is not valid here,"
            + " expected a whole number from 0 to 10000000",
        "capacity: 8 | 7:15: queues[0].shares[0].capacity: 8 is not valid here, expected a map",
        "inSharePreemption: yes | 7:24: queues[0].shares[0].inSharePreemption: \"yes\" is not valid"
            + " here, expected true or false",
        "parent: vision | 8:13: queues[0].shares[0].parent: \"vision\" is not valid here: share"
            + " hierarchies are not supported by this version; leave the key out",
        "ordering: FIFO | 8:15: queues[0].shares[0].ordering: \"FIFO\" is not valid here, expected"
            + " one of STRICT, BACKFILL",
        "weight: 0 | 8:13: queues[0].shares[0].weight: 0 is not valid here, expected a whole number"
            + " from 1 to 1000000",
        "minRuntime: 10 | 8:17: queues[0].shares[0].minRuntime: 10 is not valid here, expected a"
            + " duration such as 90s, 10m, 1h30m or 250ms",
        "minRuntime: -1s | 8:17: queues[0].shares[0].minRuntime: \"-1s\" is not valid here,"
            + " expected a duration of 0s or more",
        "state: ON | 8:12: queues[0].shares[0].state: \"ON\" is not valid here, expected one of"
            + " ENABLED, DISABLED",
        "capacty: {H100: 1} | 8:5: queues[0].shares[0].capacty: unknown key; did you mean"
            + " capacity?",
      })
  void aWrongShareIsRefusedWithItsPlace(String extra, String problem) {
    assertThat(problemsOf(withShare(extra))).containsExactly("p.yaml:" + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 1:1: the key queues is missing, expected a list of queues",
        "queues: [] | 1:9: queues: the list is empty, expected at least one queue",
        "queues: {} | 1:9: queues: a map is not valid here, expected a list",
        "[] | 1:1: a list is not valid here, expected a map with the keys queues",
        "queues: [{shares: []}] | 1:10: queues[0]: the key name is missing, expected text",
        "queues: [{name: q}] | 1:10: queues[0]: the key shares is missing, expected a list of"
            + " shares",
        "queues: [{name: q/1, shares: []}] | 1:11: queues[0].name: \"q/1\" is not valid here,"
            + " expected letters, digits, - _ . (at most 128)",
        "queues: [{name: q, shares: []}, {name: q, shares: []}] | 1:34: queues[1].name: a queue"
            + " named \"q\" stands above already",
        "queues: [{name: q, shares: [], maxGrace: 2}] | 1:42: queues[0].maxGrace: 2 is not valid"
            + " here, expected a duration such as 90s, 10m, 1h30m or 250ms",
        "queues: [{name: q, shares: [], nodeSelector: {rack: 1}}] | 1:53:"
            + " queues[0].nodeSelector.rack: 1 is not valid here, expected text: write it in"
            + " quotes",
        "queues: [{name: q, shares: [], stateTimeLimits: [{reason: HELD}]}] | 1:50:"
            + " queues[0].stateTimeLimits[0]: the key max is missing, expected a duration such as"
            + " 10m",
        "queues: [{name: q, shares: [], preemptionMode: OBSERVE}] | 1:48: queues[0].preemptionMode:"
            + " \"OBSERVE\" is not valid here, expected one of ENFORCE, OBSERVE_ONLY",
        "queues: [{name: q, shares: [], idleAssignment: LIFO}] | 1:48: queues[0].idleAssignment:"
            + " \"LIFO\" is not valid here, expected one of FIFO, FAIR (did you mean FIFO?)",
      })
  void aWrongQueueIsRefusedWithItsPlace(String text, String problem) {
    assertThat(problemsOf(text)).containsExactly("p.yaml:" + problem);
  }

  @Test
  void twoSharesOfOneNameAreRefused() {
    assertThat(problemsOf("queues: [{name: q, shares: [" + SHARE + ", " + SHARE + "]}]"))
        .singleElement()
        .asString()
        .endsWith("a share named \"a\" stands above already");
  }

  @Test
  void allProblemsOfAFileAreTold() {
    assertThatThrownBy(
            () ->
                PolicyParser.parse(
                    "p.yaml",
                    withShare("strategy: LEND; borrowLimitPercent: 5; weigth: 2; minRuntime: x")))
        .asInstanceOf(type(InvalidFileException.class))
        .satisfies(
            e ->
                assertThat(e.problems())
                    .extracting(YamlProblem::path)
                    .containsExactly(
                        "queues[0].shares[0].borrowLimitPercent",
                        "queues[0].shares[0].weigth",
                        "queues[0].shares[0].minRuntime"));
  }

  @Test
  void changedFieldsLeaveTheOthers() {
    QuotaShare old =
        PolicyParser.parse("p.yaml", withShare("borrowLimitPercent: 50; weight: 7"))
            .queues()
            .get(0)
            .shares()
            .get(0);
    ShareFields lowered =
        new ShareFields(
            null,
            Map.of("H100", 0),
            SharingStrategy.LEND,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);

    QuotaShare changed = lowered.over(old);

    assertThat(changed.capacity()).containsEntry("H100", 0);
    assertThat(changed.strategy()).isEqualTo(SharingStrategy.LEND);
    assertThat(changed.borrowLimitPercent()).as("goes with the strategy").isNull();
    assertThat(changed.weight()).isEqualTo(7);
    assertThat(changed.problems()).isEmpty();
  }
}
