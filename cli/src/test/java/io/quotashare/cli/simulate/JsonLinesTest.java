package io.quotashare.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.DeviceMillis;
import io.quotashare.core.model.IdleAssignment;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.StopCause;
import io.quotashare.core.model.Strategy;
import io.quotashare.core.model.Unassigned;
import io.quotashare.core.model.WaitingReason;
import io.quotashare.core.replay.ReplayRecord;
import io.quotashare.core.replay.ReplaySummary;
import io.quotashare.core.replay.ReplaySummary.JobCounts;
import io.quotashare.core.replay.ReplaySummary.NotHeld;
import io.quotashare.core.replay.ReplaySummary.ShareSummary;
import io.quotashare.core.replay.ReplaySummary.Waits;
import io.quotashare.core.replay.ScenarioEvent.NodeState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The lines for programs, key by key as in scenario-format. */
class JsonLinesTest {
  private static final JobKey B = new JobKey("q", "b");
  private static final JobKey C = new JobKey("q", "c");

  @Test
  void everyKindOfLineHasItsKeys() {
    assertThat(line(new ReplayRecord.Submitted(0, B, "background", 2, new Shape(1, 4), "H100")))
        .isEqualTo(
            """
            {"t":0.0,"event":"SUBMITTED","job":"b","share":"background","priority":2,"nodes":1,"gpusPerNode":4,"unit":"H100"}""");
    assertThat(line(new ReplayRecord.Rejected(10, B, "NO_NODE_FITS", "why")))
        .isEqualTo(
            """
            {"t":0.01,"event":"REJECTED","job":"b","reason":"NO_NODE_FITS","detail":"why"}""");
    assertThat(line(new ReplayRecord.WaitingFor(0, B, WaitingReason.NOTHING_TO_BORROW, "…\"")))
        .isEqualTo(
            """
            {"t":0.0,"event":"WAITING","job":"b","reason":"NOTHING_TO_BORROW","detail":"…\\""}""");
    SortedMap<String, List<Integer>> devices = new TreeMap<>(Map.of("n1", List.of(0, 3)));
    assertThat(line(new ReplayRecord.Started(-600_000, B, "background", 1, devices, 0, 2)))
        .isEqualTo(
            """
            {"t":-600.0,"event":"STARTED","job":"b","share":"background","attempt":1,"devices":{"n1":[0,3]},"own":0,"borrowed":2}""");
    assertThat(line(new ReplayRecord.Running(1500, B, 1)))
        .isEqualTo("{\"t\":1.5,\"event\":\"RUNNING\",\"job\":\"b\",\"attempt\":1}");
    assertThat(line(new ReplayRecord.Preempting(60_000, B, StopCause.RECLAIM, C, 120_000)))
        .isEqualTo(
            """
            {"t":60.0,"event":"PREEMPTING","job":"b","cause":"RECLAIM","for":"c","deadline":120.0}""");
    assertThat(line(new ReplayRecord.Preempting(60_000, B, StopCause.NODE_DRAIN, null, 120_000)))
        .isEqualTo(
            """
            {"t":60.0,"event":"PREEMPTING","job":"b","cause":"NODE_DRAIN","deadline":120.0}""");
    assertThat(line(new ReplayRecord.WouldPreempt(60_000, B, StopCause.RECLAIM, C, 1_500)))
        .isEqualTo(
            """
            {"t":60.0,"event":"WOULD_PREEMPT","job":"b","cause":"RECLAIM","for":"c","costDeviceSeconds":1.5}""");
    assertThat(line(new ReplayRecord.WouldPreempt(0, B, StopCause.CAPACITY_LOWERED, null, 0)))
        .isEqualTo(
            """
            {"t":0.0,"event":"WOULD_PREEMPT","job":"b","cause":"CAPACITY_LOWERED","costDeviceSeconds":0.0}""");
    assertThat(line(new ReplayRecord.Stopped(66_000, B, 1, 0, true)))
        .isEqualTo(
            """
            {"t":66.0,"event":"STOPPED","job":"b","attempt":1,"lostDeviceSeconds":0.0,"checkpointed":true}""");
    assertThat(line(new ReplayRecord.Requeued(66_000, B)))
        .isEqualTo("{\"t\":66.0,\"event\":\"RUNNABLE\",\"job\":\"b\"}");
  }

