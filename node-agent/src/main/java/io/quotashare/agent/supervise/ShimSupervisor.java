package io.quotashare.agent.supervise;

import static java.util.Objects.requireNonNull;

import com.sun.jna.LastErrorException;
import io.quotashare.agent.time.AgentClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each attempt under a {@code qs-shim} process of its own. The files of the run folder are the
 * whole interface between the two, so it does not matter which agent process started the shim.
 */
public final class ShimSupervisor implements JobSupervisor {
  /** How long a start of an agent that is gone may still be under way. */
  static final long INHERITED_LAUNCH_MILLIS = 3_000;

  private static final int LOG_TAIL_BYTES = 2_048;
  private static final int SHIM_LOG_BYTES_MAX = 1 << 20;
  private static final Logger log = LoggerFactory.getLogger(ShimSupervisor.class);

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final ShimSettings settings;
  private final AgentClock clock;
  private final String bootId;
  private final DeviceLocks locks;
  private final AttemptProcesses processes = new AttemptProcesses();

  /** What this agent process knows of a run folder and no file tells. */
  private static final class Handle {
    Optional<Process> shim = Optional.empty();
    Optional<Process> sweep = Optional.empty();
    Optional<String> launchError = Optional.empty();

    /** As it was first read: a job that spoils its own run folder must not hide that it runs. */
    Optional<StartedRecord> started = Optional.empty();

    long firstSeenMillis;
  }

  private final Map<Path, Handle> handles = new HashMap<>();

  /**
   * A supervisor with these settings.
   *
   * @param bootId boot id of the host now
   */
  public ShimSupervisor(ShimSettings settings, AgentClock clock, String bootId) {
    this.settings = requireNonNull(settings, "settings is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.bootId = requireNonNull(bootId, "bootId is null");
    this.locks = new DeviceLocks(settings.lockDir());
  }

  @Override
  public void launch(LaunchSpec spec) {
    Handle handle = handle(spec.runDir());
    setLease(spec.runDir(), spec.leaseBootMillis());
    try {
      makeCgroup(spec.runDir());
      handle.shim = Optional.of(start(runCommand(spec), spec.runDir(), spec.environment()));
    } catch (IOException e) {
      handle.launchError = Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private List<String> runCommand(LaunchSpec spec) {
    List<String> command = new ArrayList<>(shimCommand("run", spec.runDir()));
    command.addAll(List.of("--lock-dir", settings.lockDir().toString()));
    for (String uuid : spec.deviceUuids()) {
      command.addAll(List.of("--lock", uuid));
    }
    command.addAll(List.of("--term-grace-ms", Long.toString(spec.termGraceMillis())));
    command.addAll(List.of("--log-bytes", Long.toString(settings.logBytes())));
    command.addAll(List.of("--log-files", Integer.toString(settings.logFiles())));
    command.addAll(List.of("--cwd", spec.workingDirectory().toString(), "--"));
    command.addAll(spec.command());
    return command;
  }

  private List<String> shimCommand(String mode, Path runDir) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(settings.program().toString(), mode, "--run-dir", runDir.toString()));
    cgroup(runDir)
        .filter(Files::isDirectory)
        .ifPresent(folder -> command.addAll(List.of("--cgroup", folder.toString())));
    return command;
  }

  private Optional<Path> cgroup(Path runDir) {
    return settings.cgroupRoot().map(root -> root.resolve(runDir.getFileName()));
  }

  private void makeCgroup(Path runDir) throws IOException {
    Optional<Path> folder = cgroup(runDir);
    if (folder.isPresent()) {
      Files.createDirectories(folder.get());
    }
  }

  private static Process start(List<String> command, Path runDir, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(runDir.resolve("shim.log").toFile()));
    return builder.start();
  }

  @Override
  public void adopt(Path runDir, StartedRecord started) {
    handle(runDir).started = Optional.of(started);
  }

