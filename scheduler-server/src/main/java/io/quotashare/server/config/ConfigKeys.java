package io.quotashare.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Every key that the server knows. The table in docs/server.md is made from this. */
public final class ConfigKeys {
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration DAY = Duration.ofDays(1);

  public static final ConfigKey<Boolean> DEV =
      ConfigKey.flag(
          "dev",
          "--dev",
          ValueType.bool(),
          false,
          "Plaintext without authentication, on loopback addresses only. This version runs in no"
              + " other way.");

  public static final ConfigKey<Path> DATA =
      ConfigKey.flag(
          "data",
          "--data",
          ValueType.path(),
          Path.of("quotashare-data"),
          "Folder of the database. Made with mode 0700 where it does not exist.");

  public static final ConfigKey<ListenAddress> LISTEN =
      ConfigKey.flag(
          "listen",
          "--listen",
          ValueType.address(),
          new ListenAddress("127.0.0.1", 7070),
          "Public API.");

  public static final ConfigKey<ListenAddress> AGENT_LISTEN =
      ConfigKey.flag(
          "agentListen",
          "--agent-listen",
          ValueType.address(),
          new ListenAddress("127.0.0.1", 7071),
          "Node agents.");

  public static final ConfigKey<ListenAddress> ADMIN_LISTEN =
      ConfigKey.flag(
          "adminListen",
          "--admin-listen",
          ValueType.address(),
          new ListenAddress("127.0.0.1", 7072),
          "Operators.");

  public static final ConfigKey<ListenAddress> HTTP_LISTEN =
      ConfigKey.flag(
          "httpListen",
          "--http-listen",
          ValueType.address(),
          new ListenAddress("127.0.0.1", 7080),
          "Metrics and health over HTTP.");

  public static final ConfigKey<Integer> MAX_QUEUED_CALLS =
      ConfigKey.of(
          "engine.maxQueuedCalls",
          ValueType.integer(1, 1_000_000),
          10_000,
          "Calls of users and operators that may wait; beyond, they get RESOURCE_EXHAUSTED.");

  public static final ConfigKey<Integer> MAX_QUEUED_REPORTS =
      ConfigKey.of(
          "engine.maxQueuedReports",
          ValueType.integer(1, 1_000_000),
          20_000,
          "Registrations and reports of agents that may wait; beyond, agents repeat them.");

  public static final ConfigKey<Integer> MAX_BATCH =
      ConfigKey.of(
          "engine.maxBatch",
          ValueType.integer(1, 100_000),
          500,
          "Calls and reports that one durable commit covers at most.");

  public static final ConfigKey<Duration> HEARTBEAT_INTERVAL =
      ConfigKey.of(
          "agents.heartbeatInterval",
          ValueType.duration(Duration.ofMillis(10), Duration.ofMinutes(1)),
          Duration.ofSeconds(1),
          "Interval between heartbeats that agents are told.");

  public static final ConfigKey<Duration> SUSPECT_AFTER =
      ConfigKey.of(
          "agents.suspectAfter",
          ValueType.duration(Duration.ofMillis(50), DAY),
          Duration.ofSeconds(10),
          "Silence after which nothing new is placed on a node.");

  public static final ConfigKey<Duration> LOST_AFTER =
      ConfigKey.of(
          "agents.lostAfter",
          ValueType.duration(Duration.ofMillis(100), Duration.ofDays(365)),
          Duration.ofMinutes(5),
          "Silence after which an attempt stops itself, unless its job says otherwise.");

  public static final ConfigKey<Integer> CLOCK_DRIFT_PERCENT =
      ConfigKey.of(
          "agents.clockDriftPercent",
          ValueType.integer(0, 100),
          5,
          "How much faster or slower an agent's clock may run than the scheduler's.");

  public static final ConfigKey<Duration> FENCE_MARGIN =
      ConfigKey.of(
          "agents.fenceMargin",
          ValueType.duration(Duration.ZERO, DAY),
          Duration.ofSeconds(10),
          "Time on top, before an attempt on a silent node may be started elsewhere.");

