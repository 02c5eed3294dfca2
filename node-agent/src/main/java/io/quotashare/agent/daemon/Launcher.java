package io.quotashare.agent.daemon;

import com.google.inject.Guice;
import com.google.inject.Injector;
import io.quotashare.agent.attempt.JournalFailpoint;
import io.quotashare.agent.config.AgentConfig;
import io.quotashare.agent.config.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the agent up, and down when the process is told to end. */
public final class Launcher {
  private static final int INTERNAL_ERROR = 70;
  private static final Logger log = LoggerFactory.getLogger(Launcher.class);

  private Launcher() {}

  /**
   * Starts the agent. It runs when this returns, until SIGTERM or SIGINT.
   *
   * @throws StartException if it cannot
   */
  public static void run(AgentConfig config, Surroundings surroundings) throws StartException {
    StateFolder state = StateFolder.take(config.state());
    checkShim(config.shim());
    checkCgroup(config);
    checkFailpoint();
    makeFolder("lock-dir", config.lockDir());
    makeFolder("state", state.path().resolve("tmp"));
    // JNA unpacks a library, and /tmp may be mounted noexec.
    if (System.getProperty("jna.tmpdir") == null) {
      System.setProperty("jna.tmpdir", state.path().resolve("tmp").toString());
    }
    Agent agent;
    try {
      Injector injector =
          Guice.createInjector(
              AgentModules.of(config, surroundings, state.path(), Launcher::crash));
      agent = injector.getInstance(Agent.class);
      sayWhatRuns(config, surroundings, state.path());
      agent.start();
    } catch (IllegalStateException | java.io.UncheckedIOException e) {
      throw new StartException(String.valueOf(e.getMessage()));
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(agent, state), "shutdown"));
    keepAlive();
  }

  /** Ends the process too: a stop by a signal is a success. */
  private static void end(Agent agent, StateFolder state) {
    agent.stop();
    state.close();
    Runtime.getRuntime().halt(0);
  }

  private static void sayWhatRuns(AgentConfig config, Surroundings surroundings, Path state) {
    log.info(
        "node agent {}: scheduler {}:{}, state folder {}, checkpoints {}",
        config.node(),
        config.schedulerHost(),
        config.schedulerPort(),
        state,
        config.checkpointRoot());
    log.warn(
        "development mode: plaintext without authentication, and jobs run as the agent's own user,"
            + " {}",
        surroundings.user());
    if (config.checkpointRoot().startsWith(state)) {
      log.warn(
          "checkpoints lie in the state folder of this node: a job that resumes on another node"
              + " does not find them, unless --checkpoint-root is a folder that all nodes share");
    }
  }

  private static void checkShim(Path shim) throws StartException {
    if (!Files.isExecutable(shim)) {
      throw new StartException(
          "the supervisor program "
              + shim
              + " is missing or not executable: build it with a C compiler installed"
              + " (mvn package), or say where it is with --shim");
    }
  }

  private static void checkCgroup(AgentConfig config) throws StartException {
    if (config.cgroupRoot().isPresent()) {
      Path root = config.cgroupRoot().get();
      if (!Files.exists(root.resolve("cgroup.kill")) || !Files.isWritable(root)) {
        throw new StartException(
            "cgroup-root: "
                + root
                + " (expected: a cgroup v2 folder below the root one, with a cgroup.kill, that this"
                + " user may write to)");
      }
    }
  }

  private static void checkFailpoint() throws StartException {
    try {
      JournalFailpoint.action(System.getProperty(JournalFailpoint.PROPERTY, ""));
    } catch (IllegalArgumentException e) {
      throw new StartException(String.valueOf(e.getMessage()));
    }
  }

  private static void makeFolder(String key, Path folder) throws StartException {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new StartException(
          key
              + ": the folder "
              + folder
              + " cannot be made: "
              + e.getClass().getSimpleName()
              + ": "
              + e.getMessage());
    }
  }

  /**
   * The agent's other threads are daemons, so that a process whose agent failed does not linger.
   */
  private static void keepAlive() {
    Thread waiting =
        new Thread(
            () -> {
              try {
                Thread.currentThread().join();
              } catch (InterruptedException e) {
                log.debug("interrupted");
              }
            },
            "main-wait");
    waiting.start();
  }

  /**
   * After a failure nothing the agent decides can be trusted; a new process finds all jobs again.
   */
  private static void crash(Throwable failure) {
    log.error("internal error; the agent ends, jobs go on; start it again", failure);
    Runtime.getRuntime().halt(INTERNAL_ERROR);
  }
}
