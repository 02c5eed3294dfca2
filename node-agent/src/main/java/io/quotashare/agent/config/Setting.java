package io.quotashare.agent.config;

import java.util.Arrays;
import java.util.Optional;

/**
 * Everything that can be set, by {@code --KEY VALUE} and by {@code KEY: VALUE} in the file. The
 * table in docs/node-agent.md is checked against this one.
 */
public enum Setting {
  /** Development mode. */
  DEV("dev", "true|false", "false", "plaintext without authentication, loopback addresses only"),
  /** Node name. */
  NODE("node", "NAME", "none, must be given", "name of this node in the cluster"),
  /** Scheduler. */
  SCHEDULER("scheduler", "HOST:PORT", "127.0.0.1:7071", "agent listener of the scheduler"),
  /** Labels. */
  LABELS("labels", "KEY=VALUE,...", "none", "labels of the node; a map in the file"),
  /** State folder. */
  STATE(
      "state",
      "FOLDER",
      "/var/lib/quotashare/agent/NODE for root, else ~/.local/state/quotashare/agent/NODE",
      "journal, run folders and output; one agent at a time"),
  /** Checkpoint root. */
  CHECKPOINT_ROOT(
      "checkpoint-root",
      "FOLDER",
      "STATE/checkpoints",
      "checkpoints of all jobs; must be shared by all nodes that a job may resume on"),
  /** Address for peers. */
  ADVERTISE_ADDRESS(
      "advertise-address", "HOST", "127.0.0.1", "where other nodes of a gang reach this one"),
  /** NVML library. */
  NVML_LIBRARY(
      "nvml-library", "FILE", "libnvidia-ml.so.1 as the system finds it", "device library to load"),
  /** Units. */
  UNITS(
      "units",
      "MODEL=UNIT,...",
      "none",
      "capacity units by PCI device id or product name, before the built-in table; a map in the file"),
  /** Sweep. */
  SWEEP_INTERVAL("sweep-interval", "TIME", "5s", "between two looks at all devices"),
  /** NVML deadline. */
  NVML_DEADLINE("nvml-deadline", "TIME", "10s", "for one call to the device library"),
  /** NVML start deadline. */
  NVML_INIT_DEADLINE(
      "nvml-init-deadline", "TIME", "30s", "for the initialisation of the device library"),
  /** NVML retry. */
  NVML_RETRY_MAX(
      "nvml-retry-max",
      "TIME",
      "60s",
      "longest time between two tries to reach a device library that cannot be used"),
  /** Reconnect. */
  RECONNECT_MAX(
      "reconnect-max",
      "TIME",
      "30s",
      "longest time between two tries to reach a scheduler that does not answer"),
  /** Poll. */
  POLL_INTERVAL("poll-interval", "TIME", "100ms", "between two looks at what runs"),
  /** Start timeout. */
  START_TIMEOUT("start-timeout", "TIME", "30s", "from a start command to the running program"),
  /** Release timeout. */
  RELEASE_TIMEOUT(
      "release-timeout",
      "TIME",
      "30s",
      "from the end of the last process to the quarantine of devices that are not empty"),
  /** Log size. */
  LOG_FILE_SIZE("log-file-size", "SIZE", "100MiB", "output of a job goes on in a new file then"),
  /** Log files. */
  LOG_FILES("log-files", "NUMBER", "5", "files of output that are kept per attempt, 2 to 64"),
  /** Kept attempts. */
  KEEP_ATTEMPTS("keep-attempts", "NUMBER", "200", "ended attempts that keep their run folder"),
  /** Kept time. */
  KEEP_FOR(
      "keep-for",
      "TIME",
      "30d",
      "ended attempts keep their run folder, with their output, at most this long"),
  /** Kept output. */
  KEEP_OUTPUT("keep-output", "SIZE", "10GiB", "output that is kept of ended attempts together"),
  /** Locks. */
  LOCK_DIR(
      "lock-dir",
      "FOLDER",
      "/run/lock/quotashare for root, else $XDG_RUNTIME_DIR/quotashare or ~/.local/state/quotashare/locks",
      "device locks; must be the same for all agents of the host"),
  /** Cgroup. */
  CGROUP_ROOT(
      "cgroup-root",
      "FOLDER",
      "none",
      "delegated cgroup v2 folder; each attempt gets a group in it, which makes a kill complete"),
  /** Shim. */
  SHIM("shim", "FILE", "qs-shim beside the program", "the supervisor of attempts"),
  /** Job path. */
  JOB_PATH("job-path", "PATH", "the PATH of the agent", "search path of jobs for programs");

  private final String key;
  private final String value;
  private final String fallback;
  private final String meaning;

  Setting(String key, String value, String fallback, String meaning) {
    this.key = key;
    this.value = value;
    this.fallback = fallback;
    this.meaning = meaning;
  }

  /** Name in the file, and of the flag after {@code --}. */
  public String key() {
    return key;
  }

  /** What kind of value it takes. */
  public String value() {
    return value;
  }

  /** What holds if it is not set. */
  public String fallback() {
    return fallback;
  }

  /** What it is for. */
  public String meaning() {
    return meaning;
  }

  /** Whether the value is a map in the file. */
  boolean isMap() {
    return this == LABELS || this == UNITS;
  }

  /** The setting with this key, if there is one. */
  static Optional<Setting> of(String key) {
    return Arrays.stream(values()).filter(setting -> setting.key.equals(key)).findFirst();
  }
}