  public static final ConfigKey<Duration> RESEND_AFTER =
      ConfigKey.of(
          "agents.resendAfter",
          ValueType.duration(Duration.ofMillis(10), DAY),
          Duration.ofSeconds(5),
          "A command whose effect is not seen is sent again this often.");

  public static final ConfigKey<Duration> RECOVERY_GRACE =
      ConfigKey.of(
          "agents.recoveryGrace",
          ValueType.duration(Duration.ZERO, DAY),
          Duration.ofSeconds(10),
          "After a start, decisions wait for the agents to come back, at most this long.");

  public static final ConfigKey<Integer> MAX_OUTBOUND =
      ConfigKey.of(
          "agents.maxOutbound",
          ValueType.integer(1, 1_000_000),
          1_000,
          "Messages that wait for one agent to read them; beyond, its stream is closed.");

  public static final ConfigKey<Integer> MAX_AGENT_REPORTS =
      ConfigKey.of(
          "agents.maxReports",
          ValueType.integer(1, 1_000_000),
          1_000,
          "Reports of one agent that wait to be durable; beyond, the agent repeats them.");

  public static final ConfigKey<ValueType.PortRange> MASTER_PORTS =
      ConfigKey.of(
          "agents.masterPorts",
          ValueType.ports(),
          new ValueType.PortRange(20_000, 29_999),
          "Ports on which the nodes of a gang meet.");

  public static final ConfigKey<Integer> KEPT_EVENTS =
      ConfigKey.of(
          "watch.keptEvents",
          ValueType.integer(1, 10_000_000),
          20_000,
          "Newest events that a broken watch can resume from.");

  public static final ConfigKey<Integer> MAX_LAG_EVENTS =
      ConfigKey.of(
          "watch.maxLagEvents",
          ValueType.integer(1, 10_000_000),
          10_000,
          "Events that a reader may be behind before it is cut; at most watch.keptEvents.");

  public static final ConfigKey<Integer> MAX_WATCHES =
      ConfigKey.of(
          "watch.maxWatches",
          ValueType.integer(1, 1_000_000),
          2_000,
          "Watches at the same time; beyond, RESOURCE_EXHAUSTED.");

  public static final ConfigKey<Duration> BOOKMARK_INTERVAL =
      ConfigKey.of(
          "watch.bookmarkInterval",
          ValueType.duration(MILLI, DAY),
          Duration.ofSeconds(30),
          "A watch without events is told the revision this often.");

  public static final ConfigKey<Integer> MAX_LOG_STREAMS =
      ConfigKey.of(
          "logs.maxStreams",
          ValueType.integer(1, 100_000),
          200,
          "Log streams at the same time; beyond, RESOURCE_EXHAUSTED.");

  public static final ConfigKey<Duration> LOG_OPEN_TIMEOUT =
      ConfigKey.of(
          "logs.openTimeout",
          ValueType.duration(MILLI, DAY),
          Duration.ofSeconds(10),
          "An agent must begin to send output within this time.");

  public static final ConfigKey<Duration> KEEP_ENDED_JOBS =
      ConfigKey.of(
          "retention.endedJobs",
          ValueType.duration(Duration.ofHours(1), DAY.multipliedBy(3650)),
          DAY.multipliedBy(30),
          "Ended jobs are kept this long, with their attempts and preemptions.");

  public static final ConfigKey<Integer> MAX_ENDED_JOBS =
      ConfigKey.of(
          "retention.maxEndedJobs",
          ValueType.integer(100, 10_000_000),
          100_000,
          "Ended jobs that are kept at most; beyond, those that ended first go early.");

  public static final ConfigKey<Duration> KEEP_AUDIT =
      ConfigKey.of(
          "retention.audit",
          ValueType.duration(DAY, DAY.multipliedBy(3650)),
          DAY.multipliedBy(400),
          "Entries of the audit log are kept this long.");

  public static final ConfigKey<Integer> MAX_AUDIT =
      ConfigKey.of(
          "retention.maxAudit",
          ValueType.integer(1_000, 100_000_000),
          1_000_000,
          "Entries of the audit log that are kept at most; beyond, the oldest go early.");

  public static final ConfigKey<Duration> KEEP_ANSWERS =
      ConfigKey.of(
          "retention.answers",
          ValueType.duration(Duration.ofMinutes(1), DAY.multipliedBy(30)),
          DAY,
          "The first answer to a request id is kept this long.");