  @Override
  public Observation observe(Path runDir) {
    Handle handle = handle(runDir);
    try {
      RunRecords records = RunRecords.read(runDir);
      Optional<StartedRecord> started = started(handle, records);
      if (started.isPresent()) {
        return running(runDir, handle, records, started.get());
      }
      return records.failed().isPresent()
          ? new Observation.Failed(records.failed().get())
          : launching(runDir, handle, records);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<StartedRecord> started(Handle handle, RunRecords records) {
    handle.started = handle.started.or(records::started);
    return handle.started;
  }

  private Observation launching(Path runDir, Handle handle, RunRecords records) throws IOException {
    if (handle.launchError.isPresent()) {
      return failed(LaunchFailure.Stage.SUPERVISOR, handle.launchError.get());
    }
    if (handle.shim.isPresent()) {
      return handle.shim.get().isAlive() ? new Observation.Launching() : silentEnd(runDir, handle);
    }
    if (records.empty()) {
      return failed(LaunchFailure.Stage.INTERRUPTED, "");
    }
    if (clock.bootMillis() - handle.firstSeenMillis >= INHERITED_LAUNCH_MILLIS) {
      sweep(runDir, handle);
    }
    return new Observation.Launching();
  }

  /**
   * The shim has ended and its records were not there a moment ago: either they are now, or never.
   */
  private Observation silentEnd(Path runDir, Handle handle) throws IOException {
    RunRecords records = RunRecords.read(runDir);
    Optional<StartedRecord> started = started(handle, records);
    if (started.isPresent()) {
      return running(runDir, handle, records, started.get());
    }
    if (records.failed().isPresent()) {
      return new Observation.Failed(records.failed().get());
    }
    int status = handle.shim.map(Process::exitValue).orElse(-1);
    return failed(
        LaunchFailure.Stage.SUPERVISOR,
        settings.program() + " ended with status " + status + shimLogTail(runDir));
  }

  private static Observation failed(LaunchFailure.Stage stage, String detail) {
    return new Observation.Failed(new LaunchFailure(stage, 0, detail));
  }

  private Observation running(Path runDir, Handle handle, RunRecords records, StartedRecord started)
      throws IOException {
    if (!started.bootId().equals(bootId)) {
      return new Observation.Ended(started, records.ladder(), records.exit(), true);
    }
    boolean alive = started.supervisor().alive();
    // What it wrote between the first look and its end.
    RunRecords now = alive ? records : RunRecords.read(runDir);
    // Its supervisor writes it last of all: while it lives, the job has forged it.
    if (now.empty() && !alive) {
      return new Observation.Ended(started, ladder(now), now.exit(), false);
    }
    if (!alive) {
      sweep(runDir, handle);
    }
    if (now.exit().isPresent()) {
      return new Observation.Exited(started, now.exit().get());
    }
    return alive
        ? new Observation.Running(started, now.ladder())
        : new Observation.Orphaned(started, now.ladder());
  }

  private static Ladder ladder(RunRecords records) {
    return records.exit().map(ExitRecord::ladder).orElse(records.ladder());
  }

  /** Kills what a supervisor left behind. Ends with the record {@code empty}. */
  private void sweep(Path runDir, Handle handle) throws IOException {
    if (handle.sweep.isPresent() && handle.sweep.get().isAlive()) {
      return;
    }
    log.warn("{}: its supervisor is gone; killing what is left of it", runDir.getFileName());
    // A job may have removed it, and the end is recorded in it.
    Files.createDirectories(runDir, OWNER_ONLY);
    handle.sweep = Optional.of(start(shimCommand("sweep", runDir), runDir, Map.of()));
  }

  @Override
  public void scheduleStop(Path runDir, StopTimes times) {
    write(runDir.resolve("stop"), times.termBootMillis() + " " + times.killBootMillis() + "\n");
  }

  @Override
  public void setLease(Path runDir, OptionalLong deadlineBootMillis) {
    String text =
        deadlineBootMillis.isPresent() ? Long.toString(deadlineBootMillis.getAsLong()) : "never";
    write(runDir.resolve("lease"), text + "\n");
  }

  /** Not synced: after a power cut there is no process left that these could stop. */
  private static void write(Path file, String text) {
    try {
      SmallFiles.replace(file, text.getBytes(StandardCharsets.US_ASCII), false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void destroy(Path runDir) {
    Handle handle = handle(runDir);
    try {
      Optional<StartedRecord> started = started(handle, RunRecords.read(runDir));
      if (started.isPresent()
          && started.get().bootId().equals(bootId)
          && started.get().supervisor().alive()) {
        log.warn("{}: killing its supervisor", runDir.getFileName());
        kill(started.get().supervisor());
      }
      sweep(runDir, handle);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void kill(ProcessIdentity process) {
    try {
      Libc.INSTANCE.kill(process.pid(), Libc.SIGKILL);
    } catch (LastErrorException gone) {
      log.debug("process {} is gone already", process.pid());
    }
  }

  @Override
  public DeviceLock lock(String deviceUuid) {
    return locks.state(deviceUuid);
  }

  @Override
  public boolean owns(Path attemptsDir, int pid) {
    return processes.owns(attemptsDir, pid);
  }

  private Handle handle(Path runDir) {
    return handles.computeIfAbsent(
        runDir,
        unused -> {
          Handle handle = new Handle();
          handle.firstSeenMillis = clock.bootMillis();
          return handle;
        });
  }

  @Override
  public void forget(Path runDir) {
    handles.remove(runDir);
  }

  private static String shimLogTail(Path runDir) {
    try {
      byte[] text =
          SmallFiles.read(runDir.resolve("shim.log"), SHIM_LOG_BYTES_MAX).orElse(new byte[0]);
      int from = Math.max(0, text.length - LOG_TAIL_BYTES);
      String tail = new String(text, from, text.length - from, StandardCharsets.UTF_8).strip();
      return tail.isEmpty() ? " and said nothing" : ": " + tail;
    } catch (IOException e) {
      return "; shim.log cannot be read: " + e.getMessage();
    }
  }
}