  @Test
  void endsAndChangesHaveTheirKeys() {
    assertThat(line(new ReplayRecord.Ended(5_466_000, B, JobState.SUCCEEDED, "exited with 0")))
        .isEqualTo("{\"t\":5466.0,\"event\":\"SUCCEEDED\",\"job\":\"b\"}");
    assertThat(line(new ReplayRecord.Ended(0, B, JobState.FAILED, "why")))
        .isEqualTo("{\"t\":0.0,\"event\":\"FAILED\",\"job\":\"b\",\"reason\":\"why\"}");
    assertThat(line(new ReplayRecord.Ended(0, B, JobState.CANCELLED, "why")))
        .isEqualTo("{\"t\":0.0,\"event\":\"CANCELLED\",\"job\":\"b\",\"reason\":\"why\"}");
    assertThat(line(new ReplayRecord.PriorityChanged(0, B, 4)))
        .isEqualTo("{\"t\":0.0,\"event\":\"PRIORITY\",\"job\":\"b\",\"priority\":4}");
    assertThat(line(new ReplayRecord.NodeChanged(0, "n1", NodeState.LOST)))
        .isEqualTo("{\"t\":0.0,\"event\":\"NODE\",\"node\":\"n1\",\"state\":\"LOST\"}");
    Queue queue =
        new Queue(
            "q",
            AdminState.ENABLED,
            new TreeMap<>(),
            IdleAssignment.FIFO,
            Unassigned.BORROWABLE,
            0,
            0,
            0,
            List.of(),
            PreemptionMode.OBSERVE_ONLY);
    assertThat(line(new ReplayRecord.QueueChanged(0, queue)))
        .isEqualTo(
            """
            {"t":0.0,"event":"QUEUE","queue":"q","preemptionMode":"OBSERVE_ONLY"}""");
    QuotaShare share =
        new QuotaShare(
            new ShareKey("q", "s"),
            new TreeMap<>(Map.of("H100", 2)),
            Strategy.LEND,
            new Limit.Percent(-1),
            new Limit.Percent(100),
            true,
            Ordering.STRICT,
            1,
            0,
            AdminState.ENABLED);
    assertThat(line(new ReplayRecord.ShareChanged(0, share)))
        .isEqualTo(
            """
            {"t":0.0,"event":"SHARE","queue":"q","share":"s","capacity":{"H100":2},"strategy":"LEND"}""");
  }

  @Test
  void theSummaryHasAllItsKeys() {
    assertThat(line(new ReplayRecord.Summary(7_200_000, summary("q"))))
        .isEqualTo(
            """
            {"t":7200.0,"event":"SUMMARY","utilization":0.8333,\
            "waitSeconds":{"mean":1.501,"p50":2.0,"p95":3.0,"p99":4.0,"max":5.0},"makespanSeconds":6.0,\
            "jobs":{"submitted":4,"succeeded":3,"failed":2,"cancelled":1},\
            "preemptions":{"RECLAIM":1,"IN_SHARE":2},"futilePreemptions":0,\
            "deviceSeconds":{"useful":1.0,"startup":2.0,"lost":3.0,"saving":4.0,"draining":5.0,\
            "heldForBeneficiary":6.0,"reservedIdle":7.0,"idle":8.0,"unhealthy":9.0,"outside":10.0},\
            "shares":{"s":{"own":1.0,"borrowed":2.0,"lent":3.0,"lost":4.0,"waitSeconds":{"mean":0.0,"p95":0.0}}}}""");
  }

  @Test
  void sharesOfSeveralQueuesCarryTheNameOfTheirQueue() {
    assertThat(line(new ReplayRecord.Summary(0, summary("q", "p"))))
        .contains("\"shares\":{\"p/s\":{", "\"q/s\":{");
  }

  @Test
  void everyKindOfLineHasAForm() {
    // A new kind of line needs a form, and its keys a test above.
    assertThat(ReplayRecord.class.getPermittedSubclasses())
        .extracting(Class::getSimpleName)
        .containsExactlyInAnyOrder(
            "Submitted",
            "Rejected",
            "WaitingFor",
            "Started",
            "Running",
            "Preempting",
            "WouldPreempt",
            "Stopped",
            "Requeued",
            "Ended",
            "PriorityChanged",
            "ShareChanged",
            "QueueChanged",
            "NodeChanged",
            "Summary");
  }

  @Test
  void ofSeveralFilesEveryLineNamesItsOwn() {
    assertThat(line("x.yaml", new ReplayRecord.Requeued(0, B)))
        .isEqualTo("{\"scenario\":\"x.yaml\",\"t\":0.0,\"event\":\"RUNNABLE\",\"job\":\"b\"}");
  }

  @Test
  void longTimesAreNotWrittenWithAnExponent() {
    assertThat(line(new ReplayRecord.Requeued(31_536_000_000_000L, B)))
        .contains("\"t\":31536000000.0,");
  }

  private static ReplaySummary summary(String... queues) {
    SortedMap<String, SortedMap<String, ShareSummary>> shares = new TreeMap<>();
    for (String queue : queues) {
      shares.put(
          queue, new TreeMap<>(Map.of("s", new ShareSummary(1000, 2000, 3000, 4000, Waits.NONE))));
    }
    return new ReplaySummary(
        5.0 / 6,
        new Waits(1500.6, 2000, 3000, 4000, 5000),
        6000,
        new JobCounts(4, 3, 2, 1),
        Map.of(StopCause.RECLAIM, 1, StopCause.IN_SHARE, 2),
        0,
        new DeviceMillis(1000, 2000, 3000, 4000, 5000),
        new NotHeld(6000, 7000, 8000, 9000, 10_000),
        shares);
  }

  private static String line(ReplayRecord record) {
    return line(null, record);
  }

  private static String line(@Nullable String scenario, ReplayRecord record) {
    StringWriter text = new StringWriter();
    new JsonLines(new PrintWriter(text), scenario).write(record);
    assertThat(text.toString()).endsWith(System.lineSeparator());
    return text.toString().strip();
  }
}