  public static final ConfigKey<Integer> MAX_ANSWERS =
      ConfigKey.of(
          "retention.maxAnswers",
          ValueType.integer(1_000, 10_000_000),
          200_000,
          "Answers that are kept at most; beyond, the oldest go early.");

  public static final ConfigKey<Duration> USAGE_SAMPLE_INTERVAL =
      ConfigKey.of(
          "usage.sampleInterval",
          ValueType.partOfHour(),
          Duration.ofMinutes(5),
          "Distance of the instants for which the usage ledger is kept.");

  public static final ConfigKey<Duration> KEEP_USAGE_SAMPLES =
      ConfigKey.of(
          "retention.usageSamples",
          ValueType.duration(Duration.ofHours(1), DAY.multipliedBy(90)),
          DAY.multipliedBy(2),
          "All of these instants are kept this long; then only full hours.");

  public static final ConfigKey<Duration> KEEP_HOURLY_USAGE =
      ConfigKey.of(
          "retention.hourlyUsage",
          ValueType.duration(Duration.ofHours(1), DAY.multipliedBy(3650)),
          DAY.multipliedBy(90),
          "Full hours of the usage ledger are kept this long; then only midnights (UTC).");

  public static final ConfigKey<Duration> KEEP_DAILY_USAGE =
      ConfigKey.of(
          "retention.dailyUsage",
          ValueType.duration(Duration.ofHours(1), DAY.multipliedBy(36_500)),
          DAY.multipliedBy(3650),
          "Midnights of the usage ledger are kept this long.");

  public static final ConfigKey<Integer> MAX_DRY_RUNS =
      ConfigKey.of(
          "dryRun.maxWaiting",
          ValueType.integer(1, 10_000),
          16,
          "Dry runs that wait or run at the same time; beyond, RESOURCE_EXHAUSTED.");

  public static final ConfigKey<Integer> MAX_DRY_RUN_ROWS =
      ConfigKey.of(
          "dryRun.maxRows",
          ValueType.integer(1, 100_000_000),
          1_000_000,
          "Rows that the state may have for a dry run: what exists, and jobs that have not ended;"
              + " beyond, RESOURCE_EXHAUSTED.");

  public static final ConfigKey<Duration> DRY_RUN_TIMEOUT =
      ConfigKey.of(
          "dryRun.timeout",
          ValueType.duration(MILLI, DAY),
          Duration.ofSeconds(10),
          "A dry run that has not ended within this time fails with DEADLINE_EXCEEDED.");

  /** All keys, in the order of the documentation. */
  public static final List<ConfigKey<?>> ALL =
      List.of(
          DEV,
          DATA,
          LISTEN,
          AGENT_LISTEN,
          ADMIN_LISTEN,
          HTTP_LISTEN,
          MAX_QUEUED_CALLS,
          MAX_QUEUED_REPORTS,
          MAX_BATCH,
          HEARTBEAT_INTERVAL,
          SUSPECT_AFTER,
          LOST_AFTER,
          CLOCK_DRIFT_PERCENT,
          FENCE_MARGIN,
          RESEND_AFTER,
          RECOVERY_GRACE,
          MAX_OUTBOUND,
          MAX_AGENT_REPORTS,
          MASTER_PORTS,
          KEPT_EVENTS,
          MAX_LAG_EVENTS,
          MAX_WATCHES,
          BOOKMARK_INTERVAL,
          MAX_LOG_STREAMS,
          LOG_OPEN_TIMEOUT,
          MAX_DRY_RUNS,
          MAX_DRY_RUN_ROWS,
          DRY_RUN_TIMEOUT,
          KEEP_ENDED_JOBS,
          MAX_ENDED_JOBS,
          KEEP_AUDIT,
          MAX_AUDIT,
          KEEP_ANSWERS,
          MAX_ANSWERS,
          USAGE_SAMPLE_INTERVAL,
          KEEP_USAGE_SAMPLES,
          KEEP_HOURLY_USAGE,
          KEEP_DAILY_USAGE);

  private ConfigKeys() {}
}
